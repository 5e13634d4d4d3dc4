import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import {
  groupMemberEvents,
  type GivenRole,
  insertMember,
  MOST_MEMBERS,
  mustHaveRoomInGroup,
} from '../../identity/memberships/memberships.public.ts'
import { mustNotBeStronger, strongerThanCaller } from '../../identity/roles/roles.public.ts'
import { unshared } from '../sharing/sharing.public.ts'
import { groupErrors } from './groups.errors.ts'
import { groupContent, groupEvents } from './groups.events.ts'
import {
  budgetsOf,
  deleteGroupRow,
  endShares,
  sharesWith,
  trashBudgets,
  updateGroupRow,
  anyGroup,
  type AnyGroupRow,
  countOfAllGroups,
  memberIdsOf,
  mustExist,
  pageOfAllGroups,
} from './groups.queries.ts'
import { requireUnrestrictedForGroups } from './groups.usecases.ts'
import {
  activeUser,
  groupMemberOf,
  type MemberRow,
  mustBeActive,
  pageOfMembers,
} from './members.queries.ts'
import { parting, requireMember } from './members.usecases.ts'

export interface AnyGroup {
  group: AnyGroupRow
  members: MemberRow[]
}

export async function listAllGroups(ctx: SignedIn, page: PageRequest): Promise<Page<AnyGroupRow>> {
  const [found, [total]] = await read(ctx, pageOfAllGroups(page), countOfAllGroups())
  requireUnrestrictedForGroups(ctx)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function getAnyGroup(ctx: SignedIn, id: string): Promise<AnyGroup> {
  const [[group], members] = await read(
    ctx,
    anyGroup(id),
    pageOfMembers(id, { limit: MOST_MEMBERS, after: undefined }),
  )
  return { group: existing(ctx, group), members }
}

/**
 * Refuses administration of a group with a member who is stronger than the caller: it concerns all members, and ends
 * what they share.
 */
function requireNoneStronger(stronger: { id: string }[]): void {
  if (stronger.length > 0) {
    throw groupErrors.strongerMember()
  }
}

/** Belongs in front of every change. Refuses when somebody in the group is stronger than the caller by now. */
const noneMayBeStronger = (ctx: SignedIn, id: string) =>
  mustNotBeStronger(ctx, memberIdsOf(id), groupErrors.strongerMember)

function existing(ctx: SignedIn, group: AnyGroupRow | undefined): AnyGroupRow {
  requireUnrestrictedForGroups(ctx)
  if (!group) {
    throw groupErrors.notFound()
  }
  return group
}

/** Makes the event of an administrator visible to the group, in the log of its owner. */
const about = ({ id, ownerId }: AnyGroupRow) => ({ id, ownerId, groupId: id })

/** Absent means left alone. */
interface SentGroup {
  name?: string | undefined
  suspended?: boolean | undefined
}

export async function updateAnyGroup(
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
  const [after, version] = [{ ...group, ...changed }, group.version + 1]
  return commit(ctx, {
    changes: [
      {
        statements: [noneMayBeStronger(ctx, id), ...updateGroupRow(ctx, group, changed)],
        events: [groupEvents.updated({ ...about(group), version }, { before: group, after })],
      },
    ],
    result: { group: { ...after, version, updatedAt: ctx.now }, members },
  })
}

export async function deleteAnyGroup(ctx: SignedIn, id: string): Promise<void> {
  const [[found], shared, budgets, stronger] = await read(
    ctx,
    anyGroup(id),
    sharesWith(id),
    budgetsOf(id),
    strongerThanCaller(ctx, memberIdsOf(id)),
  )
  const group = existing(ctx, found)
  requireNoneStronger(stronger)
  requireVersion(ctx, group.version)
  await commit(ctx, {
    changes: [
      {
        statements: [
          noneMayBeStronger(ctx, id),
          ...endShares(id, shared),
          trashBudgets(ctx, budgets, group.ownerId),
          ...deleteGroupRow(ctx, group),
        ],
        events: [
          groupEvents.deleted(about(group), {
            before: groupContent(group),
            budgetIds: budgets.map((budget) => budget.id),
          }),
          ...shared.map((share) => unshared(ctx, share)),
        ],
      },
    ],
    result: undefined,
  })
}

/** Adds a member, who then sees what the members share. So no member may be stronger than the caller. */
export async function addGroupMember(
  ctx: SignedIn,
  id: string,
  { userId, role }: { userId: string; role: GivenRole },
): Promise<MemberRow> {
  const [[found], [user], [member], stronger] = await read(
    ctx,
    anyGroup(id),
    activeUser(userId),
    groupMemberOf(id, userId),
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
    changes: [
      {
        statements: [
          mustExist(id),
          noneMayBeStronger(ctx, id),
          mustBeActive(userId, unknownUser),
          mustHaveRoomInGroup(id, groupErrors.full),
          insertMember(ctx, { groupId: id, userId, role }),
        ],
        events: [
          groupMemberEvents.added(
            { id: userId, ownerId: userId, groupId: id, version: 1 },
            { after: { role } },
          ),
        ],
      },
    ],
    result: { userId, name, email, role, joinedAt: ctx.now, version: 1 },
    conflicts: { 'group_members.group_id': groupErrors.alreadyMember },
  })
}

export async function removeAnyGroupMember(
  ctx: SignedIn,
  id: string,
  userId: string,
): Promise<void> {
  const [[group], [found], shared, stronger] = await read(
    ctx,
    anyGroup(id),
    groupMemberOf(id, userId),
    sharesWith(id, userId),
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
    changes: [parting(ctx, 'removed', { groupId: id, member, shared }, noneMayBeStronger(ctx, id))],
    result: undefined,
  })
}
