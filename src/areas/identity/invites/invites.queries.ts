import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { inviteCodes, inviteRedemptions } from '../../../../drizzle/schema/auth.ts'
import { users } from '../../../../drizzle/schema/system.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, named, type Statement } from '../../../platform/database/statements.ts'
import { type InviteState, inviteState } from '../auth/auth.public.ts'
import { type GivenRole, mayInvite } from '../memberships/memberships.public.ts'
import { callerHoldsRoles } from '../roles/roles.public.ts'
import { settingOf } from '../settings/settings.public.ts'
import { inviteErrors } from './invites.errors.ts'
import type { InviteTerms } from './invites.rules.ts'

/** The codes to find: of one user, or of everybody; in one state, or in any. */
export interface InviteFilter {
  issuer?: string
  state?: InviteState | undefined
}

/** All but the hash: what is not fetched cannot slip out. */
const columns = (ctx: Context) => ({
  id: inviteCodes.id,
  codePrefix: inviteCodes.codePrefix,
  roleId: inviteCodes.roleId,
  groupId: inviteCodes.groupId,
  groupRole: inviteCodes.groupRole,
  maxUses: inviteCodes.maxUses,
  uses: inviteCodes.uses,
  expiresAt: inviteCodes.expiresAt,
  note: inviteCodes.note,
  byAdministrator: inviteCodes.byAdministrator,
  issuedBy: inviteCodes.issuedBy,
  issuerName: named(users.name, 'issuer_name'),
  issuerEmail: named(users.email, 'issuer_email'),
  state: inviteState(ctx).as('state'),
  version: inviteCodes.version,
  createdAt: inviteCodes.createdAt,
  updatedAt: inviteCodes.updatedAt,
})

const matches = (ctx: Context, { issuer, state }: InviteFilter) =>
  and(
    issuer === undefined ? undefined : eq(inviteCodes.issuedBy, issuer),
    state === undefined ? undefined : sql`${inviteState(ctx)} = ${state}`,
  )

const invites = (ctx: Context, condition: SQL | undefined) =>
  db
    .select(columns(ctx))
    .from(inviteCodes)
    .leftJoin(users, eq(users.id, inviteCodes.issuedBy))
    .where(condition)

export type InviteRow = Awaited<ReturnType<typeof inviteById>>[number]

export const inviteById = (ctx: Context, id: string, filter: InviteFilter) =>
  invites(ctx, and(eq(inviteCodes.id, id), matches(ctx, filter)))

/** Newest first, as the ids are sorted by time; one row more than the page. */
export function pageOfInvites(ctx: Context, page: PageRequest, filter: InviteFilter) {
  const [id] = page.after ?? []
  const follows = id === undefined ? undefined : lt(inviteCodes.id, id)
  return invites(ctx, and(matches(ctx, filter), follows))
    .orderBy(desc(inviteCodes.id))
    .limit(page.limit + 1)
}

const total = { count: sql<number>`count(*)`.as('count') }

export const countOfInvites = (ctx: Context, filter: InviteFilter) =>
  db.select(total).from(inviteCodes).where(matches(ctx, filter))

export type RedemptionRow = Awaited<ReturnType<typeof pageOfRedemptions>>[number]

/** Latest first; one row more than the page. */
export function pageOfRedemptions(inviteId: string, page: PageRequest) {
  const [redeemedAt, userId] = page.after ?? []
  const follows =
    redeemedAt === undefined
      ? undefined
      : sql`(${inviteRedemptions.redeemedAt}, ${inviteRedemptions.userId}) < (CAST(${redeemedAt} AS INTEGER), ${userId})`
  return db
    .select({
      userId: inviteRedemptions.userId,
      name: users.name,
      redeemedAt: inviteRedemptions.redeemedAt,
    })
    .from(inviteRedemptions)
    .innerJoin(users, eq(users.id, inviteRedemptions.userId))
    .where(and(eq(inviteRedemptions.inviteId, inviteId), follows))
    .orderBy(desc(inviteRedemptions.redeemedAt), desc(inviteRedemptions.userId))
    .limit(page.limit + 1)
}

export const countOfRedemptions = (inviteId: string) =>
  db.select(total).from(inviteRedemptions).where(eq(inviteRedemptions.inviteId, inviteId))

/** The stored parts of a code. */
export interface StoredCode {
  id: string
  codePrefix: string
  codeHash: string
}

/** The properties of new codes. */
export interface InviteCodeDraft extends InviteTerms {
  roleId: string | null
  groupId: string | null
  groupRole: GivenRole | null
  issuedBy: string | null
  byAdministrator: boolean
}

/** Refuses when there is no such role. */
export const insertInvites = (
  ctx: Context,
  codes: StoredCode[],
  issue: InviteCodeDraft,
): Statement[] => [
  refuseIf(
    sql`${issue.roleId} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM roles WHERE id = ${issue.roleId})`,
    roleNotGrantable,
  ),
  db.run(
    sql`INSERT INTO invite_codes (id, code_prefix, code_hash, role_id, group_id, group_role, max_uses, expires_at, note,
        issued_by, by_administrator, created_at, updated_at)
      SELECT value ->> 'id', value ->> 'codePrefix', value ->> 'codeHash', ${issue.roleId}, ${issue.groupId}, ${issue.groupRole},
        ${issue.maxUses}, ${issue.expiresAt}, ${issue.note}, ${issue.issuedBy},
        ${issue.byAdministrator ? 1 : 0}, ${ctx.now}, ${ctx.now} FROM json_each(${JSON.stringify(codes)})`,
  ),
]

/** It does not tell a role that permits too much from one that is not there, so that nobody finds out which there are. */
const roleNotGrantable = () => inviteErrors.roleNotGrantable({ field: 'roleId' })

/** Refuses unless the caller has all that the role permits. */
export const callerHoldsRole = (ctx: SignedIn, roleId: string): Statement =>
  callerHoldsRoles(ctx, sql`SELECT ${roleId}`, roleNotGrantable)

/** Refuses unless the caller may invite into the group with that role. */
export const callerMayInvite = (
  { caller }: SignedIn,
  groupId: string,
  groupRole: GivenRole,
): Statement =>
  refuseIf(sql`NOT ${mayInvite(sql`${caller.userId}`, sql`${groupId}`, sql`${groupRole}`)}`, () =>
    inviteErrors.groupNotOpen({ field: 'groupId' }),
  )

export const registrationMustNotBeClosed = (ctx: Context): Statement =>
  refuseIf(sql`${settingOf(ctx, 'registration')} = 'closed'`, inviteErrors.registrationClosed)

/** A code as it was read. */
interface InviteAsRead {
  id: string
  version: number
}

const isUnchanged = ({ id, version }: InviteAsRead) =>
  and(eq(inviteCodes.id, id), eq(inviteCodes.version, version))

const afterwards = (ctx: Context) => ({
  version: sql`${inviteCodes.version} + 1`,
  updatedAt: ctx.now,
})

/** Codes into groups that go lead to no group any more; of those groups it is given a list in SQL. */
export const leadNowhere = (ctx: Context, groupIds: SQL): Statement =>
  db
    .update(inviteCodes)
    .set({ groupId: null, groupRole: null, ...afterwards(ctx) })
    .where(sql`${inviteCodes.groupId} IN ${groupIds}`)

/** Refuses when meanwhile the code was used more often than it then could be. */
export const updateInvite = (
  ctx: Context,
  invite: InviteAsRead,
  terms: InviteTerms,
): Statement[] => [
  db
    .update(inviteCodes)
    .set({ ...terms, ...afterwards(ctx) })
    .where(isUnchanged(invite)),
  requireChangedOne(changedMeanwhile),
  refuseIf(
    sql`EXISTS (SELECT 1 FROM invite_codes WHERE id = ${invite.id} AND uses > max_uses)`,
    () => inviteErrors.fewerThanUsed({ field: 'maxUses' }),
  ),
]

export const revokeInvite = (ctx: Context, invite: InviteAsRead): Statement[] => [
  db
    .update(inviteCodes)
    .set({ revokedAt: ctx.now, ...afterwards(ctx) })
    .where(and(isUnchanged(invite), isNull(inviteCodes.revokedAt))),
  requireChangedOne(changedMeanwhile),
]
