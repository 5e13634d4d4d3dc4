import { errorTable } from '../../../domain/errors.ts'

export const providerErrors = errorTable('identityProviders', {
  notFound: ['notFound', 'There is no such identity provider.'],
  nameTaken: ['conflict', 'An identity provider has this name already.'],
  domainTaken: ['conflict', 'An identity provider speaks for this domain already.'],
  invalidDomain: ['invalid', 'This is not the domain of e-mail addresses.'],
  invalidIssuer: [
    'invalid',
    'The issuer must be a public https URL on port 443, without user name, query or fragment.',
  ],
  secretRequired: [
    'invalid',
    'A new identity provider needs its client secret, and so does another issuer or client id.',
  ],
  unknownRole: ['invalid', 'There is no such role.'],
  roleChanged: ['conflict', 'The role was changed meanwhile; try again.'],
  permissionNotHeld: ['forbidden', 'You can grant only what you are permitted yourself.'],
})
