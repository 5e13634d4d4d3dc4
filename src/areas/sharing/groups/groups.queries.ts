import { and, eq, getTableColumns, gt, sql, type SQL, desc, lt } from 'drizzle-orm'
import { groupMembers, groups } from '../../../../drizzle/schema/groups.ts'
import { shares } from '../../../../drizzle/schema/shares.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { among, db, type Statement } from '../../../platform/database/statements.ts'
import { BY_EVENT, type LogList } from '../../../platform/log/log-reading.ts'
import { leadNowhere } from '../../identity/invites/invites.public.ts'
import {
  type GroupRole,
  mustBeIn,
  ownGroupIds,
} from '../../identity/memberships/memberships.public.ts'
import { isAddressedToUser } from '../../identity/addresses/addresses.public.ts'
import { isNotPrivateTo } from '../../identity/access/access.public.ts'
import { deleteSharesWith, isSharedWith, type ShareRow } from '../sharing/sharing.public.ts'
import { groupErrors } from './groups.errors.ts'
import { MOST_OWNED } from './groups.rules.ts'

export type StoredGroup = typeof groups.$inferSelect

/** The columns of a group in answers, beside its row. */
const groupColumns = {
  ...getTableColumns(groups),
  ownerId: sql<string>`(SELECT o.user_id FROM group_members o
    WHERE o.group_id = groups.id AND o.role = 'owner')`.as('owner_id'),
  memberCount: sql<number>`(SELECT count(*) FROM group_members n WHERE n.group_id = groups.id)`.as(
    'member_count',
  ),
}

const isIn = (ctx: SignedIn) =>
  and(eq(groupMembers.userId, ctx.caller.userId), sql`${groups.id} IN (${ownGroupIds(ctx)})`)

const ownGroups = () =>
  db
    .select({ ...groupColumns, role: groupMembers.role })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))

/** A group as the caller, who is in it, sees it. */
export type GroupRow = Awaited<ReturnType<typeof groupById>>[number]

export const groupById = (ctx: SignedIn, id: string) =>
  ownGroups().where(and(isIn(ctx), eq(groups.id, id)))

/** In order of creation; one row more than the page. */
export function pageOfGroups(ctx: SignedIn, page: PageRequest) {
  const [afterId] = page.after ?? []
  return ownGroups()
    .where(and(isIn(ctx), afterId === undefined ? undefined : gt(groups.id, afterId)))
    .orderBy(groups.id)
    .limit(page.limit + 1)
}

export const countOfGroups = (ctx: SignedIn) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM groups WHERE id IN (${ownGroupIds(ctx)})`,
  )

/** Refuses when the caller owns as many groups as one may. */
export const insertGroup = ({ caller }: SignedIn, group: StoredGroup): Statement[] => [
  refuseIf(
    sql`(SELECT count(*) FROM group_members WHERE user_id = ${caller.userId} AND role = 'owner') >= ${MOST_OWNED}`,
    groupErrors.tooMany,
  ),
  db.insert(groups).values(group),
]

/** Refuses in a commit what `requireRole` refuses before it. */
export const mustHaveRole = (ctx: SignedIn, groupId: string, least: GroupRole): Statement =>
  mustBeIn(ctx, groupId, least, {
    notIn: groupErrors.notFound,
    roleTooLow: groupErrors.roleTooLow,
    suspended: groupErrors.suspended,
  })

/** A group as it was read. */
export type SeenGroup = Pick<StoredGroup, 'id' | 'version'>

const isUnchanged = ({ id, version }: SeenGroup) =>
  and(eq(groups.id, id), eq(groups.version, version))

export const updateGroupRow = (
  ctx: Context,
  group: SeenGroup,
  changed: Partial<StoredGroup>,
): Statement[] => [
  db
    .update(groups)
    .set({ ...changed, version: sql`${groups.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(group)),
  requireChangedOne(changedMeanwhile),
]

/** Finds the shares with a group, by all its members or by one. */
export const sharesWith = (groupId: string, ownerId?: string) =>
  db
    .select()
    .from(shares)
    .where(isSharedWith(among([groupId]), ownerId))

/** Ends these shares. Refuses when there are more than were read, so that the log names all of them. */
export const endShares = (groupId: string, read: ShareRow[], ownerId?: string): Statement[] => {
  const ids = read.map(({ id }) => id)
  return [
    refuseIf(
      sql`EXISTS (SELECT 1 FROM shares WHERE ${isSharedWith(among([groupId]), ownerId)} AND id NOT IN ${among(ids)})`,
      groupErrors.sharedMeanwhile,
    ),
    deleteSharesWith(among([groupId]), ownerId),
  ]
}

/** The budgets of a group, those in the trash included. */
export const budgetsOf = (groupId: string) =>
  db.all<{ id: string }>(sql`SELECT id FROM budgets WHERE group_id = ${groupId} ORDER BY id`)

/** Puts these budgets of a group in the trash of its owner, where those already are that were deleted before. */
export const trashBudgets = (
  { now }: Context,
  budgets: { id: string }[],
  ownerId: string,
): Statement =>
  db.run(sql`UPDATE budgets SET group_id = NULL, owner_id = ${ownerId}, deleted_at = ifnull(deleted_at, ${now}),
      version = version + 1, updated_at = ${now}
    WHERE id IN ${among(budgets.map(({ id }) => id))}`)

/**
 * With invitations, memberships and codes that led into it; its files go back to whoever uploaded them. A budget that it
 * still has stops it by its foreign key.
 */
export const deleteGroupRow = (ctx: Context, group: SeenGroup): Statement[] => [
  db.run(sql`DELETE FROM group_invites WHERE group_id = ${group.id}`),
  leadNowhere(ctx, among([group.id])),
  db.run(sql`UPDATE attachments SET group_id = NULL, version = version + 1, updated_at = ${ctx.now}
    WHERE group_id = ${group.id}`),
  db.run(sql`DELETE FROM group_members WHERE group_id = ${group.id}`),
  db.delete(groups).where(isUnchanged(group)),
  requireChangedOne(changedMeanwhile),
]

/** Groups in one commit. */
const GROUPS_PER_STEP = sql.raw('20')

export const groupsToLeave = (userId: string): Statement<{ id: string }[]> =>
  db.all<{ id: string }>(
    sql`SELECT m.group_id AS id FROM group_members m WHERE m.user_id = ${userId} LIMIT ${GROUPS_PER_STEP}`,
  )

/**
 * Takes somebody who is erased out of groups, with what it shared. Where nobody else is, the group goes, too; where
 * it was the owner, the longest there of the highest role is from now on, who can sign in if anybody can.
 */
export const leaveForGood = (ctx: Context, groupIds: string[], userId: string): Statement[] => {
  const left = sql`(SELECT value FROM json_each(${JSON.stringify(groupIds)}) WHERE NOT EXISTS
    (SELECT 1 FROM group_members m WHERE m.group_id = value AND m.user_id <> ${userId}))`
  const ids = among(groupIds)
  return [
    deleteSharesWith(ids, userId),
    deleteSharesWith(left),
    db.run(sql`DELETE FROM group_invites WHERE group_id IN ${left}`),
    leadNowhere(ctx, left),
    db.run(
      sql`UPDATE attachments SET group_id = NULL, version = version + 1 WHERE group_id IN ${left}`,
    ),
    db.run(sql`DELETE FROM group_members WHERE group_id IN ${ids} AND user_id = ${userId}`),
    db.run(sql`DELETE FROM groups WHERE id IN ${ids}
      AND NOT EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = groups.id)`),
    db.run(sql`UPDATE group_members SET role = 'owner', version = version + 1
      WHERE group_id IN ${ids}
        AND NOT EXISTS (SELECT 1 FROM group_members o
          WHERE o.group_id = group_members.group_id AND o.role = 'owner')
        AND user_id = (SELECT h.user_id FROM group_members h JOIN users u ON u.id = h.user_id
          WHERE h.group_id = group_members.group_id
          ORDER BY u.status <> 'active', CASE h.role WHEN 'admin' THEN 0 WHEN 'member' THEN 1 ELSE 2 END,
            h.joined_at, h.user_id LIMIT 1)`),
  ]
}

/** Deletes the invitations that an erased user sent and received; an answered one keeps no name. */
export const forgetGroupInvitesOf = (userId: string): Statement[] => [
  db.run(sql`DELETE FROM group_invites WHERE invited_by = ${userId}`),
  db.run(sql`DELETE FROM group_invites WHERE ${isAddressedToUser('group_invites', userId)}`),
  db.run(sql`UPDATE group_invites SET accepted_by = NULL WHERE accepted_by = ${userId}`),
]

/** Shares `s` that open accounts to the members of a group now. */
const openShares = ({ now }: Context, groupId: string): SQL =>
  sql`shares s JOIN groups g ON g.id = s.group_id WHERE s.group_id = ${groupId}
    AND g.suspended_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > ${now})`

export const sharedIds = (ctx: Context, groupId: string) =>
  db.all<{ id: string }>(sql`SELECT s.account_id AS id FROM ${openShares(ctx, groupId)}`)

/** The SQL that lists the currencies of those accounts. */
export const currenciesShared = (ctx: Context, groupId: string): SQL =>
  sql`SELECT DISTINCT a.currency FROM accounts a WHERE a.id IN (SELECT s.account_id FROM ${openShares(ctx, groupId)})`

/** The SQL of the base currency of a group. */
export const baseOf = (groupId: string): SQL =>
  sql`(SELECT base_currency FROM groups WHERE id = ${groupId})`

/** An event that is news to a group: that something was done, not what it said. */
export interface ActivityRow {
  id: string
  sequence: number
  at: number
  type: string
  actorId: string | null
  /** The name of the actor, for members only: former members are not named. */
  actorName: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
}

/** True if the account of an event is still shared with the group, or the event has no account. */
const isStillShared = ({ now }: SignedIn): SQL =>
  sql`(l.account_id IS NULL OR EXISTS (SELECT 1 FROM shares s JOIN groups g ON g.id = s.group_id
    JOIN accounts a ON a.id = s.account_id
    WHERE s.account_id = l.account_id AND s.group_id = l.group_id AND g.suspended_at IS NULL
      AND a.deleted_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > ${now})))`

/** Nothing of transactions that are private to somebody else, or are gone: of those nobody knows any more. */
const isShownTo = (ctx: SignedIn): SQL =>
  sql`CASE WHEN l.resource_type NOT IN ('transaction', 'transfer', 'transactionLink') OR l.resource_id IS NULL THEN 1
    WHEN l.resource_type = 'transactionLink' THEN 2 = (SELECT count(*) FROM transaction_links k
      JOIN transactions t ON t.id IN (k.source_id, k.target_id)
      WHERE k.id = l.resource_id AND ${isNotPrivateTo(ctx)})
    ELSE EXISTS (SELECT 1 FROM transactions t WHERE t.id = ${HEADER_ID} AND ${isNotPrivateTo(ctx)}) END`

/** Legs have ids made of that of their transfer. */
const HEADER_ID = sql.raw(
  "iif(l.resource_id GLOB 'txn_*-[12]', 'trf_' || substr(l.resource_id, 5, 26), l.resource_id)",
)

const isNews = (ctx: SignedIn, groupId: string): SQL =>
  sql`l.group_id = ${groupId} AND ${isStillShared(ctx)} AND ${isShownTo(ctx)}`

/** The last commit first; for a read that shows that the caller is in the group. */
export const activityList = (ctx: SignedIn, groupId: string): LogList<ActivityRow> => ({
  order: 'newest',
  scope: { things: sql`(${groupId})` },
  rows: (page) => pageOfActivity(ctx, groupId, page),
  count: sql`SELECT count(*) AS count FROM log_entries l WHERE ${isNews(ctx, groupId)}`,
  placeOf: ({ at, sequence }) => ({ at, commit: 0, event: sequence }),
  position: BY_EVENT,
})

/** One row more than the page. */
function pageOfActivity(ctx: SignedIn, groupId: string, page: PageRequest): SQL<ActivityRow> {
  const [sequence] = page.after ?? []
  const follows = sequence === undefined ? sql`` : sql`AND l.number < CAST(${sequence} AS INTEGER)`
  return sql`SELECT l.id, l.number AS sequence, l.at, l.type, l.actor_id AS actorId,
      u.name AS actorName, l.resource_type AS resourceType, l.resource_id AS resourceId,
      l.account_id AS accountId
    FROM log_entries l LEFT JOIN group_members m ON m.group_id = l.group_id AND m.user_id = l.actor_id
      LEFT JOIN users u ON u.id = m.user_id
    WHERE ${isNews(ctx, groupId)} ${follows} ORDER BY l.number DESC LIMIT ${page.limit + 1}`
}

const columns = {
  ...groupColumns,
  ownerEmail: sql<string>`(SELECT u.email FROM group_members o JOIN users u ON u.id = o.user_id
    WHERE o.group_id = groups.id AND o.role = 'owner')`.as('owner_email'),
  accountCount: sql<number>`(SELECT count(*) FROM shares s WHERE s.group_id = groups.id)`.as(
    'account_count',
  ),
}

export type AnyGroupRow = Awaited<ReturnType<typeof anyGroup>>[number]

export const anyGroup = (id: string) => db.select(columns).from(groups).where(eq(groups.id, id))

/** Newest first; one row more than the page. */
export function pageOfAllGroups(page: PageRequest) {
  const [id] = page.after ?? []
  return db
    .select(columns)
    .from(groups)
    .where(id === undefined ? undefined : lt(groups.id, id))
    .orderBy(desc(groups.id))
    .limit(page.limit + 1)
}

/** Refuses when the group was deleted. */
export const mustExist = (id: string): Statement =>
  refuseIf(sql`NOT EXISTS (SELECT 1 FROM groups WHERE id = ${id})`, groupErrors.notFound)

/** The ids of all members of a group. */
export const memberIdsOf = (groupId: string): SQL =>
  sql`SELECT m.user_id FROM group_members m WHERE m.group_id = ${groupId}`

export const countOfAllGroups = () =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM groups`)
