export { roleErrors } from './roles.errors.ts'
export {
  callerHolds,
  callerHoldsRoles,
  mustNotBeStronger,
  roleById,
  strongerThanCaller,
} from './roles.queries.ts'
