import { and, eq, ne, sql } from 'drizzle-orm'
import { groupMembers } from '../../../../drizzle/schema/groups.ts'
import { users } from '../../../../drizzle/schema/system.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import type { GivenRole } from '../../identity/memberships/memberships.public.ts'
import { groupErrors } from './groups.errors.ts'

const members = () =>
  db
    .select({
      userId: groupMembers.userId,
      name: users.name,
      email: users.email,
      role: groupMembers.role,
      joinedAt: groupMembers.joinedAt,
      version: groupMembers.version,
    })
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))

export type MemberRow = Awaited<ReturnType<typeof groupMemberOf>>[number]

/** For a read that shows, too, that the caller may see the group. */
export const groupMemberOf = (groupId: string, userId: string) =>
  members().where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, userId)))

/** The longest there first, one row more than the page; for a read that shows that the caller may see it. */
export function pageOfMembers(groupId: string, page: PageRequest) {
  const [joinedAt, userId] = page.after ?? []
  const follows =
    joinedAt === undefined
      ? undefined
      : sql`(${groupMembers.joinedAt}, ${groupMembers.userId}) > (CAST(${joinedAt} AS INTEGER), ${userId})`
  return members()
    .where(and(eq(groupMembers.groupId, groupId), follows))
    .orderBy(groupMembers.joinedAt, groupMembers.userId)
    .limit(page.limit + 1)
}

export const countOfMembers = (groupId: string) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM group_members WHERE group_id = ${groupId}`,
  )

/** A member as it was read; never the owner, who is handed over only. */
type MemberAsRead = Pick<MemberRow, 'userId' | 'version'>

const isUnchanged = (groupId: string, { userId, version }: MemberAsRead) =>
  and(
    eq(groupMembers.groupId, groupId),
    eq(groupMembers.userId, userId),
    eq(groupMembers.version, version),
    ne(groupMembers.role, 'owner'),
  )

const next = { version: sql`${groupMembers.version} + 1` }

export const setRole = (groupId: string, member: MemberAsRead, role: GivenRole): Statement[] => [
  db
    .update(groupMembers)
    .set({ role, ...next })
    .where(isUnchanged(groupId, member)),
  requireChangedOne(changedMeanwhile),
]

export const deleteMember = (groupId: string, member: MemberAsRead): Statement[] => [
  db.delete(groupMembers).where(isUnchanged(groupId, member)),
  requireChangedOne(changedMeanwhile),
]

/** Refuses unless the user can sign in. */
export const mustBeActive = (userId: string, inactive: Refusal): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'active')`,
    inactive,
  )

const unknownHeir = () => groupErrors.unknownMember({ field: 'userId' })

/** The owner becomes an administrator. Refuses unless the heir is a member who can sign in. */
export const handOver = (groupId: string, ownerId: string, heirId: string): Statement[] => [
  // There is one owner at most by an index, so the old one goes first; at least one by what follows.
  db
    .update(groupMembers)
    .set({ role: 'admin', ...next })
    .where(
      and(
        eq(groupMembers.groupId, groupId),
        eq(groupMembers.userId, ownerId),
        eq(groupMembers.role, 'owner'),
      ),
    ),
  requireChangedOne(groupErrors.roleTooLow),
  db
    .update(groupMembers)
    .set({ role: 'owner', ...next })
    .where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, heirId))),
  requireChangedOne(unknownHeir),
  mustBeActive(heirId, unknownHeir),
]

/** Finds a user who can sign in, so that a group always gets an active owner. */
export const activeUser = (id: string) =>
  db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(eq(users.id, id), eq(users.status, 'active')))
