import { errorTable } from '../../../domain/errors.ts'

export const periodLockErrors = errorTable('locks', {
  notFound: ['notFound', 'There is no such period lock.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  dateInFuture: ['invalid', 'A lock can reach today at most. Enter an earlier day.'],
  reasonMissing: [
    'invalid',
    'Send a `reason` of 1 to 500 characters for ending the lock, in the query.',
  ],
  alreadyLocked: [
    'conflict',
    'The same period is locked already, by a lock of this kind or a harder one. Enter a later day.',
  ],
  tooMany: [
    'conflict',
    'There can be at most 500 locks of an account, 500 locks of all accounts, and 20,000 locks in total. End earlier ones first, which later ones cover.',
  ],
  balanceTooLarge: [
    'conflict',
    'On that day, the balance of an account was too large to be kept with a lock. Enter another day.',
  ],
  notReady: [
    'conflict',
    'The period is not ready to be locked: {what}. Send dryRun: true for the list.',
  ],
  signInAgain: [
    'forbidden',
    'Ending a hard lock needs a session that began within the last 15 minutes. Sign in again.',
  ],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, so it cannot make or end a lock of all accounts. Name one account, or sign in.',
  ],
})
