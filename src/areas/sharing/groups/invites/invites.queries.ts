import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { groupInvites, groups } from '../../../../../drizzle/schema/groups.ts'
import { users } from '../../../../../drizzle/schema/system.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { db, named, type Statement } from '../../../../platform/database/statements.ts'
import { isAddressedToConfirmed, noAddress } from '../../../identity/addresses/addresses.public.ts'
import { mayInvite } from '../../../identity/memberships/memberships.public.ts'
import { groupErrors } from '../groups.errors.ts'
import { MOST_OPEN_INVITES } from '../groups.rules.ts'

export type StoredInvite = typeof groupInvites.$inferSelect

/** Neither answered, withdrawn nor expired, and whoever invited could do it still. */
const isOpen = (ctx: Context): SQL =>
  sql`group_invites.accepted_at IS NULL AND group_invites.declined_at IS NULL
    AND group_invites.withdrawn_at IS NULL AND group_invites.expires_at > ${ctx.now}
    AND ${mayInvite(sql`group_invites.invited_by`, sql`group_invites.group_id`, sql`group_invites.role`)}`

/** All but the hash: what is not fetched cannot slip out. */
const columns = {
  id: groupInvites.id,
  groupId: groupInvites.groupId,
  role: groupInvites.role,
  email: groupInvites.email,
  codePrefix: groupInvites.codePrefix,
  invitedBy: groupInvites.invitedBy,
  expiresAt: groupInvites.expiresAt,
  version: groupInvites.version,
  createdAt: groupInvites.createdAt,
  updatedAt: groupInvites.updatedAt,
}

export type GroupInviteRow = Awaited<ReturnType<typeof inviteOf>>[number]

const isOpenOf = (ctx: Context, groupId: string) =>
  and(eq(groupInvites.groupId, groupId), isOpen(ctx))

/** For a read that shows, too, that the caller may see the invitations of the group. */
export const inviteOf = (ctx: Context, groupId: string, id: string) =>
  db
    .select(columns)
    .from(groupInvites)
    .where(and(eq(groupInvites.id, id), isOpenOf(ctx, groupId)))

const follows = (page: PageRequest) => {
  const [id] = page.after ?? []
  return id === undefined ? undefined : lt(groupInvites.id, id)
}

/** Newest first; one row more than the page. Like `inviteOf`. */
export const pageOfGroupInvites = (ctx: Context, groupId: string, page: PageRequest) =>
  db
    .select(columns)
    .from(groupInvites)
    .where(and(isOpenOf(ctx, groupId), follows(page)))
    .orderBy(desc(groupInvites.id))
    .limit(page.limit + 1)

const count = (condition: SQL | undefined) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(groupInvites)
    .where(condition)

export const countOfGroupInvites = (ctx: Context, groupId: string) => count(isOpenOf(ctx, groupId))

/** To the address of the caller, once it is confirmed. */
const isToCaller = ({ caller }: SignedIn): SQL =>
  isAddressedToConfirmed('group_invites', caller.userId)

/** An open invitation, as whoever got it sees it. */
export type ReceivedRow = Awaited<ReturnType<typeof receivedBy>>[number]

const received = (condition: SQL | undefined) =>
  db
    .select({
      id: groupInvites.id,
      groupId: groupInvites.groupId,
      role: groupInvites.role,
      expiresAt: groupInvites.expiresAt,
      groupName: groups.name,
      inviterName: named(users.name, 'inviter_name'),
      memberCount:
        sql<number>`(SELECT count(*) FROM group_members n WHERE n.group_id = group_invites.group_id)`.as(
          'member_count',
        ),
    })
    .from(groupInvites)
    .innerJoin(groups, eq(groups.id, groupInvites.groupId))
    .innerJoin(users, eq(users.id, groupInvites.invitedBy))
    .where(condition)

/** Newest first; one row more than the page. */
export const pageOfReceived = (ctx: SignedIn, page: PageRequest) =>
  received(and(isToCaller(ctx), isOpen(ctx), follows(page)))
    .orderBy(desc(groupInvites.id))
    .limit(page.limit + 1)

export const countOfReceived = (ctx: SignedIn) => count(and(isToCaller(ctx), isOpen(ctx)))

/**
 * The key by which the caller names an invitation: the hash of its code, or its id if it was sent to the caller's own
 * address.
 */
export type InviteKey = { codeHash: string } | { inviteId: string }

const isNamed = (ctx: SignedIn, naming: InviteKey) =>
  'codeHash' in naming
    ? eq(groupInvites.codeHash, naming.codeHash)
    : and(eq(groupInvites.id, naming.inviteId), isToCaller(ctx))

export const receivedBy = (ctx: SignedIn, naming: InviteKey) =>
  received(and(isNamed(ctx, naming), isOpen(ctx)))

/** Refuses unless it is still open and the caller's to answer. Nothing tells where it went any more. */
export const answerInvite = (
  ctx: SignedIn,
  naming: InviteKey,
  answered: Pick<Partial<StoredInvite>, 'acceptedAt' | 'acceptedBy' | 'declinedAt'>,
  invalid: Refusal,
): Statement[] => [
  db
    .update(groupInvites)
    .set({ ...answered, ...closed(ctx) })
    .where(and(isNamed(ctx, naming), isOpen(ctx))),
  requireChangedOne(invalid),
]

const closed = (ctx: Context) => ({
  ...noAddress,
  version: sql`${groupInvites.version} + 1`,
  updatedAt: ctx.now,
})

export const withdrawInvite = (
  ctx: Context,
  { id, version }: Pick<StoredInvite, 'id' | 'version'>,
): Statement[] => [
  db
    .update(groupInvites)
    .set({ withdrawnAt: ctx.now, ...closed(ctx) })
    .where(and(eq(groupInvites.id, id), eq(groupInvites.version, version), isOpen(ctx))),
  requireChangedOne(changedMeanwhile),
]

/** Throws away those of the group that have expired. Refuses when as many are open as there may be. */
export const insertInvite = (ctx: Context, invite: StoredInvite): Statement[] => [
  db
    .delete(groupInvites)
    .where(
      and(eq(groupInvites.groupId, invite.groupId), sql`${groupInvites.expiresAt} <= ${ctx.now}`),
    ),
  db.insert(groupInvites).values(invite),
  refuseIf(
    sql`(SELECT count(*) FROM group_invites WHERE ${isOpenOf(ctx, invite.groupId)}) > ${sql.raw(String(MOST_OPEN_INVITES))}`,
    groupErrors.tooManyInvites,
  ),
]
