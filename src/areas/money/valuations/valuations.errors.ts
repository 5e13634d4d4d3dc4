import { errorTable } from '../../../domain/errors.ts'

export const valuationErrors = errorTable('valuations', {
  notFound: ['notFound', 'There is no such valuation.'],
  accountNotFound: ['notFound', 'There is no such account.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  accountClosed: ['conflict', 'The account is closed; nothing can be booked on it.'],
  onBudget: ['conflict', 'What is on an account of the budget is what is booked on it.'],
  dayTaken: ['conflict', 'The account has a valuation on this day; change that one.'],
  reconciled: ['conflict', 'An adjustment that this changes is reconciled; say force to do it.'],
})
