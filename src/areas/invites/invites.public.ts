export { inviteAdministrator } from './invites.usecases.ts'
