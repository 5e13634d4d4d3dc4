export { userEvents } from './users.events.ts'
export { mustLeaveAnAdministrator } from './users.queries.ts'
