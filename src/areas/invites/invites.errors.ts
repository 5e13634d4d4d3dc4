import { errorTable } from '../../domain/errors.ts'

export const inviteErrors = errorTable('inviteCodes', {
  notFound: ['notFound', 'There is no such invite code.'],
  registrationClosed: ['forbidden', 'Registration is closed; only administrators invite.'],
  roleNotGrantable: ['forbidden', 'There is no such role, or it permits more than you have.'],
  invalidExpiry: ['invalid', 'An invite code expires in the future, within a year.'],
  fewerThanUsed: ['conflict', 'This invite code was used more often than that.'],
})
