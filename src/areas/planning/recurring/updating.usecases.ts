import { addDays, type CalendarDate } from '../../../domain/calendar.ts'
import { occurrencesIn } from '../../../domain/recurring/occurrences.ts'
import { checkSchedule, type Schedule } from '../../../domain/schedules/schedules.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { commitAndRead } from '../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { moveRecurringLinks } from '../../../ledger/ledger.public.ts'
import { owns } from '../../identity/access/access.public.ts'
import { transactionErrors } from '../../money/transactions/transactions.public.ts'
import { checkedColumns } from './checking.usecases.ts'
import { nextOf } from './occurrences/occurrences.rules.ts'
import { recurringErrors } from './recurring.errors.ts'
import {
  deleteOccurrences,
  keepLinking,
  moveOccurrences,
  mustFit,
  recurringRows,
} from './recurring.queries.ts'
import {
  defined,
  type Definition,
  type ItemInput,
  itemOf,
  type RecurringItem,
  restingColumns,
  type StoredRecurring,
} from './recurring.rules.ts'
import { mustBeWritable, readItemToChange, recurringItems } from './recurring.usecases.ts'

type ItemChanges = { [Field in keyof ItemInput]?: ItemInput[Field] | undefined }

/** An item after a change, and the nominal dates of what was known of single occurrences and fits no more. */
export interface ChangedItem extends RecurringItem {
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
  const before = await readItemToChange(ctx, id)
  const isWhole = from === undefined || isFirst(before, from)
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
  item: RecurringItem,
  sent: ItemChanges,
): Promise<Partial<StoredRecurring>> {
  const { name, purpose, mode, active, ...described } = defined(sent)
  const isOtherKind = described.amountIs !== undefined && described.amountIs !== item.amountIs
  const definition: Definition = {
    ...(JSON.parse(item.row.definition) as Definition),
    ...(isOtherKind ? { amountMax: null, tolerancePercent: null } : {}),
    ...described,
  }
  const columns = {
    ...defined({ name, purpose, mode, active }),
    definition: JSON.stringify(definition),
    ...(active === undefined ? {} : restingColumns(item, active, item.today)),
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
  const { ownerId, ...derived } = await checkedColumns(ctx, input, item.today)
  if (!owns({ userId: item.ownerId }, { ownerId })) {
    throw transactionErrors.unknownAccount({ field: 'transaction.accountId' })
  }
  return { ...columns, ...derived }
}

/** Changes what is not settled. A new schedule counts from the oldest occurrence that is not settled. */
function changeAll(
  ctx: SignedIn,
  item: RecurringItem,
  columns: Partial<StoredRecurring>,
): Promise<ChangedItem> {
  const schedule = scheduleIn(columns.definition ?? item.row.definition)
  const isMoved = JSON.stringify(schedule) !== JSON.stringify(item.schedule)
  const oldest = nextOf(item)?.nominalDate ?? item.today
  const firstDay =
    isMoved && item.schedule && oldest > item.firstDay ? earlier(oldest, item.today) : item.firstDay
  const { change, after } = recurringItems.changeOf(ctx, item.row, { ...columns, firstDay })
  const dropped = isMoved ? unfit(item, { schedule, firstDay }) : []
  return commitGoingOn(ctx, item, after, { changes: [change], dropped })
}

const earlier = (one: CalendarDate, other: CalendarDate) => (one < other ? one : other)

const scheduleIn = (definition: string) => (JSON.parse(definition) as Definition).schedule

/** Ends an item before a nominal date, and lets a new one go on, which takes over all that is known from there on. */
function splitAt(
  ctx: SignedIn,
  item: RecurringItem,
  columns: Partial<StoredRecurring>,
  from: CalendarDate,
): Promise<ChangedItem> {
  const { row } = item
  const { times: _times, ...schedule } = item.schedule as Schedule
  const definition = JSON.parse(row.definition) as Definition
  const ended = { ...definition, schedule: { ...schedule, until: addDays(from, -1) } }
  const { change } = recurringItems.changeOf(ctx, row, {
    definition: JSON.stringify(ended),
    nextAt: ctx.now,
  })
  const next = recurringItems.newRow(ctx, row.ownerId, {
    ...{ ...recurringRows.stored(row), ...columns, firstDay: from, previousId: row.id },
    createdBy: ctx.caller.userId,
  })
  return commitGoingOn(ctx, item, next, {
    changes: [
      change,
      recurringItems.creation(next),
      withoutEvents([moveOccurrences(row, next.id, from), moveRecurringLinks(row, next.id, from)]),
    ],
    dropped: unfit(item, { schedule: scheduleIn(next.definition), firstDay: from }),
    from,
  })
}

/** The nominal dates of what is known of occurrences that a schedule does not have. What is settled stays. */
function unfit(
  { stored, linked }: RecurringItem,
  next: Pick<RecurringItem, 'schedule' | 'firstDay'>,
): CalendarDate[] {
  const dates = [...stored.values()]
    .filter(({ state, nominalDate }) => state !== 'booked' && !linked.has(nominalDate))
    .map(({ nominalDate }) => nominalDate)
    .filter((date) => date >= next.firstDay)
    .toSorted()
  const inSchedule = occurrencesIn(next, new Map(), [next.firstDay, dates.at(-1) ?? ''])
  const fitting = new Set(inSchedule.map(({ nominalDate }) => nominalDate))
  return dates.filter((date) => !fitting.has(date))
}

interface GoingOn {
  changes: Change[]
  /** Nominal dates of which nothing is known any more. */
  dropped: CalendarDate[]
  /** The nominal date from which on the item takes over what is known. */
  from?: CalendarDate
}

/** Commits the change of an item, and gives the one that goes on with what is known of its occurrences. */
async function commitGoingOn(
  ctx: SignedIn,
  item: RecurringItem,
  next: StoredRecurring,
  { changes, dropped, from = '' }: GoingOn,
): Promise<ChangedItem> {
  const accountIds = [item, next].flatMap((one) => JSON.parse(one.accountIds) as string[])
  const [row] = await commitAndRead(
    ctx,
    {
      changes: [
        mustBeWritable(ctx, JSON.stringify([...new Set(accountIds)])),
        withoutEvents([deleteOccurrences(item, dropped)]),
        ...changes,
        withoutEvents([mustFit(item.ownerId), ...keepLinking(item.ownerId)]),
      ],
    },
    recurringRows.byId(ctx, next.id),
  )
  const stored = [...item.stored.values()].filter(
    ({ nominalDate }) => nominalDate >= from && !dropped.includes(nominalDate),
  )
  const linked = [...item.linked.values()].flat().filter(({ nominalDate }) => nominalDate >= from)
  return { ...itemOf(ctx, recurringItems.existing(row), stored, linked), dropped }
}
