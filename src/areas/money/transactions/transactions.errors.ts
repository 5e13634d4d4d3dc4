import { errorTable, SEND_FORCE } from '../../../domain/errors.ts'

export const transactionErrors = errorTable('transactions', {
  notFound: ['notFound', 'There is no such transaction.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  accountNotFound: ['notFound', 'There is no such account.'],
  accountClosed: ['conflict', 'The account is closed. Reopen it or choose another one.'],
  unknownCategory: ['invalid', 'There is no such category.'],
  categoryKind: [
    'invalid',
    'An expense cannot have a category for income. Choose a category for expenses.',
  ],
  archivedCategory: [
    'invalid',
    'The category is archived, so it cannot be used for new data. Choose another one or unarchive it.',
  ],
  categoryOnAdjustment: ['invalid', 'An adjustment cannot have a category or parts.'],
  categoryAndSplits: [
    'invalid',
    'A split transaction has categories on its parts only. Send categoryId on each part instead.',
  ],
  splitSum: [
    'invalid',
    'The parts must add up to the amount exactly: they add up to {sum} {currency}, which is {difference} {side} than {amount}.',
  ],
  unknownSplit: ['invalid', 'The transaction has no part with this id, or it was sent twice.'],
  partSelf: [
    'invalid',
    'A part cannot be a transfer to the account of the transaction. Choose another account.',
  ],
  partAccountNeeded: ['invalid', 'Send transferAccountId for a part that is a transfer.'],
  partAmountNeeded: [
    'invalid',
    'The accounts have different currencies. Send transferAmount or transferRate.',
  ],
  partAmountAndRate: ['invalid', 'Send transferAmount or transferRate, not both.'],
  partAmountDiffers: [
    'invalid',
    'The accounts have the same currency, so transferAmount must be the amount of the part. Leave it out.',
  ],
  partRateWithinCurrency: [
    'invalid',
    'The accounts have the same currency, so a part cannot have a rate. Leave it out.',
  ],
  partArrivesAsZero: [
    'invalid',
    'At this rate the amount on the other account rounds to zero. Send a higher amount or rate.',
  ],
  partHasPayee: ['invalid', 'A part that is a transfer cannot have a payee. Leave it out.'],
  partHidden: [
    'forbidden',
    'A part is a transfer with an account that you cannot see, so you cannot change its money.',
  ],
  partLeg: [
    'conflict',
    'This transaction is the other side of a part of a transaction. Change that one instead.',
  ],
  hasTransferPart: [
    'conflict',
    'A part of the transaction is a transfer. Send transferAccountId: null for that part first.',
  ],
  partNotMatchable: [
    'conflict',
    'The part cannot be matched or unmatched: {reason}. Choose another part or transaction.',
  ],
  partMatched: [
    'conflict',
    'A part was matched with a transaction of its other account, so it must stay a transfer with that account in the same direction. Unmatch the part first.',
  ],
  tooManyTransferParts: ['conflict', 'At most 20 parts of a transaction can be transfers.'],
  splitNotFound: ['notFound', 'The transaction has no such part.'],
  originalIncomplete: ['invalid', 'Send originalAmount and originalCurrency together, or neither.'],
  otherOwner: [
    'conflict',
    'The new account has another owner. Delete this transaction and record it on the new account.',
  ],
  privateIsOwn: [
    'forbidden',
    'Only the owner of the account, or the person who recorded the transaction, can change whether it is private.',
  ],
  otherCurrency: [
    'invalid',
    'The new account has another currency. Send this amount again in that currency.',
  ],
  externalIdTaken: ['conflict', 'The account already has a transaction with this externalId.'],
  transferLeg: [
    'conflict',
    'This transaction is one side of a transfer. Change or delete the transfer instead.',
  ],
  reconciled: [
    'conflict',
    `The transaction is reconciled with a statement. To change it, ${SEND_FORCE}.`,
  ],
  tooManyMatches: ['conflict', 'More than 500 transactions match. Narrow the filter.'],
  tooManyLines: [
    'invalid',
    'These transactions have more than 5,000 lines in total, the maximum for one request. Each account and each part of a transaction is a line. Send fewer transactions at once.',
  ],
  tooManyAmounts: [
    'invalid',
    'The transactions have more than 20,000 sums to convert, one for each currency and day. Choose a shorter span, or leave out totals.',
  ],
  tooManyTags: ['invalid', 'A transaction can have at most 50 tags.'],
  tooManyTagsOfParts: ['invalid', 'The parts of a transaction can have at most 200 tags in total.'],
  notMergeable: ['conflict', 'Only two expenses or two incomes can be duplicates.'],
  notSame: ['conflict', 'The transactions differ in account or amount, so they cannot be merged.'],
  voidDuplicate: ['conflict', 'A void transaction cannot be merged. Delete it instead.'],
  unknownTransaction: ['invalid', 'There is no such transaction.'],
  linkNotFound: ['notFound', 'The transaction has no such link.'],
  linkedToItself: ['invalid', 'A transaction cannot be linked to itself. Choose another one.'],
  linkKinds: [
    'invalid',
    'A {link} link leads from {from} in the path to {to} as transactionId, but here it would lead from {source} to {target}. Swap the transactions, or choose another kind of link.',
  ],
  linkWithoutAmount: [
    'invalid',
    'Only the kinds refundOf and reimburses can have an amount. Leave it out.',
  ],
  linkAmountNeeded: [
    'invalid',
    'The transactions have different currencies. Send the amount that is covered.',
  ],
  linkedTooMuch: [
    'conflict',
    'The link covers more than the two transactions have left to link: {left}. Send a smaller amount, or delete another link first.',
  ],
  linkedAlready: ['conflict', 'The transactions are already linked in this way.'],
  tooManyLinks: ['conflict', 'A transaction can have at most 200 links.'],
  linkedAmount: [
    'conflict',
    'Links to this transaction cover more than its new amount, or need its present kind or currency. Delete these links first. If a linked transaction is in the trash, restore or erase it.',
  ],
  opening: [
    'conflict',
    'This transaction is the opening balance of an account. Change the account instead.',
  ],
})
