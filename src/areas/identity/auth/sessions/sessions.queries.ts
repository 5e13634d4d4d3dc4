import { and, desc, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { personalAccessTokens } from '../../../../../drizzle/schema/auth.ts'
import { sessions } from '../../../../../drizzle/schema/system.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne } from '../../../../platform/database/premises.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { authErrors } from '../auth.errors.ts'
import { forgetChallengesOf } from '../mfa/mfa.queries.ts'

export type SessionRow = typeof sessions.$inferSelect

const isLive = (ctx: Context, userId: string) =>
  and(
    eq(sessions.userId, userId),
    isNull(sessions.revokedAt),
    gt(sessions.idleExpiresAt, ctx.now),
    gt(sessions.absoluteExpiresAt, ctx.now),
  )

/** Last used first; one row more than the page, which tells whether there is a next one. */
export function pageOfSessions(ctx: SignedIn, page: PageRequest) {
  const [lastUsedAt, id] = page.after ?? []
  const follows =
    lastUsedAt === undefined
      ? undefined
      : sql`(${sessions.lastUsedAt}, ${sessions.id}) < (CAST(${lastUsedAt} AS INTEGER), ${id})`
  return db
    .select()
    .from(sessions)
    .where(and(isLive(ctx, ctx.caller.userId), follows))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .limit(page.limit + 1)
}

export const countOfSessions = (ctx: SignedIn) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(sessions)
    .where(isLive(ctx, ctx.caller.userId))

/** Refuses when it is no live session of the caller. */
export const endOwnSession = (ctx: SignedIn, id: string): Statement[] => [
  db
    .update(sessions)
    .set({ revokedAt: ctx.now })
    .where(and(isLive(ctx, ctx.caller.userId), eq(sessions.id, id))),
  requireChangedOne(authErrors.unknownSession),
]

/** @param but the session that stays, if one does */
const endSessionsOf = (ctx: Context, userId: string, but?: string): Statement =>
  db
    .update(sessions)
    .set({ revokedAt: ctx.now })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        but === undefined ? undefined : ne(sessions.id, but),
      ),
    )

/** Sessions, and sign-ins that wait for their second factor. @param but as of `endSessionsOf` */
export const endSignInsOf = (ctx: Context, userId: string, but?: string): Statement[] => [
  endSessionsOf(ctx, userId, but),
  forgetChallengesOf(userId),
]

/** The number of valid personal access tokens of a user. */
export const livingTokens = (ctx: Context, userId: string | SQL): SQL<number> =>
  sql<number>`(SELECT count(*) FROM personal_access_tokens pat WHERE pat.user_id = ${userId}
    AND (pat.expires_at IS NULL OR pat.expires_at > ${ctx.now}))`

export const countOfLivingTokens = (ctx: SignedIn) =>
  db.all<{ count: number }>(sql`SELECT ${livingTokens(ctx, ctx.caller.userId)} AS count`)

/**
 * Deletes all personal access tokens of a user. Somebody who took the account over may have made some that outlive
 * its password and its sessions.
 */
export const deletePersonalTokensOf = (userId: string): Statement =>
  db.delete(personalAccessTokens).where(eq(personalAccessTokens.userId, userId))
