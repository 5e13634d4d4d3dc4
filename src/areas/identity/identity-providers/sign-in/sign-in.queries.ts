import { and, eq, gt, lte, sql } from 'drizzle-orm'
import {
  externalIdentities,
  identityProviders,
  signInCodes,
  signInFlows,
} from '../../../../../drizzle/schema/identity-providers.ts'
import type { SystemRole } from '../../../../domain/permissions.ts'
import type { Context } from '../../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/database/premises.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../../platform/database/session.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { isAddressedTo } from '../../addresses/addresses.public.ts'
import { isLastAdministrator } from '../../user-administration/user-administration.public.ts'
import { signInErrors } from '../identity-providers.errors.ts'

export const providersFor = (domain: string) =>
  db
    .select({ id: identityProviders.id, name: identityProviders.name })
    .from(identityProviders)
    .where(and(eq(identityProviders.domain, domain), eq(identityProviders.enabled, true)))

const enabledProvider = (id: string) =>
  and(eq(identityProviders.id, id), eq(identityProviders.enabled, true))

export const providerToAsk = (id: string) =>
  db.select().from(identityProviders).where(enabledProvider(id))

export type ProviderToAsk = Awaited<ReturnType<typeof providerToAsk>>[number]

export const insertFlow = (ctx: Context, flow: typeof signInFlows.$inferInsert): Statement[] => [
  // Nobody comes back for these any more.
  db.delete(signInFlows).where(lte(signInFlows.expiresAt, ctx.now)),
  db.insert(signInFlows).values(flow),
]

export const flowUnderWay = (ctx: Context, stateHash: string, providerId: string) =>
  db
    .select()
    .from(signInFlows)
    .where(
      and(
        eq(signInFlows.stateHash, stateHash),
        eq(signInFlows.providerId, providerId),
        gt(signInFlows.expiresAt, ctx.now),
      ),
    )

/** Ends a sign-in flow. If browsers return with one state in parallel, one wins, and the others are refused. */
export const endFlow = (stateHash: string): Statement[] => [
  db.delete(signInFlows).where(eq(signInFlows.stateHash, stateHash)),
  requireChangedOne(signInErrors.invalidFlow),
]

export const insertCode = (ctx: Context, code: typeof signInCodes.$inferInsert): Statement[] => [
  db.delete(signInCodes).where(lte(signInCodes.expiresAt, ctx.now)),
  db.insert(signInCodes).values(code),
]

export interface CodeRow {
  issuer: string
  subject: string
  email: string
  name: string
  provider_id: string
  provider_version: number
  auto_provision: number
}

/** A code that is good, of a provider that still is. */
export const codeToSwap = (ctx: Context, codeHash: string) =>
  db.all<CodeRow>(sql`SELECT c.issuer, c.subject, c.email, c.name, p.id AS provider_id,
      p.version AS provider_version, p.auto_provision
    FROM sign_in_codes c JOIN identity_providers p ON p.id = c.provider_id AND p.issuer = c.issuer
    WHERE c.code_hash = ${codeHash} AND c.expires_at > ${ctx.now} AND p.enabled = 1`)

export interface LinkedRow extends ProfileRow {
  status: 'active' | 'disabled' | 'deleted'
  is_last_administrator: number
}

export const userLinkedTo = (codeHash: string) =>
  db.all<LinkedRow>(sql`SELECT ${sql.raw(PROFILE_COLUMNS)}, u.status,
      ${isLastAdministrator(sql`e.user_id`)} AS is_last_administrator
    FROM sign_in_codes c JOIN external_identities e ON e.issuer = c.issuer AND e.subject = c.subject
    JOIN users u ON u.id = e.user_id WHERE c.code_hash = ${codeHash}`)

export const userWithEmailOf = (codeHash: string) =>
  db.all<{
    id: string
  }>(sql`SELECT u.id FROM sign_in_codes c JOIN users u ON ${isAddressedTo('c')}
    WHERE c.code_hash = ${codeHash}`)

export interface SignInRole {
  id: string
  name: string
  system: SystemRole | null
  /** JSON: permissions of a role that is not a system role. */
  stored: string
  /** 1 for the role of newcomers. */
  is_default: number
  /** 1 for a role of the map, if the provider decides of its roles; such a one is given or taken. */
  is_mapped: number
  is_given: number
}

/** The roles that a provider has a say in. */
export const rolesOfCode = (codeHash: string) =>
  db.all<SignInRole>(sql`WITH said AS (SELECT c.role_ids, p.role_map, ifnull(p.default_role_id,
        (SELECT r.id FROM roles r WHERE r.system = 'user')) AS default_role_id
      FROM sign_in_codes c JOIN identity_providers p ON p.id = c.provider_id
      WHERE c.code_hash = ${codeHash}),
    mapped AS (SELECT m.value AS id FROM said, json_each(said.role_map) m
      WHERE said.role_ids IS NOT NULL)
    SELECT r.id, r.name, r.system,
      (SELECT json_group_array(g.permission) FROM role_permissions g WHERE g.role_id = r.id) AS stored,
      r.id IN (SELECT default_role_id FROM said) AS is_default,
      r.id IN (SELECT id FROM mapped) AS is_mapped,
      r.id IN (SELECT g.value FROM said, json_each(said.role_ids) g) AS is_given
    FROM roles r
    WHERE r.id IN (SELECT default_role_id FROM said UNION SELECT id FROM mapped)`)

/** Uses up a code. If one code is used in parallel, one use wins, and the others are refused. */
export const spendCode = (codeHash: string, spent: Refusal): Statement[] => [
  db.delete(signInCodes).where(eq(signInCodes.codeHash, codeHash)),
  requireChangedOne(spent),
]

/** Refuses when the provider was changed or switched off since it was read. */
export const providerMustStillBe = (
  id: string,
  version: number,
  refusal: Refusal = signInErrors.providerChanged,
): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM identity_providers p WHERE p.id = ${id} AND p.version = ${version})`,
    refusal,
  )

/** Refuses when the user was disabled or unlinked, or their second factor changed, since they were read. */
export const mustStillBeLinked = (user: LinkedRow, { issuer, subject }: CodeRow): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM external_identities e JOIN users u ON u.id = e.user_id
      WHERE e.issuer = ${issuer} AND e.subject = ${subject} AND u.id = ${user.user_id}
        AND u.status = 'active' AND u.mfa_enabled_at IS ${user.mfa_enabled_at})`,
    signInErrors.invalidCode,
  )

export const insertIdentity = (identity: typeof externalIdentities.$inferInsert): Statement =>
  db.insert(externalIdentities).values(identity)
