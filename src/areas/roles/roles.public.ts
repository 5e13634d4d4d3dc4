export { callerHolds, callerHoldsRoles } from './roles.queries.ts'
