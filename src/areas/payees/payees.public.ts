export { resolutionOf, resolutionsOf } from './aliases/aliases.queries.ts'
export { payeesForBooking } from './payees.queries.ts'
export { requirePayees } from './payees.rules.ts'
