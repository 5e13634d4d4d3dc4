import { type SQL, sql } from 'drizzle-orm'
import { inviteCodes, inviteRedemptions } from '../../../../drizzle/schema/auth.ts'
import {
  type Permission,
  PERMISSION_KEYS,
  type SystemRole,
  systemRolesHolding,
} from '../../../domain/permissions.ts'
import type { Context } from '../../../platform/context.ts'
import { requireChangedOne } from '../../../platform/database/premises.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { settingOf } from '../settings/settings.public.ts'
import { authErrors } from './auth.errors.ts'

export interface RegistrationRole {
  id: string
  name: string
  system: SystemRole | null
  /** JSON: the permissions of a role that is not a system role. */
  stored: string
}

/** The role that everybody has, and the one that the invite grants where that is another. */
export const rolesOfNewUser = (codeHash: string | undefined) =>
  db.all<RegistrationRole>(
    sql`SELECT r.id, r.name, r.system, (
        SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = r.id) AS stored
      FROM roles r WHERE r.system = 'user'
        OR r.id = (SELECT role_id FROM invite_codes WHERE code_hash = ${codeHash ?? null})`,
  )

export type InviteState = 'active' | 'used' | 'expired' | 'revoked'

/** The state of a row of `invite_codes`; an active one may still not be usable, see `isUsable`. */
export const inviteState = (ctx: Context): SQL<InviteState> =>
  sql`CASE WHEN invite_codes.revoked_at IS NOT NULL THEN 'revoked'
    WHEN invite_codes.uses >= invite_codes.max_uses THEN 'used'
    WHEN invite_codes.expires_at <= ${ctx.now} THEN 'expired'
    ELSE 'active' END`

const CATALOGUE = JSON.stringify(
  PERMISSION_KEYS.map((key) => ({ key, systemRoles: systemRolesHolding(key) })),
)

/** True if a role holds the permission `k` of the catalogue. */
const roleHolds = (role: 'granted' | 'held') =>
  sql.raw(`(${role}.system IN (SELECT s.value FROM json_each(k.value, '$.systemRoles') s)
    OR EXISTS (SELECT 1 FROM role_permissions p
      WHERE p.role_id = ${role}.id AND p.permission = k.value ->> 'key'))`)

const userHolds = (userId: SQL) =>
  sql`EXISTS (SELECT 1 FROM user_roles ur JOIN roles held ON held.id = ur.role_id
    WHERE ur.user_id = ${userId} AND ${roleHolds('held')})`

/** True if a user holds all permissions of a role, if there is one. */
const mayGrant = (userId: SQL, roleId: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${CATALOGUE}) k JOIN roles granted ON granted.id = ${roleId}
    WHERE ${roleHolds('granted')} AND NOT ${userHolds(userId)})`

const BY_ADMINISTRATORS: Permission = 'allInviteCodes.write'

const ISSUER = sql`invite_codes.issued_by`

/**
 * Lets somebody in now: an active code of the operator's, or of an enabled user who still holds what it
 * grants and, while registration is closed, has issued it as the administrator that it still is.
 */
const isUsable = (ctx: Context, codeHash: string): SQL =>
  sql`invite_codes.code_hash = ${codeHash} AND ${inviteState(ctx)} = 'active' AND (${ISSUER} IS NULL OR (
    EXISTS (SELECT 1 FROM users u WHERE u.id = ${ISSUER} AND u.status = 'active')
    AND ${mayGrant(ISSUER, sql`invite_codes.role_id`)}
    AND (${settingOf(ctx, 'registration')} <> 'closed' OR (invite_codes.by_administrator = 1
      AND EXISTS (SELECT 1 FROM json_each(${CATALOGUE}) k
        WHERE k.value ->> 'key' = ${BY_ADMINISTRATORS} AND ${userHolds(ISSUER)})))))`

/** The invite if it can be used now. */
export const usableInvite = (ctx: Context, codeHash: string) =>
  db.select({ id: inviteCodes.id }).from(inviteCodes).where(isUsable(ctx, codeHash))

/** Uses an invite code. If its last use is claimed in parallel, one registration wins, and the others are refused. */
export const redeemInvite = (ctx: Context, codeHash: string, userId: string): Statement[] => [
  db
    .update(inviteCodes)
    .set({ uses: sql`${inviteCodes.uses} + 1` })
    .where(isUsable(ctx, codeHash)),
  requireChangedOne(() => authErrors.invalidInvite({ field: 'inviteCode' })),
  db.insert(inviteRedemptions).select(
    db
      .select({
        inviteId: inviteCodes.id,
        userId: sql<string>`${userId}`.as('user_id'),
        redeemedAt: sql<number>`${ctx.now}`.as('redeemed_at'),
      })
      .from(inviteCodes)
      .where(sql`invite_codes.code_hash = ${codeHash}`),
  ),
]

/** Codes that are dead keep no role from being deleted; if one is revived, it grants none. */
export const letGoOfRole = (ctx: Context, roleId: string): Statement =>
  db
    .update(inviteCodes)
    .set({ roleId: null })
    .where(sql`invite_codes.role_id = ${roleId} AND ${inviteState(ctx)} <> 'active'`)
