import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { rolePermissions, roles } from '../../../../drizzle/schema/system.ts'
import {
  isPowerOverOthers,
  type Permission,
  PERMISSION_KEYS,
  type SystemRole,
  systemRolesHolding,
} from '../../../domain/permissions.ts'
import { type Scope, scopesGranting } from '../../../domain/scopes.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import {
  accessErrors,
  changedMeanwhile,
  type Refusal,
} from '../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { roleErrors } from './roles.errors.ts'

const columns = {
  id: roles.id,
  name: roles.name,
  description: roles.description,
  system: roles.system,
  version: roles.version,
  createdAt: roles.createdAt,
  updatedAt: roles.updatedAt,
  /** The permissions of a role that is not a system role. */
  stored:
    sql`(SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = roles.id)`
      .mapWith((json: string) => JSON.parse(json) as string[])
      .as('stored'),
  userCount: sql<number>`(SELECT count(*) FROM user_roles ur WHERE ur.role_id = roles.id)`.as(
    'user_count',
  ),
}

export type RoleRow = Awaited<ReturnType<typeof roleById>>[number]

export const roleById = (id: string) => db.select(columns).from(roles).where(eq(roles.id, id))

/** System roles first, then by name. */
export const allRoles = () =>
  db.select(columns).from(roles).orderBy(isNull(roles.system), asc(roles.nameKey))

export const insertRole = (role: typeof roles.$inferInsert): Statement =>
  db.insert(roles).values(role)

export const insertPermissions = (roleId: string, permissions: Permission[]): Statement =>
  db.run(
    sql`INSERT INTO role_permissions (role_id, permission)
      SELECT ${roleId}, value FROM json_each(${JSON.stringify(permissions)})`,
  )

const deletePermissions = (roleId: string) =>
  db.delete(rolePermissions).where(eq(rolePermissions.roleId, roleId))

export const replacePermissions = (roleId: string, permissions: Permission[]): Statement[] => [
  deletePermissions(roleId),
  insertPermissions(roleId, permissions),
]

/** A role as it was read. */
interface RoleAsRead {
  id: string
  version: number
}

const isUnchanged = ({ id, version }: RoleAsRead) =>
  and(eq(roles.id, id), eq(roles.version, version))

export const updateRoleRow = (
  ctx: SignedIn,
  role: RoleAsRead,
  changed: Partial<Pick<typeof roles.$inferInsert, 'name' | 'nameKey' | 'description'>>,
): Statement[] => [
  db
    .update(roles)
    .set({ ...changed, version: sql`${roles.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(role)),
  requireChangedOne(changedMeanwhile),
]

/** Refuses while somebody has the role, an invite code grants it, or an identity provider gives it. */
export const deleteRoleRow = (role: RoleAsRead): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM user_roles WHERE role_id = ${role.id})
      OR EXISTS (SELECT 1 FROM invite_codes WHERE role_id = ${role.id})
      OR EXISTS (SELECT 1 FROM identity_providers i WHERE i.default_role_id = ${role.id}
        OR ${role.id} IN (SELECT m.value FROM json_each(i.role_map) m))`,
    roleErrors.inUse,
  ),
  deletePermissions(role.id),
  db.delete(roles).where(isUnchanged(role)),
  requireChangedOne(changedMeanwhile),
]

interface RoleGrant {
  key: Permission
  systemRoles: SystemRole[]
  /** None for what is `sessionOnly`: of that a token hands on what its owner holds. */
  scopes: Scope[]
}

const wantedFor = (permission: Permission): RoleGrant => ({
  key: permission,
  systemRoles: systemRolesHolding(permission),
  scopes: scopesGranting(permission),
})

const POWER_OVER_OTHERS = PERMISSION_KEYS.filter(isPowerOverOthers)
const POWER = JSON.stringify(POWER_OVER_OTHERS.map(wantedFor))

/** True if a role `r` permits what a row `wanted` of `json_each` names. */
const GRANTED =
  sql.raw(`(r.system IN (SELECT s.value FROM json_each(wanted.value, '$.systemRoles') s)
  OR EXISTS (SELECT 1 FROM role_permissions p
    WHERE p.role_id = r.id AND p.permission = wanted.value ->> 'key'))`)

/** True if the caller lacks what a row `wanted` names; an access token has its scopes at most. */
const isLackedBy = ({ caller }: SignedIn) =>
  sql`(NOT EXISTS (SELECT 1 FROM user_roles ur JOIN roles r ON r.id = ur.role_id
      WHERE ur.user_id = ${caller.userId} AND ${GRANTED})
    OR (${caller.tokenHash} IS NOT NULL AND json_array_length(wanted.value, '$.scopes') > 0 AND NOT EXISTS (
      SELECT 1 FROM personal_access_tokens t, json_each(t.scopes) held
      WHERE t.token_hash = ${caller.tokenHash}
        AND held.value IN (SELECT s.value FROM json_each(wanted.value, '$.scopes') s))))`

/** Belongs in front of what it protects: a role that the caller has may be about to gain the permissions. */
export const callerHolds = (
  ctx: SignedIn,
  permissions: Permission[],
  notHeld: Refusal = accessErrors.notHeld,
): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(permissions.map(wantedFor))}) wanted
      WHERE ${isLackedBy(ctx)})`,
    notHeld,
  )

/** @param roleIds a SELECT of their ids */
const callerHoldsOf = (
  ctx: SignedIn,
  roleIds: SQL,
  permissions: Permission[],
  notHeld: Refusal,
): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(permissions.map(wantedFor))}) wanted
      WHERE EXISTS (SELECT 1 FROM roles r WHERE r.id IN (${roleIds}) AND ${GRANTED})
        AND ${isLackedBy(ctx)})`,
    notHeld,
  )

/**
 * `callerHolds` for all that some roles permit at the moment of the commit.
 * @param roleIds a SELECT of their ids
 */
export const callerHoldsRoles = (
  ctx: SignedIn,
  roleIds: SQL,
  notHeld: Refusal = accessErrors.notHeld,
): Statement => callerHoldsOf(ctx, roleIds, PERMISSION_KEYS, notHeld)

/** Finds the users among these who have power over others that the caller lacks. */
export const strongerThanCaller = (ctx: SignedIn, userIds: SQL): Statement<{ id: string }[]> =>
  db.all(sql`SELECT stronger.id FROM users stronger WHERE stronger.id IN (${userIds})
    AND EXISTS (SELECT 1 FROM json_each(${POWER}) wanted
      WHERE EXISTS (SELECT 1 FROM user_roles theirs JOIN roles r ON r.id = theirs.role_id
          WHERE theirs.user_id = stronger.id AND ${GRANTED})
        AND ${isLackedBy(ctx)})`)

/** `strongerThanCaller` as a premise of the commit: refuses when there is one. */
export const mustNotBeStronger = (
  ctx: SignedIn,
  userIds: SQL,
  stronger: Refusal = accessErrors.notHeld,
): Statement =>
  callerIsAsStrongAs(
    ctx,
    sql`SELECT role_id FROM user_roles WHERE user_id IN (${userIds})`,
    stronger,
  )

/**
 * `callerHoldsRoles` without what gives power over oneself alone: whoever has that is no stronger for it.
 * @param roleIds a SELECT of the ids of all roles that a user has
 */
const callerIsAsStrongAs = (ctx: SignedIn, roleIds: SQL, stronger: Refusal): Statement =>
  callerHoldsOf(ctx, roleIds, POWER_OVER_OTHERS, stronger)
