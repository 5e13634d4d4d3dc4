import { errorTable } from '../../../domain/errors.ts'
import { idsTold } from '../../../domain/text.ts'

export const accountErrors = errorTable('accounts', {
  ambiguousName: ['invalid', 'Several accounts have this name. Send the id of one: {ids}.'],
  foldersAreOwn: [
    'forbidden',
    'Which folder an account is in, and at which place, only its owner says.',
  ],
  targetOfOther: ['conflict', 'What is left goes to an account of the same owner.'],
  notFound: ['notFound', 'There is no such account.'],
  nameTaken: ['conflict', 'Another account has this name.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to accounts that exist.',
  ],
  closedAlready: ['conflict', 'This account is closed already.'],
  openAlready: ['conflict', 'This account is open already.'],
  closed: ['conflict', 'This account is closed; reopen it first.'],
  balanceLeft: ['conflict', 'Money is left; say which account takes it over.'],
  targetNotFound: ['invalid', 'There is no such account.'],
  targetClosed: ['conflict', 'The account that takes over what is left is closed.'],
  sameAccount: ['invalid', 'What is left goes to another account.'],
  toAmountNeeded: ['invalid', 'Between two currencies, say how much arrives too.'],
  changedMeanwhile: ['conflict', 'The account was booked on meanwhile; try again.'],
  repeatedAccount: ['invalid', 'An account is named twice.'],
  tooManyPoints: ['invalid', 'This span has more than 1000 points; choose a longer interval.'],
  creditLimitNeeded: ['invalid', 'In another currency the credit limit is another: send it too.'],
  openingReconciled: [
    'conflict',
    'The opening balance is reconciled with a statement; send force: true to change it.',
  ],
  currencyFixed: ['conflict', 'An account with transactions or valuations keeps its currency.'],
  unknownGroup: ['invalid', 'There is no such folder.'],
})

export const historyErrors = errorTable('accountHistory', {
  notFound: ['notFound', 'There is no such record.'],
  notOwn: ['forbidden', 'Only the owner of the account comments on its history.'],
})

export const accountGroupErrors = errorTable('accountGroups', {
  notFound: ['notFound', 'There is no such folder.'],
  nameTaken: ['conflict', 'Another folder has this name.'],
  tooMany: ['conflict', 'There are 200 folders at most.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to accounts, and folders are of all of them.',
  ],
})

export const ambiguousAccount = (ids: string[], field: string) =>
  accountErrors.ambiguousName({ ids: idsTold(ids) }, { field })
