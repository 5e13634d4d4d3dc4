import { errorTable } from '../../../domain/errors.ts'

export const sharingErrors = errorTable('sharing', {
  notFound: ['notFound', 'This share does not exist.'],
  notShared: ['notFound', 'This account is not shared with a group.'],
  ownerOnly: ['forbidden', 'Only the owner can share this or change its shares.'],
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
    'The owner or the receiver has more permissions than you. Ask an administrator who holds them.',
  ],
  rightNotHeld: ['forbidden', 'You can share only permissions that you hold yourself.'],
  unknownAccount: ['invalid', 'This account does not exist, or you cannot see it.'],
  unknownBudget: ['invalid', 'This budget does not exist, or you cannot see it.'],
  unknownFile: ['invalid', 'This file does not exist, or you did not upload it.'],
  unknownUser: ['invalid', 'This user does not exist.'],
  unknownGroup: ['invalid', 'This group does not exist.'],
  withOwner: ['invalid', 'This user is the owner. Choose another user.'],
  wrongPermission: [
    'invalid',
    'A budget can be shared with `view` or `manage`, and a file with `view`. Choose one of these.',
  ],
  accountsOnly: ['invalid', 'Only shares of accounts have this option. Leave it out.'],
  endsInPast: ['invalid', 'The end date is in the past. Choose a later one.'],
  groupSuspended: ['conflict', 'This group is suspended, so nothing can be shared with it.'],
  closedPrivate: [
    'conflict',
    'Closed periods of this budget may count private transactions, which the receiver would see. Reopen these periods first.',
  ],
  alreadyShared: ['conflict', 'This is already shared with this user. Change the existing share.'],
  tooMany: ['conflict', 'This is already shared with 100 people, the maximum. End a share first.'],
})
