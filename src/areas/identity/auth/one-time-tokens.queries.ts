import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import { oneTimeTokens } from '../../../../drizzle/schema/auth.ts'
import {
  isPowerOverOthers,
  type Permission,
  PERMISSION_KEYS,
  systemRolesHolding,
} from '../../../domain/permissions.ts'
import type { Context } from '../../../platform/context.ts'
import { requireChangedOne } from '../../../platform/database/premises.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../platform/database/session.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { invalidOneTimeToken } from './auth.errors.ts'
import { livingTokens } from './sessions/sessions.queries.ts'

export type Purpose = (typeof oneTimeTokens.$inferSelect)['purpose']

/** Says of a token that was shown to an administrator: to whom, and what its user was permitted then. */
export interface Showing {
  shownTo: string
  permissions: Permission[]
}

export interface HolderRow extends ProfileRow {
  /** JSON of a `Showing`; null where nobody but the user was shown the token. */
  permitted: string | null
  /** The number of their valid personal access tokens. */
  tokens: number
}

/** JSON of what somebody must be permitted to administer others, with all that could be asked for beside it. */
const POWER = JSON.stringify(
  PERMISSION_KEYS.filter(isPowerOverOthers).map((key) => ({
    key,
    systemRoles: systemRolesHolding(key),
  })),
)

const ADMINISTERS_USERS: Permission = 'users.write'

/** True if a user has the permission that a row `wanted` of `POWER` names. */
const isHeldBy = (userId: SQL) =>
  sql`EXISTS (SELECT 1 FROM user_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = ${userId}
    AND (r.system IN (SELECT s.value FROM json_each(wanted.value, '$.systemRoles') s)
      OR EXISTS (SELECT 1 FROM role_permissions p WHERE p.role_id = r.id AND p.permission = wanted.value ->> 'key')))`

/**
 * True if the user who was shown a row of `one_time_tokens` could still make it: enabled, permitted to administer
 * users, and with all permissions of its user. A token that nobody was shown has no such condition.
 */
const IS_STILL_FOR_SHOWN = sql`(one_time_tokens.permitted IS NULL OR EXISTS (SELECT 1 FROM users shown
  WHERE shown.id = one_time_tokens.permitted ->> 'shownTo' AND shown.status = 'active'
    AND NOT EXISTS (SELECT 1 FROM json_each(${POWER}) wanted
      WHERE (wanted.value ->> 'key' = ${ADMINISTERS_USERS} OR ${isHeldBy(sql`one_time_tokens.user_id`)})
        AND NOT ${isHeldBy(sql`shown.id`)})))`

/** Finds the user of a valid token, while that user is enabled. */
export const holderOfToken = (ctx: Context, purpose: Purpose, tokenHash: string) =>
  db.all<HolderRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, one_time_tokens.permitted,
        ${livingTokens(ctx, sql`one_time_tokens.user_id`)} AS tokens
      FROM one_time_tokens JOIN users u ON u.id = one_time_tokens.user_id
      WHERE one_time_tokens.token_hash = ${tokenHash} AND one_time_tokens.purpose = ${purpose}
        AND one_time_tokens.expires_at > ${ctx.now} AND u.status = 'active' AND ${IS_STILL_FOR_SHOWN}`,
  )

/** Also throws away what has expired, so that the table does not grow. */
export const insertOneTimeToken = (
  ctx: Context,
  token: {
    tokenHash: string
    purpose: Purpose
    userId: string | SQL | null
    email?: string
    /** JSON of a `Showing`. */
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

/** Uses a token up, with all others of its user and purpose. Of parallel uses one wins, and the others are refused. */
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
        IS_STILL_FOR_SHOWN,
      ),
    ),
  requireChangedOne(invalidOneTimeToken),
  forgetTokensOf(userId, purpose),
]

/** Deletes the tokens of every purpose, because they were mailed to an address that is no longer the user's. */
export const forgetAllTokensOf = (userId: string): Statement =>
  db.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId))

export const forgetTokensOf = (userId: string, purpose: Purpose): Statement =>
  db
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.purpose, purpose)))
