import { and, eq, isNull, sql } from 'drizzle-orm'
import { refreshTokens } from '../../../../drizzle/schema/auth.ts'
import { sessions, users } from '../../../../drizzle/schema/system.ts'
import { foldKey } from '../../../domain/text.ts'
import { type Context, freshId } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../platform/database/session.ts'
import { among, db, type Statement } from '../../../platform/database/statements.ts'
import { type Address, addressColumns, hasAddress } from '../addresses/addresses.public.ts'
import { settingOf, type SettingValues } from '../settings/settings.public.ts'
import { authErrors } from './auth.errors.ts'

/** A refresh token dies when it was not used for this long. */
export const IDLE_MS = 30 * 24 * 60 * 60 * 1000
/** A session dies after this long, however often it is used. */
const ABSOLUTE_MS = 90 * 24 * 60 * 60 * 1000

export interface LoginRow extends ProfileRow {
  password_hash: string | null
  password_changed_at: number | null
  status: 'active' | 'disabled' | 'deleted'
}

export const userToSignIn = (email: string) =>
  db.all<LoginRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, u.password_hash, u.password_changed_at, u.status FROM users u WHERE ${hasAddress('u', email)}`,
  )

/** Refuses when the user was disabled, or changed what they sign in with, since they were read. */
export const stillAsRead = (
  user: Pick<LoginRow, 'user_id' | 'password_changed_at' | 'mfa_enabled_at'>,
  changedSince: Refusal,
): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users WHERE id = ${user.user_id} AND status = 'active'
      AND password_changed_at IS ${user.password_changed_at} AND mfa_enabled_at IS ${user.mfa_enabled_at})`,
    changedSince,
  )

export const userWithEmail = (email: string) =>
  db
    .select({ email: users.email, status: users.status })
    .from(users)
    .where(hasAddress('users', email))

export interface RefreshRow extends ProfileRow {
  session_id: string
  spent_at: number | null
  /** 1 while the session lives and its user is enabled. */
  alive: number
}

/**
 * The session that a refresh token is of.
 * @param userId whom the token names; tokens that were issued before 2026-12 name nobody
 */
export const tokenToRefresh = (ctx: Context, tokenHash: string, userId: string) =>
  db.all<RefreshRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, t.session_id, t.spent_at,
      s.revoked_at IS NULL AND s.idle_expires_at > ${ctx.now} AND s.absolute_expires_at > ${ctx.now}
        AND u.status = 'active' AS alive
    FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
    WHERE t.token_hash = ${tokenHash} AND s.user_id = ${userId}`,
  )

export const insertUser = (
  user: Omit<typeof users.$inferInsert, 'nameKey' | keyof Address> & Pick<Address, 'email'>,
): Statement =>
  db.insert(users).values({ ...user, ...addressColumns(user.email), nameKey: foldKey(user.name) })

/** Refuses when the user was changed since it was read. */
export const updateUserRow = (
  ctx: Context,
  { id, version }: { id: string; version: number },
  changed: Partial<typeof users.$inferInsert>,
): Statement[] => [
  db
    .update(users)
    .set({ ...changed, version: sql`${users.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(users.id, id), eq(users.version, version))),
  requireChangedOne(changedMeanwhile),
]

/** Roles that the user has already stay. */
export const grantRoles = (userId: string, roleIds: string[]): Statement =>
  db.run(sql`INSERT INTO user_roles (user_id, role_id) SELECT ${userId}, value
    FROM json_each(${JSON.stringify(roleIds)}) WHERE TRUE ON CONFLICT DO NOTHING`)

export const revokeRolesBut = (userId: string, roleIds: string[]): Statement =>
  db.run(sql`DELETE FROM user_roles WHERE user_id = ${userId} AND role_id NOT IN ${among(roleIds)}`)

export const setPasswordHash = (userId: string, passwordHash: string): Statement =>
  db.update(users).set({ passwordHash }).where(eq(users.id, userId))

export function insertSession(
  ctx: Context,
  { userId, tokenHash }: { userId: string; tokenHash: string },
): { id: string; writes: Statement[] } {
  const id = freshId(ctx, 'ses')
  const session = db.insert(sessions).values({
    id,
    userId,
    createdAt: ctx.now,
    lastUsedAt: ctx.now,
    idleExpiresAt: ctx.now + IDLE_MS,
    absoluteExpiresAt: ctx.now + ABSOLUTE_MS,
    ip: ctx.client.ip,
    userAgent: ctx.client.userAgent,
  })
  return { id, writes: [session, insertRefreshToken(ctx, id, tokenHash)] }
}

const insertRefreshToken = (ctx: Context, sessionId: string, tokenHash: string): Statement =>
  db.insert(refreshTokens).values({ tokenHash, sessionId, issuedAt: ctx.now })

/** Spends one token and issues the next. Of parallel uses one wins, and the others are refused. */
export const rotateToken = (
  ctx: Context,
  { sessionId, spent, issued }: { sessionId: string; spent: string; issued: string },
): Statement[] => [
  db
    .update(refreshTokens)
    .set({ spentAt: ctx.now })
    .where(and(eq(refreshTokens.tokenHash, spent), isNull(refreshTokens.spentAt))),
  requireChangedOne(authErrors.invalidRefreshToken),
  db
    .update(sessions)
    .set({ lastUsedAt: ctx.now, idleExpiresAt: ctx.now + IDLE_MS })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt))),
  requireChangedOne(authErrors.invalidRefreshToken),
  insertRefreshToken(ctx, sessionId, issued),
]

/** Also right when it is revoked already. */
export const revokeSession = (ctx: Context, sessionId: string): Statement =>
  db
    .update(sessions)
    .set({ revokedAt: ctx.now })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))

export interface Policy {
  mode: SettingValues['registration']
  /** 1 where an identity provider is switched on. */
  hasProviders: number
}

export const policyInForce = (ctx: Context) =>
  db.all<Policy>(sql`SELECT ${settingOf(ctx, 'registration')} AS mode,
    EXISTS (SELECT 1 FROM identity_providers WHERE enabled = 1) AS hasProviders`)
