import { foldKey } from '../../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import type { Change, DomainEvent } from '../../../../platform/log/events.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import { accountErrors, accountGroupErrors } from '../accounts.errors.ts'
import { accountEvents } from '../accounts.events.ts'
import { type AccountView, visibleAccounts } from '../accounts.queries.ts'
import { accountGroupEvents } from './folders.events.ts'
import {
  emptyFolder,
  type FolderRow,
  folderRows,
  type Group,
  groupsOfUser,
  mustBeOwnGroup,
  mustHaveRoomForFolder,
  type NamedGroup,
  placeInGroup,
} from './folders.queries.ts'

/** A restricted token sees the folders that its accounts are in. */
export async function listAccountGroups(ctx: SignedIn): Promise<Group[]> {
  const [groups, views] = await read(ctx, groupsOfUser(ctx), visibleAccounts(ctx))
  const found = groups.map((group) => ({ ...group, accountIds: membersOf(group.id, views) }))
  return ctx.caller.token?.accountIds
    ? found.filter(({ accountIds }) => accountIds.length > 0)
    : found
}

const membersOf = (groupId: string, views: AccountView[]) =>
  views.filter(({ account }) => account.accountGroupId === groupId).map(({ account }) => account.id)

const conflicts = {
  'account_groups.name_key': () => accountGroupErrors.nameTaken({ field: 'name' }),
}
const unknownAccount = () => accountErrors.targetNotFound({ field: 'accountIds' })

interface NewGroup {
  name: string
  order: number
  accountIds: string[]
}

export async function createAccountGroup(ctx: SignedIn, wanted: NewGroup): Promise<Group> {
  const [views] = await read(ctx, visibleAccounts(ctx))
  requireUnrestricted(ctx)
  const accountIds = inOrder(wanted.accountIds, views)
  const group: FolderRow = {
    id: freshId(ctx, 'agr'),
    ownerId: ctx.caller.userId,
    name: wanted.name,
    nameKey: foldKey(wanted.name),
    order: wanted.order,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const { id, version } = group
  const after = { ...group, accountIds }
  return commit(ctx, {
    changes: [
      {
        statements: [mustHaveRoomForFolder(group), folderRows.insert(group)],
        events: [accountGroupEvents.created({ id, version }, { after })],
      },
      filling(ctx, id, views, accountIds),
    ],
    result: after,
    conflicts,
  })
}

/** Absent means left alone. */
type GroupChanges = { [Field in keyof NewGroup]?: NewGroup[Field] | undefined }

export async function updateAccountGroup(
  ctx: SignedIn,
  id: string,
  wanted: GroupChanges,
): Promise<Group> {
  const { group, views } = await findToWrite(ctx, id)
  const { name = group.name, order = group.order } = wanted
  const before = membersOf(id, views)
  const accountIds = wanted.accountIds ? inOrder(wanted.accountIds, views) : before
  const changed = { name, nameKey: foldKey(name), order }
  const after = { ...group, ...changed, accountIds }
  const version = group.version + 1
  return commit(ctx, {
    changes: [
      {
        statements: folderRows.update(ctx, group, changed),
        events: [
          accountGroupEvents.updated(
            { id, version },
            { before: { ...group, accountIds: before }, after },
          ),
        ],
      },
      ...(wanted.accountIds ? [filling(ctx, id, views, accountIds)] : []),
    ],
    result: { ...after, version, updatedAt: ctx.now },
    conflicts,
  })
}

/** Deletes a folder; the accounts in it stay. */
export async function deleteAccountGroup(ctx: SignedIn, id: string): Promise<void> {
  const { group, views } = await findToWrite(ctx, id)
  const before = { ...group, accountIds: membersOf(id, views) }
  await commit(ctx, {
    changes: [
      {
        statements: [emptyFolder(ctx, id), ...folderRows.delete(group)],
        events: [accountGroupEvents.deleted({ id }, { before }), ...movesOf(views, id, [])],
      },
    ],
    result: undefined,
  })
}

async function findToWrite(
  ctx: SignedIn,
  id: string,
): Promise<{ group: FolderRow; views: AccountView[] }> {
  const [groups, views] = await read(ctx, groupsOfUser(ctx), visibleAccounts(ctx))
  const group = groups.find((one) => one.id === id)
  const isSeen = !ctx.caller.token?.accountIds || membersOf(id, views).length > 0
  if (!group || !isSeen) {
    throw accountGroupErrors.notFound()
  }
  requireUnrestricted(ctx)
  requireVersion(ctx, group.version)
  return { group, views }
}

function requireUnrestricted({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw accountGroupErrors.tokenIsRestricted()
  }
}

/** In the order of the list of accounts. */
function inOrder(wanted: string[], views: AccountView[]): string[] {
  if (new Set(wanted).size < wanted.length) {
    throw accountErrors.repeatedAccount({ field: 'accountIds' })
  }
  const known = views.map(({ account }) => account.id)
  if (!wanted.every((id) => known.includes(id))) {
    throw unknownAccount()
  }
  return known.filter((id) => wanted.includes(id))
}

/** These accounts and no others are in the folder then. */
const filling = (
  ctx: SignedIn,
  groupId: string,
  views: AccountView[],
  accountIds: string[],
): Change => ({
  statements: [
    requireAccess(ctx, 'owner', accountIds, unknownAccount),
    ...placeInGroup(ctx, groupId, accountIds),
  ],
  events: movesOf(views, groupId, accountIds),
})

/** The events of the accounts that enter or leave a folder. */
const movesOf = (views: AccountView[], groupId: string, accountIds: string[]): DomainEvent[] =>
  views.flatMap(({ account: { id, accountGroupId } }) => {
    const isIn = accountIds.includes(id)
    const [before, after] = [{ accountGroupId }, { accountGroupId: isIn ? groupId : null }]
    return isIn === (accountGroupId === groupId)
      ? []
      : [accountEvents.updated({ id, accountId: id }, { before, after })]
  })

/** The folder fields of an account. */
interface Member {
  accountGroupId?: string | null | undefined
}

/** A restricted token knows of the folders that its accounts are in. */
export function requireGroup(
  { caller }: SignedIn,
  { accountGroupId }: Member,
  group: NamedGroup | undefined,
): void {
  const isKnown = group && (!caller.token?.accountIds || group.isSeen === 1)
  if (accountGroupId && !isKnown) {
    throw accountErrors.unknownGroup({ field: 'accountGroupId' })
  }
}

/** Refuses when the folder that an account is put into was deleted. */
export const mustBeInFolder = (ctx: SignedIn, { accountGroupId }: Member): Statement[] =>
  accountGroupId ? [mustBeOwnGroup(ctx, accountGroupId)] : []
