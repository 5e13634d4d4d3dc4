import { addDays, type CalendarDate } from '../calendar.ts'
import type { Span } from './occurrences.ts'

/** Money that is going to move on a day, in minor units; what goes out is negative. */
export interface ExpectedMovement {
  date: CalendarDate
  amountMinor: bigint
}

export interface ExpectedBalance {
  date: CalendarDate
  balanceMinor: bigint
}

export interface Outlook {
  /** The days of the span, from today on. */
  days: ExpectedBalance[]
  /** The first of these days with the lowest balance; null where there is none. */
  lowest: ExpectedBalance | null
  /** The first of these days on which the balance is below zero; null where there is none. */
  belowZeroOn: CalendarDate | null
}

/**
 * The balances of the days to come. What is late, or was to come today, counts on the day after.
 * @param balanceMinor the balance of today
 */
export function outlookFrom(
  [from, to]: Span,
  { today, balanceMinor }: { today: CalendarDate; balanceMinor: bigint },
  movements: readonly ExpectedMovement[],
): Outlook {
  const tomorrow = addDays(today, 1)
  const byDay = Map.groupBy(movements, ({ date }) => (date < tomorrow ? tomorrow : date))
  const days: ExpectedBalance[] = []
  let balance = balanceMinor
  for (let date = today; date <= to; date = addDays(date, 1)) {
    balance += (byDay.get(date) ?? []).reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    if (date >= from) {
      days.push({ date, balanceMinor: balance })
    }
  }
  const [first = null, ...others] = days
  return {
    days,
    lowest:
      first &&
      others.reduce((low, one) => (one.balanceMinor < low.balanceMinor ? one : low), first),
    belowZeroOn: days.find((one) => one.balanceMinor < 0n)?.date ?? null,
  }
}
