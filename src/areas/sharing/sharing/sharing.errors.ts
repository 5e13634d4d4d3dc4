import { errorTable } from '../../../domain/errors.ts'

export const sharingErrors = errorTable('sharing', {
  notFound: ['notFound', 'This share does not exist.'],
  notShared: ['notFound', 'This account is not shared with a group.'],
  ownerOnly: ['forbidden', 'Only the owner can share this account or change its shares.'],
  ofGroup: [
    'forbidden',
    'This account is shared through a group. Leave the group, or ask the owner.',
  ],
  viewersShareNothing: [
    'forbidden',
    'Viewers cannot share accounts with this group. Ask an administrator of the group to make you a member.',
  ],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, and this operation concerns all of them.',
  ],
  strongerUser: [
    'forbidden',
    'The owner of the account or the receiver has more permissions than you. Ask an administrator who holds them.',
  ],
  rightNotHeld: ['forbidden', 'You can share only permissions that you hold yourself.'],
  unknownAccount: ['invalid', 'This account does not exist, or you cannot see it.'],
  unknownUser: ['invalid', 'This user does not exist.'],
  unknownGroup: ['invalid', 'This group does not exist.'],
  withOwner: ['invalid', 'This user owns the account. Choose another user.'],
  endsInPast: ['invalid', 'The end date is in the past. Choose a later one.'],
  groupSuspended: ['conflict', 'This group is suspended, so nothing can be shared with it.'],
  alreadyShared: [
    'conflict',
    'This account is already shared with this user. Change the existing share.',
  ],
  tooMany: [
    'conflict',
    'The account is already shared with 100 people, the maximum. End a share first.',
  ],
})
