import { addDays, type CalendarDate, dateInZone } from '../../../domain/calendar.ts'
import { occurrencesIn } from '../../../domain/recurring/occurrences.ts'
import { checkSchedule, type Schedule } from '../../../domain/schedules/schedules.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, commitAndRead, read, requireVersion } from '../../../platform/database/database.ts'
import { ownedResource } from '../../../platform/database/owned-resource.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { moveRecurringLinks } from '../../../ledger/ledger.public.ts'
import { putInTrash } from '../../../ledger/labels/labels.public.ts'
import { owns, requireAccess } from '../../identity/access/access.public.ts'
import { transactionErrors } from '../../money/transactions/transactions.public.ts'
import { checkedColumns } from './checking.usecases.ts'
import { type Facts, factsById, nextOf, spanOfNext } from './occurrences/occurrences.rules.ts'
import { recurringErrors } from './recurring.errors.ts'
import { recurringEvents } from './recurring.events.ts'
import {
  deleteOccurrences,
  itemsById,
  linkedRows,
  matching,
  moveOccurrences,
  mustFit,
  occurrencesOfItem,
  type RecurringFilter,
  type RecurringRow,
  recurringRows,
  storedOccurrences,
  type StoredRecurring,
  within,
} from './recurring.queries.ts'
import {
  defined,
  type Definition,
  type ItemInput,
  itemOf,
  type RecurringItem,
  restingColumns,
  todayOf,
} from './recurring.rules.ts'
import { type ItemView, itemView, totalsOf, type YearTotals } from './views.rules.ts'

const resource = ownedResource({
  prefix: 'rec',
  rows: recurringRows,
  events: recurringEvents,
  notFound: recurringErrors.notFound,
})

/** @throws AppError where a finder has found no item */
export const existingItem = resource.existing

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
const factFinders = (ctx: SignedIn, items: Parameters<typeof linkedRows>[1]) => {
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
  return itemView(ctx, itemOf(resource.existing(row)), factsById(...facts)(id))
}

/** Creates an item; occurrences count from a day on, by default from today. */
export async function createRecurring(
  ctx: SignedIn,
  { from, ...input }: ItemInput & { from?: CalendarDate | undefined },
): Promise<ItemView> {
  const { ownerId, ...derived } = await checkedColumns(ctx, input, dateInZone(ctx.now, 'UTC'))
  // The profile of the caller was read with the labels.
  const today = dateInZone(ctx.now, profileOf(ctx).timeZone)
  const { name, purpose, mode, active, ...definition } = input
  const { remindOn } = definition
  const row = resource.newRow(ctx, ownerId, {
    ...{ name, purpose, mode, active, ...derived, createdBy: ctx.caller.userId },
    definition: JSON.stringify(definition),
    ...{ firstDay: from ?? today, rests: '[]', restedOn: active ? null : today },
    ...{ handledThrough: null, previousId: null, nextAt: ctx.now },
    remindedOn: remindOn !== null && remindOn < today ? remindOn : null,
  })
  return committed(ctx, row, [resource.creation(row), withoutEvents([mustFit(ownerId)])])
}

/** Commits changes of items that the caller may write on, and gives the item with an id. */
async function committed(
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
  return itemView(ctx, itemOf(resource.existing(row)), facts ?? factsById([], [])(id))
}

/** The caller may write on all accounts of an item. @param accountIds JSON */
export const mustBeWritable = (ctx: SignedIn, accountIds: string): Change =>
  withoutEvents([
    requireAccess(ctx, 'write', JSON.parse(accountIds) as string[], recurringErrors.notFound),
  ])

type ItemChanges = { [Field in keyof ItemInput]?: ItemInput[Field] | undefined }

/** An item after a change, and the nominal dates of what was known of single occurrences and fits no more. */
export interface ChangedItem extends ItemView {
  dropped: CalendarDate[]
}

/** An item as it was read, with all that is known of its occurrences. */
interface AsRead {
  row: RecurringRow
  item: RecurringItem
  facts: Facts
}

async function readWhole(ctx: SignedIn, id: string): Promise<AsRead> {
  const [[row], stored, linked] = await read(
    ctx,
    recurringRows.byId(ctx, id),
    occurrencesOfItem(id),
    linkedRows(ctx, itemsById([id])),
  )
  const found = resource.existing(row)
  requireVersion(ctx, found.version)
  return { row: found, item: itemOf(found), facts: factsById(stored, linked)(id) }
}

/**
 * Changes an item for all that is not settled, or ends it before a nominal date and lets a new item go on from there.
 * @param from that nominal date
 */
export async function updateRecurring(
  ctx: SignedIn,
  id: string,
  { from, ...sent }: ItemChanges & { from?: CalendarDate | undefined },
): Promise<ChangedItem> {
  const before = await readWhole(ctx, id)
  const isWhole = from === undefined || isFirst(before.item, from)
  const changed = await changedColumns(ctx, before, sent)
  return isWhole ? changeAll(ctx, before, changed) : splitAt(ctx, before, changed, from)
}

/** True if nothing of an item comes before this nominal date. */
function isFirst({ schedule, firstDay }: RecurringItem, from: CalendarDate): boolean {
  const dates = occurrencesIn({ schedule, firstDay }, new Map(), [firstDay, from])
  if (dates.at(-1)?.nominalDate !== from) {
    throw recurringErrors.notInSchedule({ field: 'from' })
  }
  return dates.length === 1
}

/** The columns that a request changes. */
async function changedColumns(
  ctx: SignedIn,
  { row, item }: AsRead,
  sent: ItemChanges,
): Promise<Partial<StoredRecurring>> {
  const today = todayOf(ctx, item)
  const { name, purpose, mode, active, ...described } = defined(sent)
  const before = JSON.parse(row.definition) as Definition
  const isOtherKind = described.amountIs !== undefined && described.amountIs !== before.amountIs
  const definition: Definition = {
    ...before,
    ...(isOtherKind ? { amountMax: null, tolerancePercent: null } : {}),
    ...described,
  }
  const columns = {
    ...defined({ name, purpose, mode, active }),
    definition: JSON.stringify(definition),
    ...(active === undefined ? {} : restingColumns(item, active, today)),
    nextAt: ctx.now,
  }
  // What only changes words or days can be changed although an account was closed.
  const { transaction, amountIs, amountMax, tolerancePercent } = described
  if (
    [transaction, amountIs, amountMax, tolerancePercent, mode].every((one) => one === undefined)
  ) {
    if (definition.schedule) {
      checkSchedule(definition.schedule)
    }
    return columns
  }
  const input = { ...item, ...columns, ...definition }
  const { ownerId, ...derived } = await checkedColumns(ctx, input, today)
  if (!owns({ userId: item.ownerId }, { ownerId })) {
    throw transactionErrors.unknownAccount({ field: 'transaction.accountId' })
  }
  return { ...columns, ...derived }
}

/** Changes what is not settled. A new schedule counts from the oldest occurrence that is not settled. */
async function changeAll(
  ctx: SignedIn,
  { row, item, facts }: AsRead,
  columns: Partial<StoredRecurring>,
): Promise<ChangedItem> {
  const { schedule } = JSON.parse(columns.definition ?? row.definition) as Definition
  const today = todayOf(ctx, item)
  const isMoved = JSON.stringify(schedule) !== JSON.stringify(item.schedule)
  const oldest = nextOf(item, facts, today)?.nominalDate ?? today
  const firstDay =
    isMoved && item.schedule && oldest > item.firstDay ? earlier(oldest, today) : item.firstDay
  const dropped = isMoved ? unfit({ schedule, firstDay }, facts) : []
  const { change, after } = resource.changeOf(ctx, row, { ...columns, firstDay })
  const view = await committed(
    ctx,
    { ...row, accountIds: bothOf(row, after) },
    [change, withoutEvents([deleteOccurrences(row, dropped), mustFit(row.ownerId)])],
    without(facts, dropped),
  )
  return { ...view, dropped }
}

const earlier = (one: CalendarDate, other: CalendarDate) => (one < other ? one : other)

/** JSON of the accounts before and after a change. */
const bothOf = (...rows: Pick<StoredRecurring, 'accountIds'>[]): string =>
  JSON.stringify([...new Set(rows.flatMap(({ accountIds }) => JSON.parse(accountIds) as string[]))])

/** The nominal dates of what is known of occurrences that a schedule does not have. What is settled stays. */
function unfit(
  item: Pick<RecurringItem, 'schedule' | 'firstDay'>,
  { stored, linked }: Facts,
): CalendarDate[] {
  const dates = [...stored.values()]
    .filter(({ state, nominalDate }) => state !== 'booked' && !linked.has(nominalDate))
    .map(({ nominalDate }) => nominalDate)
    .filter((date) => date >= item.firstDay)
  const last = dates.reduce((latest, date) => (date > latest ? date : latest), '')
  const fitting = new Set(
    occurrencesIn(item, new Map(), [item.firstDay, last]).map(({ nominalDate }) => nominalDate),
  )
  return dates.filter((date) => !fitting.has(date)).toSorted()
}

const without = ({ stored, linked }: Facts, dates: CalendarDate[]): Facts => ({
  stored: new Map([...stored].filter(([date]) => !dates.includes(date))),
  linked,
})

/** Ends an item before a nominal date, and lets a new one go on, which takes over all that is known from there on. */
async function splitAt(
  ctx: SignedIn,
  { row, item, facts }: AsRead,
  columns: Partial<StoredRecurring>,
  from: CalendarDate,
): Promise<ChangedItem> {
  const { times: _times, ...schedule } = item.schedule as Schedule
  const definition = JSON.parse(row.definition) as Definition
  const ended = { ...definition, schedule: { ...schedule, until: addDays(from, -1) } }
  const { change } = resource.changeOf(ctx, row, {
    definition: JSON.stringify(ended),
    nextAt: ctx.now,
  })
  const {
    id: _id,
    ownerId,
    version: _version,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...content
  } = recurringRows.stored(row)
  const next = resource.newRow(ctx, ownerId, {
    ...{ ...content, ...columns, firstDay: from, previousId: row.id },
    createdBy: ctx.caller.userId,
  })
  const { schedule: wanted } = JSON.parse(next.definition) as Definition
  const later: Facts = {
    stored: new Map([...facts.stored].filter(([date]) => date >= from)),
    linked: new Map([...facts.linked].filter(([date]) => date >= from)),
  }
  const dropped = unfit({ schedule: wanted, firstDay: from }, later)
  const view = await committed(
    ctx,
    { id: next.id, accountIds: bothOf(row, next) },
    [
      change,
      resource.creation(next),
      withoutEvents([
        deleteOccurrences(row, dropped),
        moveOccurrences(row, next.id, from),
        moveRecurringLinks(row, next.id, from),
        mustFit(ownerId),
      ]),
    ],
    without(later, dropped),
  )
  return { ...view, dropped }
}

/** Moves an item to the trash. Its transactions stay. */
export async function deleteRecurring(ctx: SignedIn, id: string): Promise<void> {
  const { row, item, facts } = await readWhole(ctx, id)
  const { nextAt: _nextAt, ...stored } = recurringRows.stored(row)
  const kept = { ...stored, ...restingColumns(item, false, todayOf(ctx, item)) }
  const image = { row: kept, occurrences: [...facts.stored.values()], lines: [], into: null }
  await commit(ctx, {
    changes: [
      mustBeWritable(ctx, row.accountIds),
      resource.removal(row),
      withoutEvents([
        deleteOccurrences(row),
        putInTrash(ctx, { id, kind: 'recurring', name: row.name }, image),
      ]),
    ],
    result: undefined,
  })
}
