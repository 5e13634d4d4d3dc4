import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import {
  type GivenRole,
  insertMember,
  MOST_MEMBERS,
  mustHaveRoom,
} from '../../memberships/memberships.public.ts'
import { mustNotBeStronger, strongerThanCaller } from '../../roles/roles.public.ts'
import { groupErrors } from '../groups.errors.ts'
import { accountsSharedWith, deleteGroup, endShares, updateGroup } from '../groups.queries.ts'
import { requireUnrestricted, unsharedItems } from '../groups.usecases.ts'
import {
  activeUser,
  memberOf,
  type MemberRow,
  mustBeActive,
  pageOfMembers,
} from '../members/members.queries.ts'
import { aboutMember, partedFrom, partFrom, requireMember } from '../members/members.usecases.ts'
import {
  anyGroup,
  type AnyGroupRow,
  countOfAllGroups,
  memberIdsOf,
  mustExist,
  pageOfAllGroups,
} from './administration.queries.ts'

export interface AnyGroup {
  group: AnyGroupRow
  members: MemberRow[]
}

export async function findAllGroups(ctx: SignedIn, page: PageRequest): Promise<Page<AnyGroupRow>> {
  const [found, [total]] = await read(ctx, pageOfAllGroups(page), countOfAllGroups())
  requireUnrestricted(ctx)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function findAnyGroup(ctx: SignedIn, id: string): Promise<AnyGroup> {
  const [[group], members] = await read(
    ctx,
    anyGroup(id),
    pageOfMembers(id, { limit: MOST_MEMBERS, after: undefined }),
  )
  return { group: existing(ctx, group), members }
}

/** What is done with a group concerns all who are in it, and ends what they share. */
function requireNoneStronger(stronger: { id: string }[]): void {
  if (stronger.length > 0) {
    throw groupErrors.strongerMember()
  }
}

/** Belongs in front of every change. Refuses when somebody in the group is stronger than the caller by now. */
const noneMayBeStronger = (ctx: SignedIn, id: string) =>
  mustNotBeStronger(ctx, memberIdsOf(id), groupErrors.strongerMember)

function existing(ctx: SignedIn, group: AnyGroupRow | undefined): AnyGroupRow {
  requireUnrestricted(ctx)
  if (!group) {
    throw groupErrors.notFound()
  }
  return group
}

/** What an administrator does is news to the group, and of its owner's log. */
const about = ({ id, ownerId }: AnyGroupRow) => ({
  resource: { type: 'group', id },
  ownerId,
  groupId: id,
})

/** Absent means left alone. */
interface SentGroup {
  name?: string | undefined
  suspended?: boolean | undefined
}

export async function changeAnyGroup(
  ctx: SignedIn,
  id: string,
  sent: SentGroup,
): Promise<AnyGroup> {
  const [[found], members, stronger] = await read(
    ctx,
    anyGroup(id),
    pageOfMembers(id, { limit: MOST_MEMBERS, after: undefined }),
    strongerThanCaller(ctx, memberIdsOf(id)),
  )
  const group = existing(ctx, found)
  requireNoneStronger(stronger)
  requireVersion(ctx, group.version)
  const { name = group.name, suspended = group.suspendedAt !== null } = sent
  const changed = { name, suspendedAt: suspended ? (group.suspendedAt ?? ctx.now) : null }
  const { name: nameBefore, suspendedAt } = group
  return commit(ctx, {
    action: 'group.updated',
    ...about(group),
    changes: { before: { name: nameBefore, suspendedAt }, after: changed },
    writes: [noneMayBeStronger(ctx, id), ...updateGroup(ctx, group, changed)],
    result: {
      group: { ...group, ...changed, version: group.version + 1, updatedAt: ctx.now },
      members,
    },
  })
}

export async function removeAnyGroup(ctx: SignedIn, id: string): Promise<void> {
  const [[found], shared, stronger] = await read(
    ctx,
    anyGroup(id),
    accountsSharedWith(id),
    strongerThanCaller(ctx, memberIdsOf(id)),
  )
  const group = existing(ctx, found)
  requireNoneStronger(stronger)
  requireVersion(ctx, group.version)
  const accountIds = shared.map(({ accountId }) => accountId)
  const { name, kind, baseCurrency } = group
  await commit(ctx, {
    action: 'group.deleted',
    ...about(group),
    changes: { before: { name, kind, baseCurrency } },
    items: unsharedItems(id, accountIds),
    writes: [noneMayBeStronger(ctx, id), ...endShares(id, accountIds), ...deleteGroup(ctx, group)],
    result: undefined,
  })
}

/** Whoever is in a group sees what its members share, so none of them may be stronger than the caller. */
export async function addAnyMember(
  ctx: SignedIn,
  id: string,
  { userId, role }: { userId: string; role: GivenRole },
): Promise<MemberRow> {
  const [[found], [user], [member], stronger] = await read(
    ctx,
    anyGroup(id),
    activeUser(userId),
    memberOf(id, userId),
    strongerThanCaller(ctx, memberIdsOf(id)),
  )
  const group = existing(ctx, found)
  const unknownUser = () => groupErrors.unknownUser({ field: 'userId' })
  if (!user) {
    throw unknownUser()
  }
  if (member) {
    throw groupErrors.alreadyMember()
  }
  requireNoneStronger(stronger)
  if (group.memberCount >= MOST_MEMBERS) {
    throw groupErrors.full()
  }
  const { name, email } = user
  return commit(ctx, {
    action: 'groupMember.added',
    ...aboutMember(id, userId),
    changes: { after: { role } },
    writes: [
      mustExist(id),
      noneMayBeStronger(ctx, id),
      mustBeActive(userId, unknownUser),
      mustHaveRoom(id, groupErrors.full),
      insertMember(ctx, { groupId: id, userId, role }),
    ],
    result: { userId, name, email, role, joinedAt: ctx.now, version: 1 },
    conflicts: { 'group_members.group_id': groupErrors.alreadyMember },
  })
}

export async function removeAnyMember(ctx: SignedIn, id: string, userId: string): Promise<void> {
  const [[group], [found], shared, stronger] = await read(
    ctx,
    anyGroup(id),
    memberOf(id, userId),
    accountsSharedWith(id, userId),
    strongerThanCaller(ctx, memberIdsOf(id)),
  )
  existing(ctx, group)
  const member = requireMember(found)
  requireNoneStronger(stronger)
  if (member.role === 'owner') {
    throw groupErrors.ownerStays()
  }
  requireVersion(ctx, member.version)
  await commit(ctx, {
    action: 'groupMember.removed',
    writes: [noneMayBeStronger(ctx, id), ...partFrom(id, member, shared)],
    ...partedFrom(id, member, shared),
  })
}
