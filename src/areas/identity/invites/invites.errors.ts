import { errorTable } from '../../../domain/errors.ts'

export const inviteErrors = errorTable('inviteCodes', {
  notFound: ['notFound', 'This invite code does not exist.'],
  registrationClosed: [
    'forbidden',
    'Registration is closed. Only administrators can create invite codes.',
  ],
  roleNotGrantable: [
    'forbidden',
    'This role does not exist, or it has permissions that you do not hold.',
  ],
  groupNotOpen: [
    'forbidden',
    'This group does not exist, or you may not invite users into it with this role.',
  ],
  roleNeedsGroup: ['invalid', 'groupRole requires a group. Send groupId as well.'],
  invalidExpiry: ['invalid', 'An invite code must expire in the future, within a year.'],
  fewerThanUsed: [
    'conflict',
    'This invite code was already used more often than that. Enter a larger number.',
  ],
})
