import { isAdminOnly, isSessionOnly, type Permission, PERMISSION_KEYS } from './permissions.ts'

/** A scope of a personal access token: a permission, or the shorthand for reading everything of the owner. */
export type Scope = Permission | 'read'

const isWithinRead = (permission: Permission) =>
  permission.endsWith('.read') && !isAdminOnly(permission)

/** Every scope there is, the shorthand first. */
export const SCOPES: Scope[] = [
  'read',
  ...PERMISSION_KEYS.filter((permission) => !isSessionOnly(permission)),
]

/** The scopes each of which is enough for a permission: none for what needs a session, whatever was stored. */
export function scopesGranting(permission: Permission): Scope[] {
  if (isSessionOnly(permission)) {
    return []
  }
  return isWithinRead(permission) ? [permission, 'read'] : [permission]
}

/** Returns the permissions that scopes allow, for a user who holds the permissions, too. */
export const permissionsOfScopes = (scopes: Scope[]): Permission[] =>
  PERMISSION_KEYS.filter((permission) =>
    scopesGranting(permission).some((scope) => scopes.includes(scope)),
  )
