export { roleErrors } from './roles.errors.ts'
export { callerHolds, callerHoldsRoles, callerIsAsStrongAs, roleById } from './roles.queries.ts'
