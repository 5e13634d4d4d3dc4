import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../http/fields.ts'
import { MASK } from './identity-providers.rules.ts'
import type { IdentityProviderResponse } from './identity-providers.schemas.ts'
import type { Provider } from './identity-providers.usecases.ts'

export const presentProvider = (provider: Provider): z.infer<typeof IdentityProviderResponse> => ({
  id: provider.id,
  name: provider.name,
  domain: provider.domain,
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: MASK,
  scopes: provider.scopes,
  enabled: provider.enabled,
  autoProvision: provider.autoProvision,
  defaultRoleId: provider.defaultRoleId,
  claimMapping: provider.claimMapping,
  ...presentStamps(provider),
})

export const presentProviders = (
  providers: Provider[],
): z.infer<typeof IdentityProviderResponse>[] => providers.map(presentProvider)
