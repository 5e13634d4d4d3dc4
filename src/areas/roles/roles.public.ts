export { callerHolds } from './roles.queries.ts'
