import { isAdminOnly, type Permission, permissionsOfRole } from '../domain/permissions.ts'
import type { Profile } from './context.ts'

// Plain SQL, as it rides in front of every request.

/** The columns of a `ProfileRow`; a user `u` is in scope. */
export const PROFILE_COLUMNS = `u.id AS user_id, u.email, u.name, u.base_currency, u.locale, u.time_zone,
  u.email_verified_at, u.mfa_enabled_at, u.created_at, u.updated_at, u.version,
  (SELECT json_group_array(json_object('id', r.id, 'name', r.name, 'system', r.system, 'stored', (
      SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = r.id)))
    FROM user_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = u.id) AS roles`

export interface ProfileRow {
  user_id: string
  email: string
  name: string
  base_currency: string
  locale: string
  time_zone: string
  email_verified_at: number | null
  mfa_enabled_at: number | null
  created_at: number
  updated_at: number
  version: number
  /** JSON; `stored` holds the permissions of a role that is not a system role. */
  roles: string
}

/** The session lives and its user is enabled; `s` and `u` are in scope. */
const ALIVE = `s.id = ?1 AND s.user_id = ?2 AND s.revoked_at IS NULL AND s.idle_expires_at > ?3
  AND s.absolute_expires_at > ?3 AND u.status = 'active'`

/** Fetches the caller; no row means that the session is dead. Rides in front of the first read. */
export const SESSION_SQL = `SELECT ${PROFILE_COLUMNS}
  FROM sessions s JOIN users u ON u.id = s.user_id WHERE ${ALIVE}`

/** Re-asserts session and permission inside a commit; breaks `guard_session` or `guard_permission`. */
export const ACCESS_GUARD_SQL = `INSERT INTO write_guard (reason)
  SELECT CASE WHEN EXISTS (SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE ${ALIVE})
    THEN 'permission' ELSE 'session' END
  WHERE NOT EXISTS (SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id
    JOIN user_roles ur ON ur.user_id = u.id JOIN roles r ON r.id = ur.role_id
    WHERE ${ALIVE} AND (r.system = 'admin' OR (r.system = 'user' AND ?4 = 0)
      OR EXISTS (SELECT 1 FROM role_permissions p WHERE p.role_id = r.id AND p.permission = ?5)))`

export const accessGuardValues = (
  caller: { sessionId: string; userId: string },
  now: number,
  permission: Permission,
): (string | number)[] => [
  caller.sessionId,
  caller.userId,
  now,
  isAdminOnly(permission) ? 1 : 0,
  permission,
]

export function profileFrom(row: ProfileRow): Profile {
  const roles = JSON.parse(row.roles) as (Profile['roles'][number] & { stored: string[] })[]
  const permissions = roles.flatMap(({ system, stored }) => permissionsOfRole(system, stored))
  return {
    id: row.user_id,
    email: row.email,
    name: row.name,
    baseCurrency: row.base_currency,
    locale: row.locale,
    timeZone: row.time_zone,
    emailVerified: row.email_verified_at !== null,
    mfaEnabled: row.mfa_enabled_at !== null,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    roles: roles.map(({ id, name, system }) => ({ id, name, system })),
    permissions: [...new Set(permissions)],
  }
}
