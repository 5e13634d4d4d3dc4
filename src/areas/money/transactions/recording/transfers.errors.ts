import { errorTable, SEND_FORCE } from '../../../../domain/errors.ts'

/** The errors of transfers, and of parts of transactions that are such. */
export const transferErrors = errorTable('transfers', {
  otherOwner: [
    'conflict',
    'The accounts of a transfer must have the same owner. Record an expense on one and an income on the other.',
  ],
  notFound: ['notFound', 'There is no such transfer.'],
  accountNotFound: ['notFound', 'There is no such account.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  accountClosed: ['conflict', 'One of the accounts is closed. Reopen it or choose another one.'],
  reconciled: [
    'conflict',
    `One side of the transfer is reconciled with a statement. To change the transfer, ${SEND_FORCE}.`,
  ],
  sameAccount: ['invalid', 'A transfer needs two different accounts.'],
  toAmountOrRate: ['invalid', 'Send toAmount or rate, not both.'],
  toAmountNeeded: [
    'invalid',
    'The accounts have different currencies. Send toAmount, or rate where the operation takes it.',
  ],
  rateWithinCurrency: [
    'invalid',
    'The accounts have the same currency, so a transfer cannot have a rate. Leave it out.',
  ],
  arrivesAsZero: [
    'invalid',
    'At this rate the amount that arrives rounds to zero. Send a higher amount or rate.',
  ],
  otherCurrency: [
    'invalid',
    'The new account has another currency. Send this amount again in that currency.',
  ],
  unknownCategory: ['invalid', 'There is no such category.'],
  categoryKind: ['invalid', 'The category of a transfer or of a fee must be an expense category.'],
  archivedCategory: [
    'invalid',
    'The category is archived, so it cannot be used for new data. Choose another one or unarchive it.',
  ],
  unknownTransaction: ['invalid', 'There is no such transaction.'],
  notMatchable: [
    'conflict',
    'A transfer can be made only of an expense on the account that pays and an income on the one that receives.',
  ],
  voidRow: ['conflict', 'A void transaction cannot be part of a transfer. Choose another one.'],
  splitRow: [
    'conflict',
    'A split transaction cannot be part of a transfer. Remove its parts first.',
  ],
  amountsDiffer: ['conflict', 'The amounts differ. If less arrived because of a fee, send fee.'],
  noFee: ['invalid', 'There is no fee to record, because {reason}. Leave out fee.'],
  linkedAmount: [
    'conflict',
    'Links of the original transaction cover more than the present amount of the transfer, so it cannot be restored. Raise the amount of the transfer first.',
  ],
  externalIdTaken: [
    'conflict',
    'The new account already has a transaction with the same externalId.',
  ],
})
