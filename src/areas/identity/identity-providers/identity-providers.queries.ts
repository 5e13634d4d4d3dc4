import { and, asc, eq, sql } from 'drizzle-orm'
import {
  identityProviders,
  signInCodes,
  externalIdentities,
} from '../../../../drizzle/schema/identity-providers.ts'
import type { SystemRole } from '../../../domain/permissions.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { hasAddress } from '../addresses/addresses.public.ts'
import { providerErrors, identityErrors } from './identity-providers.errors.ts'

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
  trustsEmail: identityProviders.trustsEmail,
  emailClaim: identityProviders.emailClaim,
  nameClaim: identityProviders.nameClaim,
  roleClaim: identityProviders.roleClaim,
  roleMap: identityProviders.roleMap,
  version: identityProviders.version,
  createdAt: identityProviders.createdAt,
  updatedAt: identityProviders.updatedAt,
}

export type ProviderRow = Awaited<ReturnType<typeof providerById>>[number]

export const providerById = (id: string) =>
  db.select(columns).from(identityProviders).where(eq(identityProviders.id, id))

export const allProviders = () =>
  db.select(columns).from(identityProviders).orderBy(asc(identityProviders.nameKey))

export interface ProviderRole {
  id: string
  system: SystemRole | null
  version: number
  /** JSON: permissions of a role that is not a system role. */
  stored: string
}

/**
 * Roles, with what giving them to somebody would permit.
 * @param providerId with those that this provider may give
 */
export const rolesToGrant = (ids: string[], providerId: string | null = null) =>
  db.all<ProviderRole>(sql`SELECT r.id, r.system, r.version,
      (SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = r.id) AS stored
    FROM roles r WHERE r.id IN (SELECT value FROM json_each(${JSON.stringify(ids)})
      UNION SELECT i.default_role_id FROM identity_providers i WHERE i.id = ${providerId}
      UNION SELECT m.value FROM identity_providers i, json_each(i.role_map) m
        WHERE i.id = ${providerId})`)

/** Refuses when one of the roles was changed: somebody may have added permissions to it. */
export const rolesMustStillBe = (granted: ProviderRole[]): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(granted)}) seen
      WHERE NOT EXISTS (SELECT 1 FROM roles r
        WHERE r.id = seen.value ->> 'id' AND r.version = seen.value ->> 'version'))`,
    providerErrors.roleChanged,
  )

export const insertProvider = (provider: typeof identityProviders.$inferInsert): Statement =>
  db.insert(identityProviders).values(provider)

/** A provider as it was read. */
interface ProviderAsRead {
  id: string
  version: number
}

const isUnchanged = ({ id, version }: ProviderAsRead) =>
  and(eq(identityProviders.id, id), eq(identityProviders.version, version))

/** Forgets what a provider confirmed and nobody has used yet. */
export const forgetCodesOf = (providerId: string): Statement =>
  db.delete(signInCodes).where(eq(signInCodes.providerId, providerId))

export const updateProvider = (
  ctx: SignedIn,
  provider: ProviderAsRead,
  changed: Partial<typeof identityProviders.$inferInsert>,
): Statement[] => [
  db
    .update(identityProviders)
    .set({ ...changed, version: sql`${identityProviders.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(provider)),
  requireChangedOne(changedMeanwhile),
]

export const deleteProvider = (provider: ProviderAsRead): Statement[] => [
  db.delete(identityProviders).where(isUnchanged(provider)),
  requireChangedOne(changedMeanwhile),
]

const identityColumns = {
  id: externalIdentities.id,
  issuer: externalIdentities.issuer,
  subject: externalIdentities.subject,
  createdAt: externalIdentities.createdAt,
}

const isOwn = (ctx: SignedIn) => eq(externalIdentities.userId, ctx.caller.userId)

export const ownIdentities = (ctx: SignedIn) =>
  db
    .select(identityColumns)
    .from(externalIdentities)
    .where(isOwn(ctx))
    .orderBy(asc(externalIdentities.id))

export const ownIdentity = (ctx: SignedIn, id: string) =>
  db
    .select(identityColumns)
    .from(externalIdentities)
    .where(and(eq(externalIdentities.id, id), isOwn(ctx)))

/** Refuses when the caller has another address than was compared with. */
export const addressMustStillBe = (ctx: SignedIn, email: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${ctx.caller.userId} AND ${hasAddress('u', email)})`,
    identityErrors.emailDiffers,
  )

/** Refuses when the user has no way in after it: neither a password nor a provider that is on. */
export const deleteIdentity = (ctx: SignedIn, id: string): Statement[] => [
  db.delete(externalIdentities).where(and(eq(externalIdentities.id, id), isOwn(ctx))),
  requireChangedOne(identityErrors.identityNotFound),
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${ctx.caller.userId} AND u.password_hash IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM external_identities e
        JOIN identity_providers p ON p.issuer = e.issuer AND p.enabled = 1
        WHERE e.user_id = ${ctx.caller.userId})`,
    identityErrors.lastWayIn,
  ),
]
