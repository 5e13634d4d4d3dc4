import { errorTable } from '../../../domain/errors.ts'

export const groupErrors = errorTable('groups', {
  notFound: ['notFound', 'This group does not exist.'],
  roleTooLow: [
    'forbidden',
    'Your role in the group does not allow this. Ask its owner or an administrator of the group.',
  ],
  suspended: ['conflict', 'This group is suspended. Ask an administrator of the service.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, so it cannot be used for groups.',
  ],
  strongerMember: [
    'forbidden',
    'A member of this group has more permissions than you. Ask an administrator who holds them.',
  ],
  ownerStays: [
    'conflict',
    'The owner cannot leave the group. Transfer it to another member first, or delete it.',
  ],
  memberNotFound: ['notFound', 'This user is not a member of the group.'],
  unknownMember: ['invalid', 'This user is not a member of the group.'],
  unknownUser: ['invalid', 'This user does not exist.'],
  alreadyMember: ['conflict', 'This user is already a member of the group.'],
  full: ['conflict', 'The group already has 50 members, the maximum. Remove one first.'],
  sharedMeanwhile: ['conflict', 'Accounts were shared with the group in the meantime. Try again.'],
  inviteNotFound: ['notFound', 'This invitation does not exist.'],
  invalidInvite: ['invalid', 'This invitation is not valid, or no longer open. Ask for a new one.'],
  invalidExpiry: ['invalid', 'An invitation must expire in the future, within 30 days.'],
  tooMany: ['conflict', 'A user can own at most 20 groups. Delete or transfer one first.'],
  tooManyInvites: [
    'conflict',
    'The group already has 50 open invitations, the maximum. Withdraw one first.',
  ],
})
