export { resolutionsOf } from './aliases.queries.ts'
export { anyPayee, payeesForBooking } from './payees.queries.ts'
export { payeeRefusals, requirePayees, type Meaning } from './payees.rules.ts'
