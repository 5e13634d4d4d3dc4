import { z } from '@hono/zod-openapi'
import { isTimeZone } from '../../../domain/calendar.ts'
import { PERMISSION_KEYS } from '../../../domain/permissions.ts'
import { SCOPES } from '../../../domain/scopes.ts'
import {
  currency,
  currencyInput,
  emailInput,
  id,
  instant,
  nameInput,
  textField,
  presentStamps,
  stamps,
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import {
  type Profile,
  profileOf,
  type SignedIn,
  type TokenFacts,
} from '../../../platform/context.ts'
import { ACCESS_TOKEN_SECONDS } from '../../../platform/secrets/tokens.ts'
import { type Challenge, SESSION_IDLE_SECONDS, type SignIn } from './auth.usecases.ts'
import { LEAST_LENGTH, LEAST_LENGTH_WITH_MFA, MOST_LENGTH } from './auth.rules.ts'
import type { Policy } from './auth.queries.ts'

export const email = emailInput('The e-mail address.')

export const password = z.string().max(1024).openapi({
  description:
    'The password. A new one must have 15 to 128 characters, or at least 8 if a second factor is on.',
  example: 'long enough to be only mine',
})

/** The fields that users state about themselves, and change later. */
export const profileFields = {
  name: nameInput(100, 'Name by which to address the user.', 'Ada'),
  baseCurrency: currencyInput('Base currency of the user.'),
  locale: z
    .string()
    .max(35)
    .refine(isLocale, must('must be a BCP 47 language tag, such as en-IE'))
    .openapi({ description: 'BCP 47 language tag.', example: 'en-IE' }),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, must('must be an IANA time zone, such as Europe/Dublin'))
    .openapi({
      description: 'IANA time zone, which decides the current date of the user.',
      example: 'Europe/Dublin',
    }),
}

export const RegisterRequest = z
  .strictObject({
    email,
    password,
    name: profileFields.name,
    inviteCode: z.string().min(1).max(100).optional().openapi({
      description: 'The `code` of POST /invite-code. Required when registration is by invitation.',
      example: 'inc_…',
    }),
    baseCurrency: profileFields.baseCurrency.default('EUR'),
    locale: profileFields.locale.default('en'),
    timeZone: profileFields.timeZone.default('UTC'),
  })
  .openapi('RegisterRequest')

export const LoginRequest = z.strictObject({ email, password }).openapi('LoginRequest')

export const RefreshTokenRequest = z
  .strictObject({
    refreshToken: z.string().min(1).max(200).openapi({
      description: 'The latest refresh token, which was not used before.',
      example: 'rft_…',
    }),
  })
  .openapi('RefreshTokenRequest')

export const UserResponse = z
  .object({
    id: id('usr', 'Id of the user.'),
    email: textField('The e-mail address.', 'ada@example.com'),
    name: textField('Name by which to address the user.', 'Ada'),
    baseCurrency: currency('Base currency of the user.'),
    locale: textField('BCP 47 language tag.', 'en-IE'),
    timeZone: textField('IANA time zone.', 'Europe/Dublin'),
    roles: z
      .array(
        z.object({
          id: id('rol', 'Id of the role.'),
          name: textField('Name of the role.', 'user'),
        }),
      )
      .openapi({ description: 'Roles of the user.' }),
    permissions: z.array(z.enum(PERMISSION_KEYS)).openapi({
      description: 'All permissions that the roles grant.',
      example: ['accounts.read'],
    }),
    emailVerified: booleanField('Whether the address is confirmed.', false),
    mfaEnabled: booleanField('Whether a second factor is on.', false),
    ...stamps,
  })
  .openapi('UserResponse')

export const MeResponse = UserResponse.extend({
  token: z
    .object({
      id: id('tok', 'Id of the personal access token.'),
      name: textField('Name that tells what the token is for.', 'Spreadsheet'),
      scopes: z.array(z.enum(SCOPES)).openapi({
        description: 'Scopes of the token. It can never do more than its owner.',
        example: ['read'],
      }),
      accountIds: z.array(z.string()).nullable().openapi({
        description:
          'Accounts that the token is restricted to; null for all accounts that its owner sees.',
        example: null,
      }),
      expiresAt: instant(
        'Time at which the token expires; null if it works until it is revoked.',
      ).nullable(),
    })
    .nullable()
    .openapi({
      description: 'The personal access token of this request; null for a signed-in user.',
    }),
}).openapi('MeResponse')

export const TokenResponse = z
  .object({
    accessToken: textField('Send it as `Authorization: Bearer …`.', 'eyJhbGciOiJFZERTQSIs…'),
    tokenType: z
      .literal('Bearer')
      .openapi({ description: 'Type of the access token.', example: 'Bearer' }),
    expiresIn: integerField('Number of seconds for which the access token is valid.', 900),
    refreshToken: textField('Token for one call of POST /auth/refresh-token.', 'rft_…'),
    refreshExpiresIn: integerField(
      'Number of seconds for which the refresh token is valid if it is not used.',
      2592000,
    ),
    user: UserResponse,
  })
  .openapi('TokenResponse')

export const MfaChallengeResponse = z
  .object({
    mfaRequired: z.literal(true).openapi({
      description: 'The first step succeeded, and a second factor is required.',
      example: true,
    }),
    mfaToken: textField(
      'Send it with a code to POST /auth/v2/login/mfa. It allows five attempts within five minutes.',
      'mft_…',
    ),
    methods: z.array(z.enum(['totp', 'recoveryCode'])).openapi({
      description: 'Accepted kinds of codes.',
      example: ['totp', 'recoveryCode'],
    }),
  })
  .openapi('MfaChallengeResponse')

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

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

export const JwkSetResponse = z
  .object({
    keys: z
      .array(
        z.object({
          kty: z.literal('OKP').openapi({ description: 'Octet key pair.', example: 'OKP' }),
          crv: z.literal('Ed25519').openapi({ description: 'The curve.', example: 'Ed25519' }),
          x: textField('The public key, base64url.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
          kid: textField('The `kid` in the header of the tokens that it verifies.', 'q8Yx0dTn'),
          alg: z.literal('EdDSA').openapi({ description: 'The algorithm.', example: 'EdDSA' }),
          use: z
            .literal('sig')
            .openapi({ description: 'The key is used for signatures only.', example: 'sig' }),
        }),
      )
      .openapi({ description: 'The first key signs new tokens; all keys verify tokens.' }),
  })
  .openapi('JwkSetResponse')

export const RegistrationPolicyResponse = z
  .object({
    mode: z.enum(['open', 'invite', 'closed']).openapi({
      description:
        'Who may register: everybody (`open`), holders of any invite code (`invite`), or only holders of a code from an administrator (`closed`).',
      example: 'invite',
    }),
    password: z
      .object({
        minLength: integerField('Minimum number of characters.', 15),
        minLengthWithMfa: integerField(
          'Minimum number of characters for a user whose second factor is on.',
          8,
        ),
        maxLength: integerField('Maximum number of characters.', 128),
      })
      .openapi({
        description:
          'Limits of the length. Passwords that are easy to guess or contain personal data are refused as well.',
      }),
    identityProviders: booleanField(
      'Whether users can sign in with identity providers. GET /auth/provider finds those for an address.',
      false,
    ),
  })
  .openapi('RegistrationPolicyResponse')

export const presentPolicy = ({
  mode,
  hasProviders,
}: Policy): z.infer<typeof RegistrationPolicyResponse> => ({
  mode,
  password: {
    minLength: LEAST_LENGTH,
    minLengthWithMfa: LEAST_LENGTH_WITH_MFA,
    maxLength: MOST_LENGTH,
  },
  identityProviders: hasProviders === 1,
})
