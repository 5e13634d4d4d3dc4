import { errorTable } from '../../../domain/errors.ts'

export const accessTokenErrors = errorTable('accessTokens', {
  notFound: ['notFound', 'There is no such personal access token.'],
  notHeld: ['forbidden', 'A token can do only what you are permitted yourself.'],
  unknownAccount: ['invalid', 'There is no such account.'],
  past: ['invalid', 'A token must expire in the future.'],
  wider: ['invalid', 'A token can only be narrowed; create another one instead.'],
  tooMany: ['conflict', 'You have 100 personal access tokens; revoke one first.'],
})
