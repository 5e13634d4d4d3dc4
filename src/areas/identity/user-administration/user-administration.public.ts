export { userEvents } from './user-administration.events.ts'
export { mustLeaveAnAdministrator } from './user-administration.queries.ts'
