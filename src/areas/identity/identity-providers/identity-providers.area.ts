import type { Area } from '../../area.ts'
import * as identities from './identities/identities.routes.ts'
import * as identityProviders from './identity-providers.routes.ts'
import * as signIn from './sign-in/sign-in.routes.ts'

export const identityProvidersArea: Area = {
  tag: 'Authentication',
  operations: [identityProviders, signIn, identities],
}
