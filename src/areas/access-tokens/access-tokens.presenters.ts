import type { z } from '@hono/zod-openapi'
import { PERMISSIONS, type Scope, SCOPES } from '../../domain/permissions.ts'
import { presentStamps, toInstantOrNull } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import { profileOf, type SignedIn } from '../../platform/context.ts'
import { isHeld } from './access-tokens.rules.ts'
import type {
  AccessTokenResponse,
  CreatedAccessTokenResponse,
  ListAccessTokensResponse,
  ListScopesResponse,
} from './access-tokens.schemas.ts'
import type { AccessToken } from './access-tokens.usecases.ts'

export const presentToken = (token: AccessToken): z.infer<typeof AccessTokenResponse> => ({
  id: token.id,
  name: token.name,
  tokenPrefix: token.tokenPrefix,
  scopes: token.scopes,
  accountIds: token.accountIds,
  expiresAt: toInstantOrNull(token.expiresAt),
  lastUsedAt: toInstantOrNull(token.lastUsedAt),
  ...presentStamps(token),
})

export const presentCreated = (
  created: AccessToken & { token: string },
): z.infer<typeof CreatedAccessTokenResponse> => ({
  ...presentToken(created),
  token: created.token,
})

export const presentTokens = ({
  rows,
  count,
  nextCursor,
}: Listed<AccessToken>): z.infer<typeof ListAccessTokensResponse> => ({
  tokens: rows.map(presentToken),
  count,
  nextCursor,
})

/** The catalogue is code; only what of it the caller may pass on differs. */
export const presentScopes = (_: unknown, ctx: SignedIn): z.infer<typeof ListScopesResponse> => {
  const { permissions } = profileOf(ctx)
  return {
    scopes: SCOPES.map((key) => ({ key, ...meaningOf(key), held: isHeld(key, permissions) })),
    count: SCOPES.length,
  }
}

function meaningOf(scope: Scope): { description: string; area: string } {
  if (scope === 'read') {
    return { description: 'See everything that is the own user’s', area: 'All' }
  }
  const { description, area } = PERMISSIONS[scope]
  return { description, area }
}
