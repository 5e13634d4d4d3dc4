import type { Permission } from '../../../domain/permissions.ts'
import { permissionsOfScopes, type Scope, SCOPES, scopesGranting } from '../../../domain/scopes.ts'

/** The bounds of a token. */
export interface Bounds {
  scopes: Scope[]
  /** Null for all accounts that the owner sees. */
  accountIds: string[] | null
  /** Milliseconds since 1970 UTC; null for never. */
  expiresAt: number | null
}

/** Each scope once, in the order of the catalogue. */
export const scopesInOrder = (scopes: Scope[]): Scope[] =>
  SCOPES.filter((scope) => scopes.includes(scope))

/** True if a user with these permissions may grant a scope; the shorthand never exceeds their permissions. */
export const isHeld = (scope: Scope, permissions: Permission[]): boolean =>
  scope === 'read' || permissions.includes(scope)

/** Returns the field whose bound would be wider than before; undefined when each is as narrow or narrower. */
export function whatWidens(before: Bounds, after: Bounds): keyof Bounds | undefined {
  if (!permissionsOfScopes(after.scopes).every((one) => isWithin(one, before.scopes))) {
    return 'scopes'
  }
  // A permission that joins the catalogue later widens `read`, so `read` is not within its parts.
  if (after.scopes.includes('read') && !before.scopes.includes('read')) {
    return 'scopes'
  }
  if (before.accountIds && !after.accountIds?.every((id) => before.accountIds?.includes(id))) {
    return 'accountIds'
  }
  const isLater = before.expiresAt !== null && (after.expiresAt ?? Infinity) > before.expiresAt
  return isLater ? 'expiresAt' : undefined
}

const isWithin = (permission: Permission, scopes: Scope[]) =>
  scopesGranting(permission).some((scope) => scopes.includes(scope))
