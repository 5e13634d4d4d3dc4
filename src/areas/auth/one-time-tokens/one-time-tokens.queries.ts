import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import { oneTimeTokens } from '../../../../drizzle/schema/auth.ts'
import type { Context } from '../../../platform/context.ts'
import { mustHaveChangedOne } from '../../../platform/guards.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../platform/session.ts'
import { db, type Statement } from '../../../platform/statements.ts'

export type Purpose = (typeof oneTimeTokens.$inferSelect)['purpose']

export interface HolderRow extends ProfileRow {
  /** JSON; null where nobody but the user was shown the token. */
  permitted: string | null
}

/** Whom a token that still works belongs to, while that user is enabled. */
export const holderOfToken = (ctx: Context, purpose: Purpose, tokenHash: string) =>
  db.all<HolderRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, t.permitted FROM one_time_tokens t JOIN users u ON u.id = t.user_id
      WHERE t.token_hash = ${tokenHash} AND t.purpose = ${purpose} AND t.expires_at > ${ctx.now}
        AND u.status = 'active'`,
  )

/** Also throws away what has expired, so that the table does not grow. */
export const insertOneTimeToken = (
  ctx: Context,
  token: {
    tokenHash: string
    purpose: Purpose
    userId: string | SQL | null
    email?: string
    permitted?: string
    lifeMs: number
  },
): Statement[] => {
  const { lifeMs, ...columns } = token
  return [
    db.delete(oneTimeTokens).where(lte(oneTimeTokens.expiresAt, ctx.now)),
    db
      .insert(oneTimeTokens)
      .values({ ...columns, createdAt: ctx.now, expiresAt: ctx.now + lifeMs }),
  ]
}

/** Uses a token up, with all others of its user and purpose; of parallel uses one wins, the others break `gone`. */
export const redeemOneTimeToken = (
  ctx: Context,
  { tokenHash, purpose, userId }: { tokenHash: string; purpose: Purpose; userId: string },
): Statement[] => [
  db
    .delete(oneTimeTokens)
    .where(
      and(
        eq(oneTimeTokens.tokenHash, tokenHash),
        eq(oneTimeTokens.purpose, purpose),
        gt(oneTimeTokens.expiresAt, ctx.now),
      ),
    ),
  mustHaveChangedOne('gone'),
  forgetTokensOf(userId, purpose),
]

/** Of every purpose: what was mailed to an address that is the user's no more. */
export const forgetAllTokensOf = (userId: string): Statement =>
  db.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId))

export const forgetTokensOf = (userId: string, purpose: Purpose): Statement =>
  db
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.purpose, purpose)))
