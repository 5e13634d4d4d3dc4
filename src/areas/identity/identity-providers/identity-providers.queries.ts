import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { identityProviders, signInCodes } from '../../../../drizzle/schema/identity-providers.ts'
import type { SystemRole } from '../../../domain/permissions.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/premises.ts'
import { changedMeanwhile } from '../../../platform/refusals.ts'
import { db, type Statement } from '../../../platform/statements.ts'
import { providerErrors } from './identity-providers.errors.ts'

/** All but the secret: what is not fetched cannot slip out. */
const columns = {
  id: identityProviders.id,
  name: identityProviders.name,
  domain: identityProviders.domain,
  issuer: identityProviders.issuer,
  clientId: identityProviders.clientId,
  scopes: identityProviders.scopes,
  enabled: identityProviders.enabled,
  autoProvision: identityProviders.autoProvision,
  defaultRoleId: identityProviders.defaultRoleId,
  emailClaim: identityProviders.emailClaim,
  nameClaim: identityProviders.nameClaim,
  version: identityProviders.version,
  createdAt: identityProviders.createdAt,
  updatedAt: identityProviders.updatedAt,
}

export type ProviderRow = Awaited<ReturnType<typeof providerById>>[number]

export const providerById = (id: string) =>
  db.select(columns).from(identityProviders).where(eq(identityProviders.id, id))

export const allProviders = () =>
  db.select(columns).from(identityProviders).orderBy(asc(identityProviders.nameKey))

export interface GrantedRole {
  id: string
  system: SystemRole | null
  version: number
  /** JSON: permissions of a role that is not a system role. */
  stored: string
}

const granted = (roleId: SQL) =>
  db.all<GrantedRole>(sql`SELECT r.id, r.system, r.version,
      (SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = r.id) AS stored
    FROM roles r WHERE r.id = ${roleId}`)

/** A role, with what giving it to somebody would permit. */
export const roleToGrant = (roleId: string) => granted(sql`${roleId}`)

export const roleGrantedBy = (providerId: string) =>
  granted(sql`(SELECT i.default_role_id FROM identity_providers i WHERE i.id = ${providerId})`)

/** Refuses when the role was changed: somebody may have added permissions to it. */
export const roleMustStillBe = ({ id, version }: GrantedRole): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM roles r WHERE r.id = ${id} AND r.version = ${version})`,
    () => providerErrors.roleChanged({ field: 'defaultRoleId' }),
  )

export const insertProvider = (provider: typeof identityProviders.$inferInsert): Statement =>
  db.insert(identityProviders).values(provider)

/** A provider as it was read. */
interface Seen {
  id: string
  version: number
}

const isUnchanged = ({ id, version }: Seen) =>
  and(eq(identityProviders.id, id), eq(identityProviders.version, version))

/** Forgets what a provider confirmed and nobody has used yet. */
export const forgetCodesOf = (providerId: string): Statement =>
  db.delete(signInCodes).where(eq(signInCodes.providerId, providerId))

export const updateProvider = (
  ctx: SignedIn,
  provider: Seen,
  changed: Partial<typeof identityProviders.$inferInsert>,
): Statement[] => [
  db
    .update(identityProviders)
    .set({ ...changed, version: sql`${identityProviders.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(provider)),
  requireChangedOne(changedMeanwhile),
]

export const deleteProvider = (provider: Seen): Statement[] => [
  db.delete(identityProviders).where(isUnchanged(provider)),
  requireChangedOne(changedMeanwhile),
]
