import { addDays, type CalendarDate, dateInZone } from '../../../domain/calendar.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, commitAndRead, read, requireVersion } from '../../../platform/database/database.ts'
import { ownedResource } from '../../../platform/database/owned-resource.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { putInTrash } from '../../../ledger/labels/labels.public.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { checkedColumns } from './checking.usecases.ts'
import { linkedAtCreation } from './linking/linking.usecases.ts'
import { type Facts, factsById, spanOfNext } from './occurrences/occurrences.rules.ts'
import { recurringErrors } from './recurring.errors.ts'
import { recurringEvents } from './recurring.events.ts'
import {
  deleteOccurrences,
  itemsById,
  linkedRows,
  matching,
  keepLinking,
  mustFit,
  type RecurringFilter,
  recurringRows,
  storedOccurrences,
  within,
} from './recurring.queries.ts'
import {
  type ItemInput,
  itemOf,
  type RecurringItem,
  type RecurringRow,
  restingColumns,
  type StoredRecurring,
  todayOf,
} from './recurring.rules.ts'
import { type ItemView, itemView, totalsOf, type YearTotals } from './views.rules.ts'

/** The changes that items consist of. */
export const recurringItems = ownedResource({
  prefix: 'rec',
  rows: recurringRows,
  events: recurringEvents,
  notFound: recurringErrors.notFound,
})

/** @throws AppError where a finder has found no item */
export const existingItem = recurringItems.existing

interface ListFilter extends RecurringFilter {
  /** Of the next occurrence. */
  status?: NonNullable<ItemView['next']>['status'] | undefined
  totals?: boolean | undefined
}

/** One page of items, with the sums of all of them if these are asked for. */
export interface ListedItems extends Page<ItemView> {
  totals?: YearTotals[]
}

/** Two days around the day of UTC: it is one of them everywhere. */
const spanAround = ({ now }: SignedIn): [CalendarDate, CalendarDate] => {
  const [from, to] = spanOfNext(dateInZone(now, 'UTC'))
  return [addDays(from, -1), to]
}

/** Reads what is known of the occurrences of items that a statement selects. */
export const factFinders = (ctx: SignedIn, items: Parameters<typeof linkedRows>[1]) => {
  const isNear = within(spanAround(ctx))
  return [storedOccurrences(items, isNear.stored), linkedRows(ctx, items, isNear.linked)] as const
}

/** Lists items in the order of their creation. */
export async function listRecurring(
  ctx: SignedIn,
  { status, totals, ...filter }: ListFilter,
  page: PageRequest,
): Promise<ListedItems> {
  const where = matching(filter)
  const isOfAll = status !== undefined || totals === true
  const [found, [counted], stored, linked] = await read(
    ctx,
    isOfAll ? recurringRows.where(ctx, where) : recurringRows.page(ctx, page, where),
    recurringRows.count(ctx, where),
    ...factFinders(ctx, recurringRows.ids(ctx, where)),
  )
  const factsOf = factsById(stored, linked)
  const viewOf = (row: RecurringRow) => itemView(ctx, itemOf(row), factsOf(row.id))
  const positionOf = ({ item }: ItemView) => [item.id]
  if (!isOfAll) {
    const { rows, next } = cutPage(found, page, ({ id }) => [id])
    return { rows: rows.map(viewOf), next, count: counted?.count ?? 0 }
  }
  const views = found
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(viewOf)
    .filter(({ next }) => status === undefined || next?.status === status)
  const [after = ''] = page.after ?? []
  const rest = views.filter(({ item }) => item.id > after).slice(0, page.limit + 1)
  return {
    ...cutPage(rest, page, positionOf),
    count: views.length,
    ...(totals ? { totals: totalsOf(views) } : {}),
  }
}

/** Finds an item with what is known of its next occurrence. */
export async function getRecurring(ctx: SignedIn, id: string): Promise<ItemView> {
  const [[row], ...facts] = await read(
    ctx,
    recurringRows.byId(ctx, id),
    ...factFinders(ctx, itemsById([id])),
  )
  return itemView(ctx, itemOf(recurringItems.existing(row)), factsById(...facts)(id))
}

interface NewItem extends ItemInput {
  from?: CalendarDate | undefined
  /** Transactions that are linked to it. */
  transactionIds?: string[] | undefined
}

/** Creates an item; occurrences count from a day on, by default from today. */
export async function createRecurring(
  ctx: SignedIn,
  { from, transactionIds = [], ...input }: NewItem,
): Promise<ItemView> {
  const { ownerId, ...derived } = await checkedColumns(ctx, input, dateInZone(ctx.now, 'UTC'))
  // The profile of the caller was read with the labels.
  const today = dateInZone(ctx.now, profileOf(ctx).timeZone)
  const { name, purpose, mode, active, ...definition } = input
  const { remindOn } = definition
  const row = recurringItems.newRow(ctx, ownerId, {
    ...{ name, purpose, mode, active, ...derived, createdBy: ctx.caller.userId },
    definition: JSON.stringify(definition),
    ...{ firstDay: from ?? today, rests: '[]', restedOn: active ? null : today },
    ...{ handledThrough: null, previousId: null, nextAt: ctx.now },
    remindedOn: remindOn !== null && remindOn < today ? remindOn : null,
  })
  const { timeZone } = profileOf(ctx)
  const item = itemOf({ ...row, goneAccounts: 0, timeZone })
  const { changes, linked } =
    transactionIds.length === 0
      ? { changes: [], linked: [] }
      : await linkedAtCreation(ctx, item, transactionIds)
  return commit(ctx, {
    changes: [
      mustBeWritable(ctx, row.accountIds),
      recurringItems.creation(row),
      withoutEvents([mustFit(ownerId), ...keepLinking(ownerId)]),
      ...changes,
    ],
    result: itemView(ctx, item, factsById([], linked)(row.id)),
  })
}

/** Commits changes of items that the caller may write on, and gives the item with an id. */
export async function commitItem(
  ctx: SignedIn,
  { id, accountIds }: Pick<StoredRecurring, 'id' | 'accountIds'>,
  changes: Change[],
  facts?: Facts,
): Promise<ItemView> {
  const [row] = await commitAndRead(
    ctx,
    { changes: [mustBeWritable(ctx, accountIds), ...changes] },
    recurringRows.byId(ctx, id),
  )
  return itemView(ctx, itemOf(recurringItems.existing(row)), facts ?? factsById([], [])(id))
}

/** The caller may write on all accounts of an item. @param accountIds JSON */
export const mustBeWritable = (ctx: SignedIn, accountIds: string): Change =>
  withoutEvents([
    requireAccess(ctx, 'write', JSON.parse(accountIds) as string[], recurringErrors.notFound),
  ])

/** An item as it was read, with all that is known of its occurrences. */
export interface ItemAsRead {
  row: RecurringRow
  item: RecurringItem
  facts: Facts
}

/** Reads an item that is to be changed. */
export async function readItem(ctx: SignedIn, id: string): Promise<ItemAsRead> {
  const [[row], stored, linked] = await read(
    ctx,
    recurringRows.byId(ctx, id),
    storedOccurrences(itemsById([id])),
    linkedRows(ctx, itemsById([id])),
  )
  const found = existingItem(row)
  requireVersion(ctx, found.version)
  return { row: found, item: itemOf(found), facts: factsById(stored, linked)(id) }
}

/** Moves an item to the trash. Its transactions stay. */
export async function deleteRecurring(ctx: SignedIn, id: string): Promise<void> {
  const { row, item, facts } = await readItem(ctx, id)
  const { nextAt: _nextAt, ...stored } = recurringRows.stored(row)
  const kept = { ...stored, ...restingColumns(item, false, todayOf(ctx, item)) }
  const image = { row: kept, occurrences: [...facts.stored.values()], lines: [], into: null }
  await commit(ctx, {
    changes: [
      mustBeWritable(ctx, row.accountIds),
      recurringItems.removal(row),
      withoutEvents([
        deleteOccurrences(row),
        ...keepLinking(row.ownerId),
        putInTrash(ctx, { id, kind: 'recurring', name: row.name }, image),
      ]),
    ],
    result: undefined,
  })
}
