import type { Scope } from '../../../domain/scopes.ts'
import { type Context, freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { newPersonalToken } from '../../../platform/secrets/owned-tokens.ts'
import { requireAccess } from '../access/access.public.ts'
import { type Proof, prove } from '../auth/auth.public.ts'
import { accessTokenErrors } from './access-tokens.errors.ts'
import { accessTokenEvents } from './access-tokens.events.ts'
import {
  countOfTokens,
  deleteToken,
  insertToken,
  pageOfTokens,
  seenAccountsAmong,
  tokenById,
  type TokenRow,
  updateToken,
} from './access-tokens.queries.ts'
import { type Bounds, scopesInOrder, isHeld, whatWidens } from './access-tokens.rules.ts'

export interface AccessToken extends Omit<TokenRow, 'scopes' | 'accountIds'>, Bounds {}

export interface CreateTokenInput {
  name: string
  scopes: Scope[]
  accountIds?: string[] | undefined
  expiresAt?: number | undefined
}

export type UpdateTokenInput = {
  [Field in keyof CreateTokenInput]?: CreateTokenInput[Field] | undefined
}

/** One page of the caller's tokens, newest first. */
export async function listAccessTokens(
  ctx: SignedIn,
  page: PageRequest,
): Promise<Page<AccessToken>> {
  const [found, [total]] = await read(ctx, pageOfTokens(ctx, page), countOfTokens(ctx))
  const { rows, next } = cutPage(found, page, ({ id }) => [id])
  return { rows: rows.map(tokenFrom), next, count: total?.count ?? 0 }
}

export async function getAccessToken(ctx: SignedIn, id: string): Promise<AccessToken> {
  const [[row]] = await read(ctx, tokenById(ctx, id))
  if (!row) {
    throw accessTokenErrors.notFound()
  }
  return tokenFrom(row)
}

/**
 * Creates a token that its owner gives to a program; its text is known now and never again. It outlives the session, so
 * it takes more than that: a sign-in of just now, the password or a code.
 */
export async function createAccessToken(
  ctx: SignedIn,
  wanted: CreateTokenInput & Proof,
): Promise<AccessToken & { token: string }> {
  const accountIds = wanted.accountIds ? [...new Set(wanted.accountIds)] : null
  const bounds = {
    scopes: scopesInOrder(wanted.scopes),
    accountIds,
    expiresAt: wanted.expiresAt ?? null,
  }
  const { password, code } = wanted
  const proof = await prove(
    ctx,
    { password, code },
    {
      otherwise: 'freshSession',
      refused: accessTokenEvents.refused,
      also: seenAccountsAmong(ctx, accountIds ?? []),
      check: ({ also: accounts }) => {
        requireHeld(ctx, bounds.scopes)
        requireFuture(ctx, bounds)
        if (accountIds && accounts.length < accountIds.length) {
          throw unknownAccount()
        }
      },
    },
  )
  const { text, hash, prefix } = newPersonalToken(ctx, ctx.caller.userId)
  const token = {
    id: freshId(ctx, 'tok'),
    userId: ctx.caller.userId,
    name: wanted.name,
    tokenHash: hash,
    tokenPrefix: prefix,
    ...bounds,
    lastUsedAt: null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const notice = { template: 'accessTokenCreated', values: { at: ctx.now } } as const
  const mail = await mailTask(ctx, { ...notice, to: profileOf(ctx).email })
  return proof.orTakeBack(() =>
    commit(ctx, {
      changes: [
        withoutEvents(proof.writes),
        {
          statements: [
            ...(accountIds ? [requireAccess(ctx, 'view', accountIds, unknownAccount)] : []),
            ...insertToken(ctx, { ...token, ...stored(bounds) }),
          ],
          events: [
            accessTokenEvents.created({ id: token.id, version: 1 }, { after: contentOf(token) }),
          ],
        },
      ],
      tasks: [mail],
      result: { ...token, token: text },
    }),
  )
}

const unknownAccount = () => accessTokenErrors.unknownAccount({ field: 'accountIds' })

/** Renames a token, or narrows what it may do. */
export async function updateAccessToken(
  ctx: SignedIn,
  id: string,
  sent: UpdateTokenInput,
): Promise<AccessToken> {
  const token = await getAccessToken(ctx, id)
  requireVersion(ctx, token.version)
  const after = {
    ...token,
    name: sent.name ?? token.name,
    scopes: sent.scopes ? scopesInOrder(sent.scopes) : token.scopes,
    accountIds: sent.accountIds ? [...new Set(sent.accountIds)] : token.accountIds,
    expiresAt: sent.expiresAt ?? token.expiresAt,
    version: token.version + 1,
    updatedAt: ctx.now,
  }
  const field = whatWidens(token, after)
  if (field) {
    throw accessTokenErrors.wider({ field })
  }
  requireFuture(ctx, { expiresAt: sent.expiresAt ?? null })
  return commit(ctx, {
    changes: [
      {
        statements: updateToken(ctx, token, { name: after.name, ...stored(after) }),
        events: [
          accessTokenEvents.updated({ id, version: after.version }, { before: token, after }),
        ],
      },
    ],
    result: after,
  })
}

/** The token stops working at once. */
export async function deleteAccessToken(ctx: SignedIn, id: string): Promise<void> {
  const token = await getAccessToken(ctx, id)
  requireVersion(ctx, token.version)
  return commit(ctx, {
    changes: [
      {
        statements: deleteToken(ctx, token),
        events: [accessTokenEvents.revoked({ id }, { before: contentOf(token) })],
      },
    ],
    result: undefined,
  })
}

function requireHeld(ctx: SignedIn, scopes: Scope[]): void {
  const { permissions } = profileOf(ctx)
  if (!scopes.every((scope) => isHeld(scope, permissions))) {
    throw accessTokenErrors.notHeld({ field: 'scopes' })
  }
}

function requireFuture(ctx: Context, { expiresAt }: Pick<Bounds, 'expiresAt'>): void {
  if (expiresAt !== null && expiresAt <= ctx.now) {
    throw accessTokenErrors.past({ field: 'expiresAt' })
  }
}

const tokenFrom = (row: TokenRow): AccessToken => ({
  ...row,
  scopes: JSON.parse(row.scopes) as Scope[],
  accountIds: row.accountIds === null ? null : (JSON.parse(row.accountIds) as string[]),
})

/** Without the hash of its text. */
const contentOf = ({ name, scopes, accountIds, expiresAt }: AccessToken) => ({
  name,
  scopes,
  accountIds,
  expiresAt,
})

const stored = ({ scopes, accountIds, expiresAt }: Bounds) => ({
  scopes: JSON.stringify(scopes),
  accountIds: accountIds && JSON.stringify(accountIds),
  expiresAt,
})
