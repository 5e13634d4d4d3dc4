import { errorTable } from '../../domain/errors.ts'

export const transactionErrors = errorTable('transactions', {
  notFound: ['notFound', 'There is no such transaction.'],
  accountNotFound: ['notFound', 'There is no such account.'],
  accountClosed: ['conflict', 'The account is closed; nothing can be booked on it.'],
  unknownCategory: ['invalid', 'There is no such category.'],
  categoryKind: ['invalid', 'The category is of another kind than the transaction.'],
  archivedCategory: ['invalid', 'The category is archived; it stays on old transactions only.'],
  categoryOnAdjustment: ['invalid', 'An adjustment has no category and no parts.'],
  categoryAndSplits: ['invalid', 'Where there are parts, the categories are on them.'],
  splitSum: ['invalid', 'The parts must sum to the amount exactly.'],
  unknownSplit: ['invalid', 'The transaction has no part with this id, or it was sent twice.'],
  splitNotFound: ['notFound', 'The transaction has no such part.'],
  originalIncomplete: ['invalid', 'originalAmount and originalCurrency go together.'],
  otherCurrency: ['invalid', 'The new account has another currency; send this again in it.'],
  externalIdTaken: ['conflict', 'The account has a transaction with this externalId already.'],
  transferLeg: ['conflict', 'This is a leg of a transfer; change or delete the transfer.'],
  reconciled: ['conflict', 'It is reconciled with a statement; send force: true to change it.'],
  adjustmentStays: [
    'conflict',
    'An adjustment stays on its account; delete it and record it anew.',
  ],
  tooManyMatches: ['conflict', 'More than 500 transactions match; narrow the filter.'],
  tooManyLines: ['invalid', 'These have more than 5,000 lines together; send fewer at once.'],
  tooManyTags: ['invalid', 'A transaction has 50 tags at most.'],
  adjustmentAlone: [
    'conflict',
    'What adjusts a balance shows in the history of its account; do it with one transaction at a time.',
  ],
  opening: ['conflict', 'This is an opening balance; change the account.'],
})
