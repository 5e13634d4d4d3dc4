import { errorTable } from '../../../domain/errors.ts'

export const sharingErrors = errorTable('sharing', {
  notFound: ['notFound', 'There is no such share.'],
  notShared: ['notFound', 'This account is not shared with a group.'],
  ownerOnly: ['forbidden', 'Only the owner shares an account, and says how.'],
  ofGroup: ['forbidden', 'It is shared with a group; leave that, or ask the owner.'],
  viewersShareNothing: ['forbidden', 'You only view this group; its members share with it.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to accounts, and this is about all of them.',
  ],
  strongerUser: [
    'forbidden',
    'The owner of the account or its receiver is permitted more than you are.',
  ],
  rightNotHeld: ['forbidden', 'You can share only what you are permitted to do yourself.'],
  unknownAccount: ['invalid', 'There is no such account.'],
  unknownUser: ['invalid', 'There is no such user.'],
  unknownGroup: ['invalid', 'There is no such group.'],
  withOwner: ['invalid', 'The account is this user’s own.'],
  endsInPast: ['invalid', 'It would be over already.'],
  groupSuspended: ['conflict', 'This group is suspended; nothing is shared with it.'],
  alreadyShared: ['conflict', 'It is shared with them already; change that share.'],
  tooMany: ['conflict', 'An account is shared with 100 people at most.'],
})
