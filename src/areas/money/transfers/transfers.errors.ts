import { errorTable } from '../../../domain/errors.ts'

export const transferErrors = errorTable('transfers', {
  notFound: ['notFound', 'There is no such transfer.'],
  accountNotFound: ['notFound', 'There is no such account.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  accountClosed: ['conflict', 'An account is closed; nothing can be booked on it.'],
  reconciled: [
    'conflict',
    'A leg is reconciled with a statement; send force: true to change the transfer.',
  ],
  otherOwner: [
    'conflict',
    'A transfer is between accounts of one owner; record an expense on one and an income on the other.',
  ],
  sameAccount: ['invalid', 'A transfer is between two accounts.'],
  toAmountOrRate: ['invalid', 'Send toAmount or rate, not both.'],
  toAmountNeeded: ['invalid', 'Between currencies, send toAmount or rate.'],
  rateWithinCurrency: ['invalid', 'Within one currency there is no rate.'],
  arrivesAsZero: ['invalid', 'At this rate nothing arrives.'],
  otherCurrency: ['invalid', 'The new account has another currency; send this again in it.'],
  unknownCategory: ['invalid', 'There is no such category.'],
  categoryKind: ['invalid', 'A fee is an expense; its category is of another kind.'],
  archivedCategory: ['invalid', 'The category is archived; it stays on old transfers only.'],
  unknownTransaction: ['invalid', 'There is no such transaction.'],
  notMatchable: ['conflict', 'A transfer is made of an expense and an income.'],
  voidRow: ['conflict', 'What is void moved nothing.'],
  splitRow: ['conflict', 'What is split is no half of a transfer; make it whole first.'],
  amountsDiffer: [
    'conflict',
    'What arrived is not what left; where less arrived, fee says that the rest is one.',
  ],
  noFee: ['invalid', 'All that left arrived, or in another currency: there is no fee to be seen.'],
  linkedAmount: [
    'conflict',
    'A row that it was matched from is linked with more than it is now; raise its amount first.',
  ],
  externalIdTaken: ['conflict', 'The new account has a transaction with the same externalId.'],
})
