import { errorTable } from '../../../domain/errors.ts'

export const inviteErrors = errorTable('inviteCodes', {
  notFound: ['notFound', 'There is no such invite code.'],
  registrationClosed: ['forbidden', 'Registration is closed; only administrators invite.'],
  roleNotGrantable: ['forbidden', 'There is no such role, or it permits more than you have.'],
  groupNotOpen: ['forbidden', 'There is no such group, or you may not invite into it as that.'],
  roleNeedsGroup: ['invalid', 'A role in a group needs the group.'],
  invalidExpiry: ['invalid', 'An invite code expires in the future, within a year.'],
  fewerThanUsed: ['conflict', 'This invite code was used more often than that.'],
})
