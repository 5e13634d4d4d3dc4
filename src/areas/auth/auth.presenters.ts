import type { z } from '@hono/zod-openapi'
import { presentStamps, toInstantOrNull } from '../../http/fields.ts'
import { type Profile, profileOf, type SignedIn, type TokenFacts } from '../../platform/context.ts'
import { ACCESS_TOKEN_SECONDS } from '../../platform/tokens.ts'
import type {
  MeResponse,
  MfaChallengeResponse,
  TokenResponse,
  UserResponse,
} from './auth.schemas.ts'
import { type Challenge, SESSION_IDLE_SECONDS, type SignIn } from './auth.usecases.ts'

export const presentUser = (user: Profile): z.infer<typeof UserResponse> => ({
  id: user.id,
  email: user.email,
  name: user.name,
  baseCurrency: user.baseCurrency,
  locale: user.locale,
  timeZone: user.timeZone,
  roles: user.roles.map(({ id, name }) => ({ id, name })),
  permissions: user.permissions,
  emailVerified: user.emailVerified,
  mfaEnabled: user.mfaEnabled,
  ...presentStamps(user),
})

const presentOwnToken = ({ id, name, scopes, accountIds, expiresAt }: TokenFacts) => ({
  id,
  name,
  scopes,
  accountIds,
  expiresAt: toInstantOrNull(expiresAt),
})

/** The permissions are those of the token that came with the request, if one did. */
export function presentMe(_: unknown, ctx: SignedIn): z.infer<typeof MeResponse> {
  const { token } = ctx.caller
  return {
    ...presentUser(profileOf(ctx)),
    token: token ? presentOwnToken(token) : null,
  }
}

export const presentSignIn = ({
  accessToken,
  refreshToken,
  user,
}: SignIn): z.infer<typeof TokenResponse> => ({
  accessToken,
  tokenType: 'Bearer',
  expiresIn: ACCESS_TOKEN_SECONDS,
  refreshToken,
  refreshExpiresIn: SESSION_IDLE_SECONDS,
  user: presentUser(user),
})

export const presentLogin = (
  result: SignIn | Challenge,
): z.infer<typeof TokenResponse> | z.infer<typeof MfaChallengeResponse> =>
  'mfaToken' in result
    ? { mfaRequired: true, mfaToken: result.mfaToken, methods: ['totp', 'recoveryCode'] }
    : presentSignIn(result)
