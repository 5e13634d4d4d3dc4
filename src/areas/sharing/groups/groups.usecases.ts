import { freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { checkAccess, commit, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { dateInZone } from '../../../domain/calendar.ts'
import { pageFinders, readOn } from '../../../platform/log/log-reading.ts'
import { insertMember, membershipIn } from '../../identity/memberships/memberships.public.ts'
import {
  type AccountView,
  converterInto,
  rollUpAccounts,
  type RollUp,
  visibleAccounts,
} from '../../money/accounts/accounts.public.ts'
import { ratesAsOf, storedRates } from '../../money/exchange-rates/exchange-rates.public.ts'
import { unshared } from '../sharing/sharing.public.ts'
import { groupErrors } from './groups.errors.ts'
import { groupContent, groupEvents } from './groups.events.ts'
import {
  budgetsOf,
  countOfGroups,
  deleteGroupRow,
  endShares,
  groupById,
  type GroupRow,
  insertGroup,
  mustHaveRole,
  pageOfGroups,
  sharesWith,
  type StoredGroup,
  trashBudgets,
  updateGroupRow,
  baseOf,
  currenciesShared,
  sharedIds,
  activityList,
  type ActivityRow,
} from './groups.queries.ts'
import { requireIn, requireRole } from './groups.rules.ts'

export async function listOwnGroups(ctx: SignedIn, page: PageRequest): Promise<Page<GroupRow>> {
  const [found, [total]] = await read(ctx, pageOfGroups(ctx, page), countOfGroups(ctx))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function getGroup(ctx: SignedIn, id: string): Promise<GroupRow> {
  const [[group]] = await read(ctx, groupById(ctx, id))
  return requireIn(group)
}

/** A token for some accounts knows of no groups, so it neither makes nor joins one. */
export function requireUnrestrictedForGroups({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw groupErrors.tokenIsRestricted()
  }
}

interface NewGroup {
  name: string
  kind: StoredGroup['kind']
  baseCurrency?: string | undefined
}

export async function createGroup(ctx: SignedIn, wanted: NewGroup): Promise<GroupRow> {
  await checkAccess(ctx)
  requireUnrestrictedForGroups(ctx)
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
  const { id, version } = group
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...insertGroup(ctx, group),
          insertMember(ctx, { groupId: id, userId, role: 'owner' }),
        ],
        events: [groupEvents.created({ id, groupId: id, version }, { after: group })],
      },
    ],
    result: { ...group, ownerId: userId, memberCount: 1, role: 'owner' },
  })
}

/** Absent means left alone. */
type GroupChanges = { [Field in keyof NewGroup]?: NewGroup[Field] | undefined }

export async function updateGroup(
  ctx: SignedIn,
  id: string,
  wanted: GroupChanges,
): Promise<GroupRow> {
  const group = requireRole((await read(ctx, groupById(ctx, id)))[0][0], 'admin')
  requireVersion(ctx, group.version)
  const { name = group.name, kind = group.kind, baseCurrency = group.baseCurrency } = wanted
  const changed = { name, kind, baseCurrency }
  const [after, version] = [{ ...group, ...changed }, group.version + 1]
  return commit(ctx, {
    changes: [
      {
        statements: [mustHaveRole(ctx, id, 'admin'), ...updateGroupRow(ctx, group, changed)],
        events: [
          groupEvents.updated(
            { id, ownerId: group.ownerId, groupId: id, version },
            { before: group, after },
          ),
        ],
      },
    ],
    result: { ...after, version, updatedAt: ctx.now },
  })
}

/** Ends all that hangs on it; what was shared with it is its owners' alone again. Its budgets go to its owner's trash. */
export async function deleteGroup(ctx: SignedIn, id: string): Promise<void> {
  const [[found], shared, budgets] = await read(
    ctx,
    groupById(ctx, id),
    sharesWith(id),
    budgetsOf(id),
  )
  const group = requireRole(found, 'owner')
  requireVersion(ctx, group.version)
  await commit(ctx, {
    changes: [
      {
        statements: [
          mustHaveRole(ctx, id, 'owner'),
          ...endShares(id, shared),
          trashBudgets(ctx, budgets, group.ownerId),
          ...deleteGroupRow(ctx, group),
        ],
        events: [
          groupEvents.deleted(
            { id, groupId: id },
            { before: groupContent(group), budgetIds: budgets.map((budget) => budget.id) },
          ),
          ...shared.map((share) => unshared(ctx, share)),
        ],
      },
    ],
    result: undefined,
  })
}

const among = (found: AccountView[], shared: { id: string }[]): AccountView[] =>
  found.filter(({ account }) => shared.some(({ id }) => id === account.id))

/** Lists the accounts that are shared with a group, as the caller sees them. */
export async function listGroupAccounts(ctx: SignedIn, groupId: string): Promise<AccountView[]> {
  const [[own], found, shared] = await read(
    ctx,
    membershipIn(ctx, groupId),
    visibleAccounts(ctx),
    sharedIds(ctx, groupId),
  )
  requireIn(own)
  return among(found, shared)
}

/** The totals of that, rolled up by the caller's rates as the home page does it. */
export async function getGroupSummary(
  ctx: SignedIn,
  groupId: string,
  wanted: string | undefined,
): Promise<RollUp> {
  const today = dateInZone(ctx.now, 'UTC')
  const [[found], views, shared, packed] = await read(
    ctx,
    groupById(ctx, groupId),
    visibleAccounts(ctx),
    sharedIds(ctx, groupId),
    ratesAsOf(ctx, today, currenciesShared(ctx, groupId), wanted ?? baseOf(groupId)),
  )
  const currency = wanted ?? requireIn(found).baseCurrency
  requireIn(found)
  const { baseCurrency: base } = profileOf(ctx)
  const convert = converterInto(currency, storedRates(packed, today), { base, day: today })
  return rollUpAccounts(among(views, shared), currency, convert)
}

export async function listGroupActivity(
  ctx: SignedIn,
  groupId: string,
  page: PageRequest,
): Promise<Page<ActivityRow>> {
  const list = activityList(ctx, groupId)
  const [[own], ...found] = await read(ctx, membershipIn(ctx, groupId), ...pageFinders(list, page))
  requireIn(own)
  return readOn(ctx, list, page, found)
}
