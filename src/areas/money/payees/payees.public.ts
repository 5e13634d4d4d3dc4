export { resolutionsOf } from './aliases/aliases.queries.ts'
export type { Meaning } from './aliases/aliases.rules.ts'
export { anyPayee, payeesForBooking } from './payees.queries.ts'
export { payeeRefusals, requirePayees } from './payees.rules.ts'
