export { payeesForBooking } from './payees.queries.ts'
export { payeeRefusals, requirePayees } from './payees.rules.ts'
