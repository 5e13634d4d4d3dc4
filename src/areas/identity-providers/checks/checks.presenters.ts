import type { z } from '@hono/zod-openapi'
import type { IdentityProviderTestResponse } from './checks.schemas.ts'
import type { ProviderTest } from './checks.usecases.ts'

export const presentTest = ({
  ok,
  checks,
  redirectUri,
}: ProviderTest): z.infer<typeof IdentityProviderTestResponse> => ({ ok, checks, redirectUri })
