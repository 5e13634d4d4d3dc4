import { errorTable } from '../../../../domain/errors.ts'

export const signInErrors = errorTable('auth', {
  unknownProvider: ['notFound', 'This identity provider does not exist.'],
  redirectNotAllowed: [
    'invalid',
    'This redirect address is not allowed. Use this service or one of the configured origins.',
  ],
  invalidFlow: [
    'invalid',
    'This sign-in is unknown, has ended, or was started in another browser. Start again.',
  ],
  emailNotVerified: [
    'forbidden',
    'The identity provider has not verified your e-mail address. Verify it there first.',
  ],
  foreignDomain: [
    'forbidden',
    'The identity provider is not responsible for the domain of your e-mail address. Use another one.',
  ],
  unusableEmail: [
    'forbidden',
    'The identity provider sent an e-mail address that cannot be used. It may have only ASCII characters before the @.',
  ],
  invalidCode: ['unauthenticated', 'This code is not valid. Sign in again.'],
  linkRequired: [
    'conflict',
    'Your e-mail address is already registered. Sign in as before, then link this identity.',
  ],
  notProvisioned: ['forbidden', 'You are not registered here. Ask an administrator.'],
  userDisabled: ['forbidden', 'This user is disabled. Ask an administrator.'],
  providerChanged: [
    'conflict',
    'The identity provider was changed in the meantime. Sign in again.',
  ],
})
