import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { type GivenRole, membershipIn } from '../../memberships/memberships.public.ts'
import { groupErrors } from '../groups.errors.ts'
import {
  accountsSharedWith,
  endShares,
  groupById,
  type GroupRow,
  mustHaveRole,
} from '../groups.queries.ts'
import { requireIn, requireRole } from '../groups.rules.ts'
import { unsharedItems } from '../groups.usecases.ts'
import {
  activeUser,
  countOfMembers,
  deleteMember,
  handOver,
  memberOf,
  type MemberRow,
  pageOfMembers,
  setRole,
} from './members.queries.ts'
import { requireCommand } from './members.rules.ts'

export async function findMembers(
  ctx: SignedIn,
  groupId: string,
  page: PageRequest,
): Promise<Page<MemberRow>> {
  const [[own], found, [total]] = await read(
    ctx,
    membershipIn(ctx, groupId),
    pageOfMembers(groupId, page),
    countOfMembers(groupId),
  )
  requireIn(own)
  return {
    ...cutPage(found, page, ({ joinedAt, userId }) => [String(joinedAt), userId]),
    count: total?.count ?? 0,
  }
}

export function requireMember(member: MemberRow | undefined): MemberRow {
  if (!member) {
    throw groupErrors.memberNotFound()
  }
  return member
}

/** What the log says of a member of a group. */
export const aboutMember = (groupId: string, userId: string) => ({
  resource: { type: 'groupMember', id: userId },
  ownerId: userId,
  groupId,
})

export async function changeRole(
  ctx: SignedIn,
  groupId: string,
  userId: string,
  role: GivenRole,
): Promise<MemberRow> {
  const [[own], [found]] = await read(ctx, membershipIn(ctx, groupId), memberOf(groupId, userId))
  const caller = requireRole(own, 'admin')
  const member = requireMember(found)
  const needed = requireCommand(caller.role, member.role, role)
  requireVersion(ctx, member.version)
  return commit(ctx, {
    action: 'groupMember.updated',
    ...aboutMember(groupId, userId),
    changes: { role: [member.role, role] },
    writes: [mustHaveRole(ctx, groupId, needed), ...setRole(groupId, member, role)],
    result: { ...member, role, version: member.version + 1 },
  })
}

export async function removeMember(ctx: SignedIn, groupId: string, userId: string): Promise<void> {
  const [[own], [found], shared] = await read(
    ctx,
    membershipIn(ctx, groupId),
    memberOf(groupId, userId),
    accountsSharedWith(groupId, userId),
  )
  const caller = requireRole(own, 'admin')
  const member = requireMember(found)
  const needed = requireCommand(caller.role, member.role)
  requireVersion(ctx, member.version)
  await commit(ctx, {
    action: 'groupMember.removed',
    writes: [mustHaveRole(ctx, groupId, needed), ...partFrom(groupId, member, shared)],
    ...partedFrom(groupId, member, shared),
  })
}

type Shared = { accountId: string }[]

const idsOf = (shared: Shared) => shared.map(({ accountId }) => accountId)

/** With a member go the shares of its accounts. */
export const partFrom = (groupId: string, member: MemberRow, shared: Shared) => [
  ...deleteMember(groupId, member),
  ...endShares(groupId, idsOf(shared), member.userId),
]

/** What a commit says of that. */
export const partedFrom = (groupId: string, { userId, role }: MemberRow, shared: Shared) => ({
  ...aboutMember(groupId, userId),
  changes: { before: { role } },
  items: unsharedItems(groupId, idsOf(shared)),
  result: undefined,
})

/** Also of a suspended group: nobody is kept in one. */
export async function leaveGroup(ctx: SignedIn, groupId: string): Promise<void> {
  const { userId } = ctx.caller
  const [[own], [found], shared] = await read(
    ctx,
    membershipIn(ctx, groupId),
    memberOf(groupId, userId),
    accountsSharedWith(groupId, userId),
  )
  requireIn(own)
  const member = requireMember(found)
  if (member.role === 'owner') {
    throw groupErrors.ownerStays()
  }
  await commit(ctx, {
    action: 'groupMember.left',
    writes: partFrom(groupId, member, shared),
    ...partedFrom(groupId, member, shared),
  })
}

export async function transferGroup(
  ctx: SignedIn,
  groupId: string,
  heirId: string,
): Promise<GroupRow> {
  const [[found], [member], [user]] = await read(
    ctx,
    groupById(ctx, groupId),
    memberOf(groupId, heirId),
    activeUser(heirId),
  )
  const group = requireRole(found, 'owner')
  if (!member || !user || member.role === 'owner') {
    throw groupErrors.unknownMember({ field: 'userId' })
  }
  return commit(ctx, {
    action: 'group.ownerChanged',
    resource: { type: 'group', id: groupId },
    groupId,
    changes: { ownerId: [ctx.caller.userId, heirId] },
    writes: [mustHaveRole(ctx, groupId, 'owner'), ...handOver(groupId, ctx.caller.userId, heirId)],
    result: { ...group, ownerId: heirId, role: 'admin' },
  })
}
