export { accountsForBooking, type BookableAccount, historyFacts } from './accounts.queries.ts'
