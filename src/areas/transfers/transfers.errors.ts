import { errorTable } from '../../domain/errors.ts'

export const transferErrors = errorTable('transfers', {
  notFound: ['notFound', 'There is no such transfer.'],
  accountNotFound: ['notFound', 'There is no such account.'],
  accountClosed: ['conflict', 'An account is closed; nothing can be booked on it.'],
  reconciled: [
    'conflict',
    'A leg is reconciled with a statement; send force: true to change the transfer.',
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
  externalIdTaken: ['conflict', 'The new account has a transaction with the same externalId.'],
})
