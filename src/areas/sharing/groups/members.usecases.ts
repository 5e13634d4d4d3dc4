import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import type { Change } from '../../../platform/log/events.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import {
  groupMemberEvents,
  type GivenRole,
  membershipIn,
} from '../../identity/memberships/memberships.public.ts'
import { type ShareRow, unshared } from '../sharing/sharing.public.ts'
import { groupErrors } from './groups.errors.ts'
import { groupEvents } from './groups.events.ts'
import { endShares, groupById, type GroupRow, mustHaveRole, sharesWith } from './groups.queries.ts'
import { requireIn, requireRole, requireCommand } from './groups.rules.ts'
import {
  activeUser,
  countOfMembers,
  deleteMember,
  handOver,
  groupMemberOf,
  type MemberRow,
  pageOfMembers,
  setRole,
} from './members.queries.ts'

export async function listGroupMembers(
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

export async function updateGroupMember(
  ctx: SignedIn,
  groupId: string,
  userId: string,
  role: GivenRole,
): Promise<MemberRow> {
  const [[own], [found]] = await read(
    ctx,
    membershipIn(ctx, groupId),
    groupMemberOf(groupId, userId),
  )
  const caller = requireRole(own, 'admin')
  const member = requireMember(found)
  const needed = requireCommand(caller.role, member.role, role)
  requireVersion(ctx, member.version)
  const version = member.version + 1
  return commit(ctx, {
    changes: [
      {
        statements: [mustHaveRole(ctx, groupId, needed), ...setRole(groupId, member, role)],
        events: [
          groupMemberEvents.updated(
            { id: userId, ownerId: userId, groupId, version },
            { before: { role: member.role }, after: { role } },
          ),
        ],
      },
    ],
    result: { ...member, role, version },
  })
}

export async function removeGroupMember(
  ctx: SignedIn,
  groupId: string,
  userId: string,
): Promise<void> {
  const [[own], [found], shared] = await read(
    ctx,
    membershipIn(ctx, groupId),
    groupMemberOf(groupId, userId),
    sharesWith(groupId, userId),
  )
  const caller = requireRole(own, 'admin')
  const member = requireMember(found)
  const needed = requireCommand(caller.role, member.role)
  requireVersion(ctx, member.version)
  await commit(ctx, {
    changes: [
      parting(ctx, 'removed', { groupId, member, shared }, mustHaveRole(ctx, groupId, needed)),
    ],
    result: undefined,
  })
}

/** A member of a group with what it shares with that. */
interface Parting {
  groupId: string
  member: MemberRow
  shared: ShareRow[]
}

/** With a member go the shares of its accounts. */
export const parting = (
  ctx: SignedIn,
  how: 'left' | 'removed',
  { groupId, member, shared }: Parting,
  ...premises: Statement[]
): Change => ({
  statements: [
    ...premises,
    ...deleteMember(groupId, member),
    ...endShares(groupId, shared, member.userId),
  ],
  events: [
    groupMemberEvents[how](
      { id: member.userId, ownerId: member.userId, groupId },
      { before: { role: member.role } },
    ),
    ...shared.map((share) => unshared(ctx, share)),
  ],
})

/** Also of a suspended group: nobody is kept in one. */
export async function leaveGroup(ctx: SignedIn, groupId: string): Promise<void> {
  const { userId } = ctx.caller
  const [[own], [found], shared] = await read(
    ctx,
    membershipIn(ctx, groupId),
    groupMemberOf(groupId, userId),
    sharesWith(groupId, userId),
  )
  requireIn(own)
  const member = requireMember(found)
  if (member.role === 'owner') {
    throw groupErrors.ownerStays()
  }
  await commit(ctx, {
    changes: [parting(ctx, 'left', { groupId, member, shared })],
    result: undefined,
  })
}

export async function transferGroupOwner(
  ctx: SignedIn,
  groupId: string,
  heirId: string,
): Promise<GroupRow> {
  const [[found], [member], [user]] = await read(
    ctx,
    groupById(ctx, groupId),
    groupMemberOf(groupId, heirId),
    activeUser(heirId),
  )
  const group = requireRole(found, 'owner')
  if (!member || !user || member.role === 'owner') {
    throw groupErrors.unknownMember({ field: 'userId' })
  }
  const { userId } = ctx.caller
  return commit(ctx, {
    changes: [
      {
        statements: [mustHaveRole(ctx, groupId, 'owner'), ...handOver(groupId, userId, heirId)],
        events: [groupEvents.ownerChanged({ id: groupId, groupId }, { ownerId: [userId, heirId] })],
      },
    ],
    result: { ...group, ownerId: heirId, role: 'admin' },
  })
}
