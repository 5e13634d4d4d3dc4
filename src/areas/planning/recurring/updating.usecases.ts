import { addDays, type CalendarDate } from '../../../domain/calendar.ts'
import { occurrencesIn } from '../../../domain/recurring/occurrences.ts'
import { checkSchedule, type Schedule } from '../../../domain/schedules/schedules.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { moveRecurringLinks } from '../../../ledger/ledger.public.ts'
import { owns } from '../../identity/access/access.public.ts'
import { transactionErrors } from '../../money/transactions/transactions.public.ts'
import { checkedColumns } from './checking.usecases.ts'
import { type Facts, nextOf } from './occurrences/occurrences.rules.ts'
import { recurringErrors } from './recurring.errors.ts'
import {
  deleteOccurrences,
  moveOccurrences,
  keepLinking,
  mustFit,
  recurringRows,
} from './recurring.queries.ts'
import {
  defined,
  type Definition,
  type ItemInput,
  type RecurringItem,
  restingColumns,
  type StoredRecurring,
  todayOf,
} from './recurring.rules.ts'
import { commitItem, type ItemAsRead, readItem, recurringItems } from './recurring.usecases.ts'
import type { ItemView } from './views.rules.ts'

type ItemChanges = { [Field in keyof ItemInput]?: ItemInput[Field] | undefined }

/** An item after a change, and the nominal dates of what was known of single occurrences and fits no more. */
export interface ChangedItem extends ItemView {
  dropped: CalendarDate[]
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
  const before = await readItem(ctx, id)
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
  { row, item }: ItemAsRead,
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
  { row, item, facts }: ItemAsRead,
  columns: Partial<StoredRecurring>,
): Promise<ChangedItem> {
  const { schedule } = JSON.parse(columns.definition ?? row.definition) as Definition
  const today = todayOf(ctx, item)
  const isMoved = JSON.stringify(schedule) !== JSON.stringify(item.schedule)
  const oldest = nextOf(item, facts, today)?.nominalDate ?? today
  const firstDay =
    isMoved && item.schedule && oldest > item.firstDay ? earlier(oldest, today) : item.firstDay
  const dropped = isMoved ? unfit({ schedule, firstDay }, facts) : []
  const { change, after } = recurringItems.changeOf(ctx, row, { ...columns, firstDay })
  const view = await commitItem(
    ctx,
    { ...row, accountIds: bothOf(row, after) },
    [
      change,
      withoutEvents([
        deleteOccurrences(row, dropped),
        mustFit(row.ownerId),
        ...keepLinking(row.ownerId),
      ]),
    ],
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
  { row, item, facts }: ItemAsRead,
  columns: Partial<StoredRecurring>,
  from: CalendarDate,
): Promise<ChangedItem> {
  const { times: _times, ...schedule } = item.schedule as Schedule
  const definition = JSON.parse(row.definition) as Definition
  const ended = { ...definition, schedule: { ...schedule, until: addDays(from, -1) } }
  const { change } = recurringItems.changeOf(ctx, row, {
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
  const next = recurringItems.newRow(ctx, ownerId, {
    ...{ ...content, ...columns, firstDay: from, previousId: row.id },
    createdBy: ctx.caller.userId,
  })
  const { schedule: wanted } = JSON.parse(next.definition) as Definition
  const later: Facts = {
    stored: new Map([...facts.stored].filter(([date]) => date >= from)),
    linked: new Map([...facts.linked].filter(([date]) => date >= from)),
  }
  const dropped = unfit({ schedule: wanted, firstDay: from }, later)
  const view = await commitItem(
    ctx,
    { id: next.id, accountIds: bothOf(row, next) },
    [
      change,
      recurringItems.creation(next),
      withoutEvents([
        deleteOccurrences(row, dropped),
        moveOccurrences(row, next.id, from),
        moveRecurringLinks(row, next.id, from),
        mustFit(ownerId),
        ...keepLinking(ownerId),
      ]),
    ],
    without(later, dropped),
  )
  return { ...view, dropped }
}
