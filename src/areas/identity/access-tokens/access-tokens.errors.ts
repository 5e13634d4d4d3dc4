import { errorTable } from '../../../domain/errors.ts'

export const accessTokenErrors = errorTable('accessTokens', {
  notFound: ['notFound', 'This personal access token does not exist.'],
  notHeld: ['forbidden', 'You can give a token only permissions that you hold yourself.'],
  unknownAccount: ['invalid', 'This account does not exist, or you cannot see it.'],
  past: ['invalid', 'The expiry is in the past. Choose a time in the future.'],
  wider: ['invalid', 'A token can only be narrowed. Create another token instead.'],
  tooMany: [
    'conflict',
    'You already have 100 personal access tokens, the maximum. Revoke one first.',
  ],
})
