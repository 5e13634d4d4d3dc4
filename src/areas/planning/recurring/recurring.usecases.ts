import { addDays, type CalendarDate, dateInZone } from '../../../domain/calendar.ts'
import type { Span } from '../../../domain/recurring/occurrences.ts'
import type { OccurrenceStatus } from '../../../domain/recurring/status.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { ownedResource } from '../../../platform/database/owned-resource.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { putInTrash } from '../../../ledger/labels/labels.public.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { checkedColumns } from './checking.usecases.ts'
import { linkedAtCreation } from './linking/linking.usecases.ts'
import {
  nextOf,
  perYearOf,
  spanOfNext,
  type Totals,
  totalsOf,
} from './occurrences/occurrences.rules.ts'
import { recurringErrors } from './recurring.errors.ts'
import { recurringEvents } from './recurring.events.ts'
import {
  deleteOccurrences,
  isOneOf,
  itemFinders,
  keepLinking,
  matching,
  mustFit,
  type RecurringFilter,
  recurringRows,
} from './recurring.queries.ts'
import {
  type ItemInput,
  itemOf,
  itemsFrom,
  type RecurringItem,
  restingColumns,
} from './recurring.rules.ts'

/** The changes that items consist of. */
export const recurringItems = ownedResource({
  prefix: 'rec',
  rows: recurringRows,
  events: recurringEvents,
  notFound: recurringErrors.notFound,
})

interface ListFilter extends RecurringFilter {
  /** Of the next occurrence. */
  status?: OccurrenceStatus | undefined
  totals?: boolean | undefined
}

/** One page of items, with the sums of all of them if these are asked for. */
export interface ListedItems extends Page<RecurringItem> {
  totals?: Totals[]
}

/** The nominal dates that may be of next occurrences, wherever their owners are: it is a day around that of UTC everywhere. */
export const spanOfAnyNext = ({ now }: SignedIn): Span => {
  const [from, to] = spanOfNext(dateInZone(now, 'UTC'))
  return [addDays(from, -1), to]
}

/** Lists items in the order of their creation. */
export async function listRecurring(
  ctx: SignedIn,
  { status, totals, ...filter }: ListFilter,
  page: PageRequest,
): Promise<ListedItems> {
  const where = matching(filter)
  const isOfAll = status !== undefined || totals === true
  const rows = isOfAll ? recurringRows.where(ctx, where) : recurringRows.page(ctx, page, where)
  const [[counted], ...found] = await read(
    ctx,
    recurringRows.count(ctx, where),
    ...itemFinders(ctx, where, spanOfAnyNext(ctx), rows),
  )
  const items = itemsFrom(ctx, found)
  if (!isOfAll) {
    return { ...cutPage(items, page, ({ id }) => [id]), count: counted?.count ?? 0 }
  }
  const all = items.filter((item) => status === undefined || nextOf(item)?.status === status)
  return {
    ...pageOf(all, page, ({ id }) => id),
    ...(totals ? { totals: totalsOf(all.map((item) => ({ item, minor: perYearOf(item) }))) } : {}),
  }
}

/** One page of a list that was read whole. */
export function pageOf<Row>(all: Row[], page: PageRequest, keyOf: (row: Row) => string): Page<Row> {
  const [after = ''] = page.after ?? []
  const rest = all
    .filter((row) => keyOf(row) > after)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return { ...cutPage(rest, page, (row) => [keyOf(row)]), count: all.length }
}

/** Reads an item with what is known of its occurrences, or of those with nominal dates in a span. */
export async function readItem(ctx: SignedIn, id: string, span?: Span): Promise<RecurringItem> {
  const [item] = itemsFrom(ctx, await read(ctx, ...itemFinders(ctx, isOneOf([id]), span)))
  if (!item) {
    throw recurringErrors.notFound()
  }
  return item
}

/** Reads an item that is to be changed. */
export async function readItemToChange(ctx: SignedIn, id: string): Promise<RecurringItem> {
  const item = await readItem(ctx, id)
  requireVersion(ctx, item.version)
  return item
}

/** Finds an item with what is known of its next occurrence. */
export const getRecurring = (ctx: SignedIn, id: string): Promise<RecurringItem> =>
  readItem(ctx, id, spanOfAnyNext(ctx))

interface NewItem extends ItemInput {
  from?: CalendarDate | undefined
  /** Transactions that are linked to it. */
  transactionIds?: string[] | undefined
}

/** Creates an item; occurrences count from a day on, by default from today. */
export async function createRecurring(
  ctx: SignedIn,
  { from, transactionIds = [], ...input }: NewItem,
): Promise<RecurringItem> {
  const { ownerId, ...derived } = await checkedColumns(ctx, input, dateInZone(ctx.now, 'UTC'))
  // The profile of the caller was read with the labels.
  const { timeZone } = profileOf(ctx)
  const today = dateInZone(ctx.now, timeZone)
  const { name, purpose, mode, active, ...definition } = input
  const { remindOn } = definition
  const row = recurringItems.newRow(ctx, ownerId, {
    ...{ name, purpose, mode, active, ...derived, createdBy: ctx.caller.userId },
    definition: JSON.stringify(definition),
    ...{ firstDay: from ?? today, rests: '[]', restedOn: active ? null : today },
    ...{ handledThrough: null, previousId: null, nextAt: ctx.now },
    remindedOn: remindOn !== null && remindOn < today ? remindOn : null,
  })
  const item = itemOf(ctx, { ...row, goneAccounts: 0, timeZone })
  const { changes, linked } = await linkedAtCreation(ctx, item, transactionIds)
  return commit(ctx, {
    changes: [
      mustBeWritable(ctx, row.accountIds),
      recurringItems.creation(row),
      withoutEvents([mustFit(ownerId), ...keepLinking(ownerId)]),
      ...changes,
    ],
    result: itemOf(ctx, item.row, [], linked),
  })
}

/** The caller may write on all accounts of an item. @param accountIds JSON */
export const mustBeWritable = (ctx: SignedIn, accountIds: string): Change =>
  withoutEvents([
    requireAccess(ctx, 'write', JSON.parse(accountIds) as string[], recurringErrors.notFound),
  ])

/** Moves an item to the trash. Its transactions stay. */
export async function deleteRecurring(ctx: SignedIn, id: string): Promise<void> {
  const item = await readItemToChange(ctx, id)
  const { nextAt: _nextAt, ...row } = recurringRows.stored(item.row)
  const kept = { ...row, ...restingColumns(item, false, item.today) }
  const image = { row: kept, occurrences: [...item.stored.values()], lines: [], into: null }
  await commit(ctx, {
    changes: [
      mustBeWritable(ctx, item.accountIds),
      recurringItems.removal(item.row),
      withoutEvents([
        deleteOccurrences(item),
        ...keepLinking(item.ownerId),
        putInTrash(ctx, { id, kind: 'recurring', name: item.name }, image),
      ]),
    ],
    result: undefined,
  })
}
