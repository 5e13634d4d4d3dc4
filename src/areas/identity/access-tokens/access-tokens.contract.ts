import { z } from '@hono/zod-openapi'
import { PERMISSIONS } from '../../../domain/permissions.ts'
import { type Scope, SCOPES } from '../../../domain/scopes.ts'
import {
  count,
  id,
  idInput,
  instant,
  instantInput,
  textField,
  presentStamps,
  stamps,
  text,
  toInstantOrNull,
  booleanField,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { mfaCode, ownPassword } from '../auth/auth.public.ts'
import { isHeld } from './access-tokens.rules.ts'
import type { AccessToken } from './access-tokens.usecases.ts'

export const ListAccessTokensQuery = z.strictObject(pageQuery())

const scopes = z
  .array(z.enum(SCOPES, 'must be one of the scopes that GET /auth/scope lists'))
  .min(1)
  .max(SCOPES.length)
  .openapi({
    description:
      'Scopes of the token: permissions that its owner holds, or `read` for everything that the owner sees.',
    example: ['read', 'transactions.write'],
  })

const accountIds = z
  .array(idInput('acc', 'Id of an account.'))
  .min(1)
  .max(100)
  .openapi({
    description:
      'Accounts that the token is restricted to; by default all accounts that its owner sees.',
    example: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'],
  })

const name = text(1, 100, 'Name that tells what the token is for.', 'Spreadsheet')
const expiresAt = instantInput(
  'Time at which the token expires; by default it works until it is revoked.',
)

export const CreateAccessTokenRequest = z
  .strictObject({
    name,
    scopes,
    accountIds: accountIds.optional(),
    expiresAt: expiresAt.optional(),
    password: ownPassword.optional().openapi({
      description:
        'The caller’s password. Either this or `code` is required if the sign-in is older than 10 minutes.',
    }),
    code: mfaCode.optional(),
  })
  .refine(
    ({ password, code }) => password === undefined || code === undefined,
    must('must not have both password and code. Send only one of them', 'combination'),
  )
  .openapi('CreateAccessTokenRequest')

export const UpdateAccessTokenRequest = z
  .strictObject({
    name: name.optional(),
    scopes: scopes.optional(),
    accountIds: accountIds.optional(),
    expiresAt: expiresAt.optional(),
  })
  .openapi('UpdateAccessTokenRequest')

export const AccessTokenResponse = z
  .object({
    id: id('tok', 'Id of the token.'),
    name: textField('Name that tells what the token is for.', 'Spreadsheet'),
    tokenPrefix: textField('Part of the token, to tell tokens apart.', 'pat_…_7Zk2'),
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
    lastUsedAt: instant(
      'Time of the last use, accurate to ten minutes; null if it was never used.',
    ).nullable(),
    ...stamps,
  })
  .openapi('AccessTokenResponse')

export const CreatedAccessTokenResponse = AccessTokenResponse.extend({
  token: textField(
    'The token, which is shown only once. Send it as `Authorization: Bearer …`.',
    'pat_01k9v3q8m5t0w2x4y6z8a1b3c5_…',
  ),
}).openapi('CreatedAccessTokenResponse')

export const AccessTokensResponse = pageResponse(
  'tokens',
  AccessTokenResponse,
  'One page of the list, newest first.',
).openapi('AccessTokensResponse')

const ScopeResponse = z
  .object({
    key: z.enum(SCOPES).openapi({ description: 'The scope.', example: 'transactions.read' }),
    description: textField('What it permits.', 'See transactions'),
    area: textField('Area of the service that it belongs to.', 'Transactions'),
    held: booleanField(
      'Whether the caller can grant this scope. Users can grant only permissions that they hold.',
      true,
    ),
  })
  .openapi('ScopeResponse')

export const ScopesResponse = z
  .object({
    scopes: z.array(ScopeResponse).openapi({
      description: 'All scopes that a token can have, with the shorthand `read` first.',
    }),
    count,
  })
  .openapi('ScopesResponse')

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

export const presentTokens = presentPage('tokens', presentToken)

/** The catalogue is code; only what of it the caller may pass on differs. */
export const presentScopes = (_: unknown, ctx: SignedIn): z.infer<typeof ScopesResponse> => {
  const { permissions } = profileOf(ctx)
  return {
    scopes: SCOPES.map((key) => ({ key, ...meaningOf(key), held: isHeld(key, permissions) })),
    count: SCOPES.length,
  }
}

function meaningOf(scope: Scope): { description: string; area: string } {
  if (scope === 'read') {
    return { description: 'See all data of the owner of the token', area: 'All' }
  }
  const { description, area } = PERMISSIONS[scope]
  return { description, area }
}
