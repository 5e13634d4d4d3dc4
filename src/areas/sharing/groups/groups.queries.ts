import { and, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { groupMembers, groups } from '../../../../drizzle/schema/groups.ts'
import { shares } from '../../../../drizzle/schema/shares.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/premises.ts'
import { changedMeanwhile } from '../../../platform/refusals.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { among, db, type Statement } from '../../../platform/statements.ts'
import { leadNowhere } from '../../identity/invites/invites.public.ts'
import {
  type GroupRole,
  mustBeIn,
  ownGroupIds,
} from '../../identity/memberships/memberships.public.ts'
import { deleteSharesWith, isSharedWith, type ShareRow } from '../sharing/sharing.public.ts'
import { groupErrors } from './groups.errors.ts'
import { MOST_OWNED } from './groups.rules.ts'

export type StoredGroup = typeof groups.$inferSelect

/** What is told of a group beside its row. */
export const groupColumns = {
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

/** What is shared with a group, by all its members or by one. */
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
