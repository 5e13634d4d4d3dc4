export { leadNowhere } from './invites.queries.ts'
export { inviteAdministrator } from './invites.usecases.ts'
