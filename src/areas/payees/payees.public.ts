export { payeesForBooking } from './payees.queries.ts'
export { requirePayees } from './payees.rules.ts'
