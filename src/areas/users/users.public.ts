export { mustLeaveAnAdministrator } from './users.queries.ts'
