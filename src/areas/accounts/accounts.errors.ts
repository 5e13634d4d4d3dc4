import { errorTable } from '../../domain/errors.ts'

export const accountErrors = errorTable('accounts', {
  notFound: ['notFound', 'There is no such account.'],
  nameTaken: ['conflict', 'Another account has this name.'],
  tokenIsRestricted: ['forbidden', 'This access token is restricted to accounts that exist.'],
  creditLimitNeeded: ['invalid', 'In another currency the credit limit is another: send it too.'],
  currencyFixed: ['conflict', 'An account with transactions keeps its currency.'],
})

export const historyErrors = errorTable('accountHistory', {
  notFound: ['notFound', 'There is no such record.'],
})
