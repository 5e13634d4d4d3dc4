import { freshId, profileOf, type SignedIn } from '../../platform/context.ts'
import { checkAccess, commit, read, requireVersion } from '../../platform/database.ts'
import type { LogItem } from '../../platform/old-change.ts'
import { cutPage, type Page, type PageRequest } from '../../platform/paging.ts'
import { insertMember } from '../memberships/memberships.public.ts'
import { groupErrors } from './groups.errors.ts'
import {
  accountsSharedWith,
  countOfGroups,
  deleteGroup,
  endShares,
  groupById,
  type GroupRow,
  insertGroup,
  mustHaveRole,
  pageOfGroups,
  type StoredGroup,
  updateGroup,
} from './groups.queries.ts'
import { requireIn, requireRole } from './groups.rules.ts'

export async function findGroups(ctx: SignedIn, page: PageRequest): Promise<Page<GroupRow>> {
  const [found, [total]] = await read(ctx, pageOfGroups(ctx, page), countOfGroups(ctx))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function findGroup(ctx: SignedIn, id: string): Promise<GroupRow> {
  const [[group]] = await read(ctx, groupById(ctx, id))
  return requireIn(group)
}

/** A token for some accounts knows of no groups, so it neither makes nor joins one. */
export function requireUnrestricted({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw groupErrors.tokenIsRestricted()
  }
}

interface NewGroup {
  name: string
  kind: StoredGroup['kind']
  baseCurrency?: string | undefined
}

export async function addGroup(ctx: SignedIn, wanted: NewGroup): Promise<GroupRow> {
  await checkAccess(ctx)
  requireUnrestricted(ctx)
  const { userId } = ctx.caller
  const group: StoredGroup = {
    id: freshId(ctx, 'grp'),
    name: wanted.name,
    kind: wanted.kind,
    baseCurrency: wanted.baseCurrency ?? profileOf(ctx).baseCurrency,
    storageClassId: null,
    suspendedAt: null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    action: 'group.created',
    ...about(group.id),
    changes: { after: group },
    writes: [
      ...insertGroup(ctx, group),
      insertMember(ctx, { groupId: group.id, userId, role: 'owner' }),
    ],
    result: { ...group, ownerId: userId, memberCount: 1, role: 'owner' },
  })
}

const about = (id: string) => ({ resource: { type: 'group', id }, groupId: id })

/** Absent means left alone. */
type GroupChanges = { [Field in keyof NewGroup]?: NewGroup[Field] | undefined }

export async function changeGroup(
  ctx: SignedIn,
  id: string,
  wanted: GroupChanges,
): Promise<GroupRow> {
  const group = requireRole((await read(ctx, groupById(ctx, id)))[0][0], 'admin')
  requireVersion(ctx, group.version)
  const { name = group.name, kind = group.kind, baseCurrency = group.baseCurrency } = wanted
  const changed = { name, kind, baseCurrency }
  return commit(ctx, {
    action: 'group.updated',
    ...about(id),
    ownerId: group.ownerId,
    changes: { before: contentOf(group), after: changed },
    writes: [mustHaveRole(ctx, id, 'admin'), ...updateGroup(ctx, group, changed)],
    result: { ...group, ...changed, version: group.version + 1, updatedAt: ctx.now },
  })
}

const contentOf = ({ name, kind, baseCurrency }: GroupRow) => ({ name, kind, baseCurrency })

/** Ends all that hangs on it; what was shared with it is its owners' alone again. */
export async function removeGroup(ctx: SignedIn, id: string): Promise<void> {
  const [[found], shared] = await read(ctx, groupById(ctx, id), accountsSharedWith(id))
  const group = requireRole(found, 'owner')
  requireVersion(ctx, group.version)
  const accountIds = shared.map(({ accountId }) => accountId)
  await commit(ctx, {
    action: 'group.deleted',
    ...about(id),
    changes: { before: contentOf(group) },
    items: unsharedItems(id, accountIds),
    writes: [
      mustHaveRole(ctx, id, 'owner'),
      ...endShares(id, accountIds),
      ...deleteGroup(ctx, group),
    ],
    result: undefined,
  })
}

/** What the log says of each account whose share with a group ends with something else. */
export const unsharedItems = (groupId: string, accountIds: string[]): LogItem[] =>
  accountIds.map((resourceId) => ({ resourceId, changes: { groupId: [groupId, null] } }))
