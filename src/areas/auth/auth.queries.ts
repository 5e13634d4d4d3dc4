import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import { inviteCodes, refreshTokens } from '../../../drizzle/schema/auth.ts'
import { sessions, userRoles, users } from '../../../drizzle/schema/system.ts'
import type { SystemRole } from '../../domain/permissions.ts'
import { type Context, freshId } from '../../platform/context.ts'
import { mustHaveChangedOne, refuseWhen } from '../../platform/guards.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../platform/session.ts'
import { db, type Statement } from '../../platform/statements.ts'

/** A refresh token dies when it was not used for this long. */
export const IDLE_MS = 30 * 24 * 60 * 60 * 1000
/** A session dies after this long, however often it is used. */
const ABSOLUTE_MS = 90 * 24 * 60 * 60 * 1000

export interface LoginRow extends ProfileRow {
  password_hash: string | null
  password_changed_at: number | null
  status: 'active' | 'disabled' | 'deleted'
}

export const userToSignIn = (emailKey: string) =>
  db.all<LoginRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, u.password_hash, u.password_changed_at, u.status FROM users u WHERE u.email_key = ${emailKey}`,
  )

/** Breaks `gone` when, since it was read, the user was disabled or changed what it signs in with. */
export const stillAsRead = (
  user: Pick<LoginRow, 'user_id' | 'password_changed_at' | 'mfa_enabled_at'>,
): Statement =>
  refuseWhen(
    'gone',
    sql`NOT EXISTS (SELECT 1 FROM users WHERE id = ${user.user_id} AND status = 'active'
      AND password_changed_at IS ${user.password_changed_at} AND mfa_enabled_at IS ${user.mfa_enabled_at})`,
  )

export const userWithEmail = (emailKey: string) =>
  db.select({ id: users.id }).from(users).where(eq(users.emailKey, emailKey))

export interface RefreshRow extends ProfileRow {
  session_id: string
  spent_at: number | null
  /** 1 while the session lives and its user is enabled. */
  alive: number
}

export const tokenToRefresh = (ctx: Context, tokenHash: string) =>
  db.all<RefreshRow>(
    sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, t.session_id, t.spent_at,
      s.revoked_at IS NULL AND s.idle_expires_at > ${ctx.now} AND s.absolute_expires_at > ${ctx.now}
        AND u.status = 'active' AS alive
    FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
    WHERE t.token_hash = ${tokenHash}`,
  )

export interface RoleRow {
  id: string
  name: string
  system: SystemRole | null
  /** JSON: the permissions of a role that is not a system role. */
  stored: string
}

/** The role that everybody has, and the one that the invite grants where that is another. */
export const rolesOfNewUser = (codeHash: string | undefined) =>
  db.all<RoleRow>(
    sql`SELECT r.id, r.name, r.system, (
        SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = r.id) AS stored
      FROM roles r WHERE r.system = 'user'
        OR r.id = (SELECT role_id FROM invite_codes WHERE code_hash = ${codeHash ?? null})`,
  )

const isUsable = (ctx: Context, codeHash: string) =>
  and(
    eq(inviteCodes.codeHash, codeHash),
    lt(inviteCodes.uses, inviteCodes.maxUses),
    or(isNull(inviteCodes.expiresAt), gt(inviteCodes.expiresAt, ctx.now)),
  )

/** The invite if it can be used now. */
export const usableInvite = (ctx: Context, codeHash: string) =>
  db.select({ id: inviteCodes.id }).from(inviteCodes).where(isUsable(ctx, codeHash))

/** Parallel uses of the last one: one wins, the others break the guard `gone`. */
export const redeemInvite = (ctx: Context, codeHash: string): Statement[] => [
  db
    .update(inviteCodes)
    .set({ uses: sql`${inviteCodes.uses} + 1` })
    .where(isUsable(ctx, codeHash)),
  mustHaveChangedOne('gone'),
]

export const insertInvite = (invite: typeof inviteCodes.$inferInsert): Statement =>
  db.insert(inviteCodes).values(invite)

export const insertUser = (user: typeof users.$inferInsert): Statement =>
  db.insert(users).values(user)

export const grantRole = (userId: string, roleId: string): Statement =>
  db.insert(userRoles).values({ userId, roleId })

export const setPasswordHash = (userId: string, passwordHash: string): Statement =>
  db.update(users).set({ passwordHash }).where(eq(users.id, userId))

export function insertSession(
  ctx: Context,
  { userId, tokenHash }: { userId: string; tokenHash: string },
): { id: string; statements: Statement[] } {
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
  return { id, statements: [session, insertRefreshToken(ctx, id, tokenHash)] }
}

const insertRefreshToken = (ctx: Context, sessionId: string, tokenHash: string): Statement =>
  db.insert(refreshTokens).values({ tokenHash, sessionId, issuedAt: ctx.now })

/** Spends one token and issues the next; of parallel uses one wins, the others break `gone`. */
export const rotateToken = (
  ctx: Context,
  { sessionId, spent, issued }: { sessionId: string; spent: string; issued: string },
): Statement[] => [
  db
    .update(refreshTokens)
    .set({ spentAt: ctx.now })
    .where(and(eq(refreshTokens.tokenHash, spent), isNull(refreshTokens.spentAt))),
  mustHaveChangedOne('gone'),
  db
    .update(sessions)
    .set({ lastUsedAt: ctx.now, idleExpiresAt: ctx.now + IDLE_MS })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt))),
  mustHaveChangedOne('session'),
  insertRefreshToken(ctx, sessionId, issued),
]

/** Also right when it is revoked already. */
export const revokeSession = (ctx: Context, sessionId: string): Statement =>
  db
    .update(sessions)
    .set({ revokedAt: ctx.now })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
