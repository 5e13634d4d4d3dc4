export { roleErrors } from './roles.errors.ts'
export { callerHolds, callerHoldsRoles, roleById } from './roles.queries.ts'
