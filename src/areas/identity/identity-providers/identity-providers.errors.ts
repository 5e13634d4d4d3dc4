import { errorTable } from '../../../domain/errors.ts'

export const providerErrors = errorTable('identityProviders', {
  notFound: ['notFound', 'This identity provider does not exist.'],
  nameTaken: ['conflict', 'Another identity provider already has this name. Choose another name.'],
  domainTaken: ['conflict', 'Another identity provider is already responsible for this domain.'],
  invalidDomain: ['invalid', 'This is not a valid e-mail domain. Enter one such as example.com.'],
  invalidIssuer: [
    'invalid',
    'The issuer must be a public https URL on port 443, without user name, query or fragment.',
  ],
  secretRequired: [
    'invalid',
    'Send the client secret. It is required for a new identity provider and when the issuer or the client id changes.',
  ],
  unknownRole: ['invalid', 'This role does not exist.'],
  roleChanged: ['conflict', 'The role was changed in the meantime. Try again.'],
  permissionNotHeld: [
    'forbidden',
    'You can choose only a role whose permissions you hold yourself.',
  ],
})

export const identityErrors = errorTable('auth', {
  identityNotFound: ['notFound', 'This identity does not exist.'],
  unusableCode: ['invalid', 'This code is not valid. Sign in with the identity provider again.'],
  identityTaken: ['conflict', 'This identity is already linked.'],
  emailDiffers: [
    'conflict',
    'The e-mail address of the identity differs from yours. Use an identity with your address.',
  ],
  lastWayIn: ['conflict', 'This is your only way to sign in. Set a password first.'],
})

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
