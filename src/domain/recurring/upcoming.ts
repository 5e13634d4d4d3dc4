import { addDays, type CalendarDate } from '../calendar.ts'

/** Money that is going to move on a day, in minor units; what goes out is negative. */
export interface ExpectedMovement {
  date: CalendarDate
  amountMinor: number
}

export interface ExpectedBalance {
  date: CalendarDate
  balanceMinor: number
}

export interface Outlook {
  /** The days on which the balance changes. */
  days: ExpectedBalance[]
  /** The first day of the lowest balance, today included. */
  lowest: ExpectedBalance
  /** The first day on which the balance is below zero; null where there is none. */
  belowZeroOn: CalendarDate | null
}

/**
 * The balance of the days to come. What is late counts on the day after today.
 * @param balanceMinor the balance of today
 */
export function outlookFrom(
  today: CalendarDate,
  balanceMinor: number,
  movements: readonly ExpectedMovement[],
): Outlook {
  const tomorrow = addDays(today, 1)
  const byDay = Map.groupBy(movements, ({ date }) => (date < tomorrow ? tomorrow : date))
  const days: ExpectedBalance[] = []
  const start = { date: today, balanceMinor }
  let [lowest, last] = [start, start]
  for (const date of [...byDay.keys()].toSorted()) {
    const sum = (byDay.get(date) ?? []).reduce((total, one) => total + one.amountMinor, 0)
    last = { date, balanceMinor: last.balanceMinor + sum }
    days.push(last)
    lowest = last.balanceMinor < lowest.balanceMinor ? last : lowest
  }
  const below = [start, ...days].find((one) => one.balanceMinor < 0)
  return { days, lowest, belowZeroOn: below?.date ?? null }
}
