export { userEvents } from './user-administration.events.ts'
export { isLastAdministrator, mustLeaveAnAdministrator } from './user-administration.queries.ts'
