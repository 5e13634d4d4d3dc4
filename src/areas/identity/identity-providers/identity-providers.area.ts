import type { Area } from '../../area.ts'
import * as identityProviders from './identity-providers.routes.ts'

export const identityProvidersArea: Area = {
  tag: 'Authentication',
  operations: [identityProviders],
}
