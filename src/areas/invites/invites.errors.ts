import { errorTable } from '../../domain/errors.ts'

export const inviteErrors = errorTable('inviteCodes', {
  notFound: ['notFound', 'There is no such invite code.'],
  registrationClosed: ['forbidden', 'Registration is closed; only administrators invite.'],
  permissionNotHeld: ['forbidden', 'You can grant only what you are permitted yourself.'],
  unknownRole: ['invalid', 'There is no such role.'],
  invalidExpiry: ['invalid', 'An invite code expires in the future, within a year.'],
  fewerThanUsed: ['conflict', 'This invite code was used more often than that.'],
})
