import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { personalAccessTokens } from '../../../../drizzle/schema/auth.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, nothing, type Statement } from '../../../platform/database/statements.ts'
import { visibleAccountIds } from '../access/access.public.ts'
import { accessTokenErrors } from './access-tokens.errors.ts'

const MOST_TOKENS = 100

export type TokenRow = typeof personalAccessTokens.$inferSelect

const isMine = (ctx: SignedIn) => eq(personalAccessTokens.userId, ctx.caller.userId)

/** Newest first; one row more than the page. A position is `[id]`. */
export const pageOfTokens = (ctx: SignedIn, { after, limit }: PageRequest) =>
  db
    .select()
    .from(personalAccessTokens)
    .where(and(isMine(ctx), after?.[0] ? lt(personalAccessTokens.id, after[0]) : undefined))
    .orderBy(desc(personalAccessTokens.id))
    .limit(limit + 1)

export const countOfTokens = (ctx: SignedIn) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(personalAccessTokens)
    .where(isMine(ctx))

export const tokenById = (ctx: SignedIn, id: string) =>
  db
    .select()
    .from(personalAccessTokens)
    .where(and(isMine(ctx), eq(personalAccessTokens.id, id)))

/** Refuses when the caller has as many as one may have. */
export const insertToken = (ctx: SignedIn, token: TokenRow): Statement[] => [
  refuseIf(
    sql`(SELECT count(*) FROM personal_access_tokens WHERE user_id = ${ctx.caller.userId})
      >= CAST(${MOST_TOKENS} AS INTEGER)`,
    accessTokenErrors.tooMany,
  ),
  db.insert(personalAccessTokens).values(token),
]

export const updateToken = (
  ctx: SignedIn,
  { id, version }: { id: string; version: number },
  changed: Pick<TokenRow, 'name' | 'scopes' | 'accountIds' | 'expiresAt'>,
): Statement[] => [
  db
    .update(personalAccessTokens)
    .set({ ...changed, version: sql`${personalAccessTokens.version} + 1`, updatedAt: ctx.now })
    .where(
      and(isMine(ctx), eq(personalAccessTokens.id, id), eq(personalAccessTokens.version, version)),
    ),
  requireChangedOne(changedMeanwhile),
]

export const deleteToken = (
  ctx: SignedIn,
  { id, version }: { id: string; version: number },
): Statement[] => [
  db
    .delete(personalAccessTokens)
    .where(
      and(isMine(ctx), eq(personalAccessTokens.id, id), eq(personalAccessTokens.version, version)),
    ),
  requireChangedOne(changedMeanwhile),
]

/** Finds the accounts among these that the caller sees. */
export const seenAccountsAmong = (ctx: SignedIn, ids: string[]): Statement<{ id: string }[]> =>
  ids.length === 0
    ? nothing()
    : db.all(sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})
        WHERE value IN (${visibleAccountIds(ctx)})`)
