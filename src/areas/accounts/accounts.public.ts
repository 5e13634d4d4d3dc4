export { accountsForBooking, historyFacts } from './accounts.queries.ts'
