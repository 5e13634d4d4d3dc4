import { errorTable } from '../../../../domain/errors.ts'

export const signInErrors = errorTable('auth', {
  unknownProvider: ['notFound', 'There is no such identity provider.'],
  redirectNotAllowed: ['invalid', 'This service sends nobody there.'],
  invalidFlow: [
    'invalid',
    'This sign-in is unknown, over, or was begun in another browser; begin again.',
  ],
  emailNotVerified: ['forbidden', 'The identity provider did not verify your e-mail address.'],
  foreignDomain: ['forbidden', 'The identity provider does not speak for your e-mail address.'],
  unusableEmail: [
    'forbidden',
    'The identity provider gives an e-mail address that cannot be used: letters, digits and signs of ASCII before the @ are needed.',
  ],
  invalidCode: ['unauthenticated', 'This code is not valid; sign in again.'],
  linkRequired: [
    'conflict',
    'Your e-mail address is registered otherwise; sign in as before, and link this identity then.',
  ],
  notProvisioned: ['forbidden', 'You are not registered here; ask an administrator.'],
  userDisabled: ['forbidden', 'This user is disabled.'],
  providerChanged: ['conflict', 'The identity provider was changed meanwhile; sign in again.'],
})
