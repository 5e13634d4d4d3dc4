import { addDays, type CalendarDate, LAST_DATE, nearDay } from '../../../domain/calendar.ts'
import { occurrencesIn, scheduledFrom, type Span } from '../../../domain/recurring/occurrences.ts'
import type { Occurrence } from '../../../domain/schedules/schedules.ts'
import {
  knownIn,
  type OccurrenceView,
  spanOfNext,
  viewOf,
} from './occurrences/occurrences.rules.ts'
import { isResting, type RecurringItem } from './recurring.rules.ts'
import { WEEKEND } from './upcoming/upcoming.rules.ts'

/** The cost of an occurrence, or of the part of it that is paid or unpaid. */
export interface OccurrenceCost {
  date: CalendarDate
  /** null while it is unpaid. */
  paidOn: CalendarDate | null
  /** In the currency of the item, without a sign. */
  amountMinor: number
}

/** Occurrences after the span that are found, too: they tell how far apart two of them are. */
const LATER = 2

/**
 * The costs of the occurrences of a span and of the next ones after it, with those that may still be unpaid from before. Of
 * occurrences so long ago that nothing more is read of them, each counts as paid on its day.
 */
export function costsIn(item: RecurringItem, [from, to]: Span): OccurrenceCost[] {
  const [knownFrom] = spanOfNext(item.today)
  const costs = (one: Occurrence) => costsOf(viewOf(item, one), knownFrom)
  let last = to
  let later = 0
  for (const one of to < LAST_DATE ? scheduledFrom(item, addDays(to, 1)) : []) {
    last = one.nominalDate
    later += costs(one).length
    if (later >= LATER || isResting(item)) {
      break
    }
  }
  const first = nearDay(from < knownFrom ? from : knownFrom, -WEEKEND)
  return occurrencesIn(item, knownIn(item), [first, last]).flatMap(costs)
}

function costsOf(
  { item, date, status, paidOn, paidMinor, expected: { amountMinor }, nominalDate }: OccurrenceView,
  knownFrom: CalendarDate,
): OccurrenceCost[] {
  if (date === null || status === 'skipped' || status === 'missed') {
    return []
  }
  if (paidOn === null) {
    const isLongAgo = nominalDate < knownFrom
    return isLongAgo || !isResting(item)
      ? [{ date, paidOn: isLongAgo ? date : null, amountMinor }]
      : []
  }
  const paid = status === 'paid' ? amountMinor : Math.min(Math.max(paidMinor ?? 0, 0), amountMinor)
  return [
    { date, paidOn, amountMinor: paid },
    { date, paidOn: null, amountMinor: isResting(item) ? 0 : amountMinor - paid },
  ].filter((cost) => cost.amountMinor > 0)
}
