import { addDays, type CalendarDate } from '../../../domain/calendar.ts'
import { scheduledFrom } from '../../../domain/recurring/occurrences.ts'
import type { Facts, OccurrenceView } from './occurrences/occurrences.rules.ts'
import { nextOf } from './occurrences/occurrences.rules.ts'
import { isResting, type RecurringItem, todayOf } from './recurring.rules.ts'

/** An item with what follows from its schedule and from what is booked. */
export interface ItemView {
  item: RecurringItem
  /** The oldest occurrence that is not settled. */
  next: OccurrenceView | null
  /** The number of its occurrences from today on; null where they do not end, or are too many to be counted. */
  left: number | null
  /** The expected amount of the next 365 days, in minor units. */
  perYear: bigint
}

const DAYS_AHEAD = 364

export function itemView(ctx: { now: number }, item: RecurringItem, facts: Facts): ItemView {
  const today = todayOf(ctx, item)
  const isIdle = item.schedule === null || isResting(item)
  return {
    item,
    next: nextOf(item, facts, today),
    // Not each view is shown, and counting takes a while.
    get left() {
      return isIdle ? 0 : occurrencesLeft(item, today)
    },
    get perYear() {
      const inYear = isIdle ? 0 : countUntil(item, today, addDays(today, DAYS_AHEAD))
      return BigInt(item.amountMinor) * BigInt(inYear)
    },
  }
}

function countUntil(item: RecurringItem, from: CalendarDate, to: CalendarDate): number {
  let number = 0
  for (const { nominalDate, date } of scheduledFrom(item, from)) {
    if (nominalDate > to) {
      break
    }
    number += date === null ? 0 : 1
  }
  return number
}

/** As many as `times` of a schedule says at most. */
const MOST_LEFT = 2000

function occurrencesLeft(item: RecurringItem, today: CalendarDate): number | null {
  const { until, times } = item.schedule ?? {}
  if (until === undefined && times === undefined) {
    return null
  }
  const { length } = scheduledFrom(item, today)
    .take(MOST_LEFT + 1)
    .toArray()
  return length > MOST_LEFT ? null : length
}

/** Sums of a year by currency. */
export interface YearTotals {
  currency: string
  in: bigint
  out: bigint
}

/** The sums of items; what moves between own accounts is neither in nor out. */
export function totalsOf(views: readonly ItemView[]): YearTotals[] {
  const byCurrency = Map.groupBy(views, ({ item }) => item.currency)
  const sumOf = (list: readonly ItemView[], kind: 'income' | 'expense') =>
    list
      .filter(({ item }) => item.transaction.kind === kind)
      .reduce((sum, { perYear }) => sum + perYear, 0n)
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, list]) => ({
      currency,
      in: sumOf(list, 'income'),
      out: sumOf(list, 'expense'),
    }))
}
