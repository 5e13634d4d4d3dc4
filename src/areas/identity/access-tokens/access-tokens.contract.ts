import { z } from '@hono/zod-openapi'
import { PERMISSIONS, type Scope, SCOPES } from '../../../domain/permissions.ts'
import {
  count,
  id,
  idInput,
  instant,
  instantInput,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  text,
  toInstantOrNull,
  booleanField,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { mfaCode, ownPassword } from '../auth/auth.public.ts'
import { isHeld } from './access-tokens.rules.ts'
import type { AccessToken } from './access-tokens.usecases.ts'

export const ListAccessTokensQuery = z.strictObject(pageQuery())

const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .openapi({
    description:
      'What the token may do: permissions that its owner holds, or `read` for all that the owner sees.',
    example: ['read', 'transactions.write'],
  })

const accountIds = z
  .array(idInput('acc', 'Id of an account.'))
  .min(1)
  .max(100)
  .openapi({
    description:
      'The accounts that the token is restricted to; without it, all that its owner sees.',
    example: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'],
  })

const name = text(1, 100, 'What the token is for.', 'Spreadsheet')
const expiresAt = instantInput('When the token stops working; without it, when it is revoked.')

export const CreateAccessTokenRequest = z
  .strictObject({
    name,
    scopes,
    accountIds: accountIds.optional(),
    expiresAt: expiresAt.optional(),
    password: ownPassword.optional().openapi({
      description: 'The own password; this or `code` once the sign-in is older than 10 minutes.',
    }),
    code: mfaCode.optional(),
  })
  .refine(
    ({ password, code }) => password === undefined || code === undefined,
    must('must not have both password and code', 'combination'),
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
    name: textField('What the token is for.', 'Spreadsheet'),
    tokenPrefix: textField('A part of the token, to tell tokens apart by.', 'pat_…_7Zk2'),
    scopes: z
      .array(z.enum(SCOPES))
      .openapi({ description: 'What it may do, as far as its owner may.', example: ['read'] }),
    accountIds: z.array(z.string()).nullable().openapi({
      description: 'The accounts that it is restricted to; null for all that its owner sees.',
      example: null,
    }),
    expiresAt: instant('When it stops working; null when only revoking it ends it.').nullable(),
    lastUsedAt: instant('When it was last used, to ten minutes; null when never.').nullable(),
    ...stamps,
  })
  .openapi('AccessTokenResponse')

export const CreatedAccessTokenResponse = AccessTokenResponse.extend({
  token: textField(
    'The token, shown this once. Send it as `Authorization: Bearer …`.',
    'pat_01k9v3q8m5t0w2x4y6z8a1b3c5_…',
  ),
}).openapi('CreatedAccessTokenResponse')

export const ListAccessTokensResponse = z
  .object({
    tokens: z.array(AccessTokenResponse).openapi({ description: 'One page, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListAccessTokensResponse')

const ScopeResponse = z
  .object({
    key: z.enum(SCOPES).openapi({ description: 'The scope.', example: 'transactions.read' }),
    description: textField('What it allows.', 'See transactions'),
    area: textField('The part of the service it belongs to.', 'Transactions'),
    held: booleanField(
      'Whether the caller may give it: only what one is permitted can be passed on.',
      true,
    ),
  })
  .openapi('ScopeResponse')

export const ListScopesResponse = z
  .object({
    scopes: z
      .array(ScopeResponse)
      .openapi({ description: 'Every scope that a token can have, the shorthand first.' }),
    count,
  })
  .openapi('ListScopesResponse')

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
