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
