export { accountsForBooking, type BookableAccount, historyFacts } from './accounts.queries.ts'
export { openingIdOf } from './accounts.rules.ts'
