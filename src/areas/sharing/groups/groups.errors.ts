import { errorTable } from '../../../domain/errors.ts'

export const groupErrors = errorTable('groups', {
  notFound: ['notFound', 'There is no such group.'],
  roleTooLow: ['forbidden', 'Your role in the group does not allow this.'],
  suspended: ['conflict', 'An administrator has suspended this group.'],
  tokenIsRestricted: ['forbidden', 'An access token for some accounts takes no part in groups.'],
  strongerMember: ['forbidden', 'A member of this group is permitted more than you are.'],
  ownerStays: ['conflict', 'A group always has an owner: hand it over first, or delete it.'],
  memberNotFound: ['notFound', 'There is no such member.'],
  unknownMember: ['invalid', 'There is no such member.'],
  unknownUser: ['invalid', 'There is no such user.'],
  alreadyMember: ['conflict', 'Already a member of this group.'],
  full: ['conflict', 'A group has 50 members at most.'],
  sharedMeanwhile: ['conflict', 'Accounts were shared with the group meanwhile; try again.'],
  inviteNotFound: ['notFound', 'There is no such invitation.'],
  invalidInvite: ['invalid', 'This invitation is wrong, or not open any more.'],
  invalidExpiry: ['invalid', 'An invitation expires in the future, within 30 days.'],
  tooMany: ['conflict', 'One owns 20 groups at most.'],
  tooManyInvites: ['conflict', 'A group has 50 open invitations at most.'],
})
