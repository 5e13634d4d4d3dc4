import { errorTable } from '../../../domain/errors.ts'
import { listOfIds } from '../../../domain/text.ts'

export const accountErrors = errorTable('accounts', {
  ambiguousName: ['invalid', 'Several accounts have this name. Send the id of one: {ids}.'],
  foldersAreOwn: [
    'forbidden',
    'Only the owner of the account can change its folder and its order.',
  ],
  targetOfOther: [
    'conflict',
    'The remaining money can go only to an account of the same owner. Choose another account.',
  ],
  notFound: ['notFound', 'There is no such account.'],
  nameTaken: ['conflict', 'Another account has this name. Choose another name.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to certain accounts, so it cannot create new ones.',
  ],
  closedAlready: ['conflict', 'The account is already closed.'],
  openAlready: ['conflict', 'The account is already open.'],
  closed: ['conflict', 'The account is closed. Reopen it first.'],
  balanceLeft: [
    'conflict',
    'The account still has a balance. Send the id of the account that takes it over in transferTo.',
  ],
  targetNotFound: ['invalid', 'There is no such account.'],
  targetClosed: [
    'conflict',
    'The account that takes over the balance is closed. Choose an open one.',
  ],
  sameAccount: [
    'invalid',
    'The balance cannot be moved to the account that is being closed. Choose another one.',
  ],
  toAmountNeeded: [
    'invalid',
    'The two accounts have different currencies. Send toAmount, the amount that arrives.',
  ],
  changedMeanwhile: [
    'conflict',
    'A transaction was recorded on the account in the meantime. Try again.',
  ],
  repeatedAccount: ['invalid', 'The list contains an account twice. Send each account once.'],
  tooManyPoints: [
    'invalid',
    'The period has more than 1000 points. Choose a shorter period or a longer interval.',
  ],
  creditLimitNeeded: [
    'invalid',
    'The currency changes, so the credit limit must be sent in the new currency too.',
  ],
  minimumAmountNeeded: [
    'invalid',
    'The currency changes, so the minimum amount must be sent in the new currency too.',
  ],
  cardsOnly: [
    'invalid',
    'Only accounts of type creditCard or lineOfCredit have this field. Send null or leave it out.',
  ],
  dueTwice: [
    'invalid',
    'An account has either dueDay or dueAfterDays. Send null for the other one.',
  ],
  openingReconciled: [
    'conflict',
    'The opening balance is reconciled with a statement. To change it, send force: true in the body.',
  ],
  openingIdTaken: [
    'conflict',
    'The opening balance cannot be stored, because another transaction has the id that follows from the id of the account. Open another account, and send the opening balance for that one.',
  ],
  currencyFixed: [
    'conflict',
    'The currency of an account cannot change once it has transactions or valuations.',
  ],
  unknownGroup: ['invalid', 'There is no such folder.'],
})

export const cardErrors = errorTable('cards', {
  wrongAccountType: [
    'invalid',
    'Only accounts of type creditCard or lineOfCredit have statements.',
  ],
  noStatementDay: ['invalid', 'The account has no statementDay. Set it first.'],
  statementNotFound: ['notFound', 'There is no statement of this day.'],
})

export const historyErrors = errorTable('accountHistory', {
  notFound: ['notFound', 'There is no such record.'],
  notOwn: [
    'forbidden',
    'Only the owner of the account can comment on its history or hide entries. Ask the owner to do it.',
  ],
})

export const accountGroupErrors = errorTable('accountGroups', {
  notFound: ['notFound', 'There is no such folder.'],
  nameTaken: ['conflict', 'Another folder has this name. Choose another name.'],
  tooMany: ['conflict', 'There can be at most 200 folders. Delete one first.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to certain accounts, so it cannot change folders.',
  ],
})

export const ambiguousAccount = (ids: string[], field: string) =>
  accountErrors.ambiguousName({ ids: listOfIds(ids) }, { field })
