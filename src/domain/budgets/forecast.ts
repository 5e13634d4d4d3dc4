import { daysBetween, type CalendarDate } from '../calendar.ts'
import { divideHalfEven } from '../money.ts'
import type { Period } from './periods.ts'

/** The number of days of a period that have passed and that are left. */
export interface ElapsedDays {
  /** All days of the period. */
  days: number
  /** The days that have begun, today included: 0 before the period, all after it. */
  begun: number
  /** The days that are left, today included: all before the period, 0 after it. */
  left: number
}

/** The amounts of a line, in minor units. */
export interface SpendingSoFar {
  /** The limit with what is carried in; of an envelope, what is carried in and assigned. */
  total: number
  /** Spent on days up to today. */
  spentSoFar: number
  /** The part of it that was an occurrence of something recurring. */
  planned: number
  /** Booked in the period after today, and expected of what recurs. */
  stillPlanned: number
}

/** In minor units, as bigint: what is projected from a few days may be beyond the range of amounts. */
export interface Forecast {
  /** The part of the total that belongs to the days that have begun. */
  expectedByNow: bigint
  /** Positive where spending is faster than time. */
  pace: bigint
  /** The amount spent by the end of the period if spending continues at its current pace. */
  projected: bigint
  projectedRemaining: bigint
  /** The amount that can be spent on each remaining day, today included. */
  perDayLeft: bigint
}

/** Returns how much of the period has passed at the beginning of this day. */
export function elapsedDays({ start, days }: Period, today: CalendarDate): ElapsedDays {
  const before = Math.min(Math.max(daysBetween(start, today), 0), days)
  return { days, begun: today < start ? 0 : Math.min(before + 1, days), left: days - before }
}

/**
 * Calculates the forecast of a line. Recurring spending counts as planned, and only the rest is projected onto the
 * remaining days. Amounts are rounded half to even; the amount per day is rounded down.
 */
export function forecastOf(line: SpendingSoFar, elapsed: ElapsedDays): Forecast {
  const [total, spent] = [BigInt(line.total), BigInt(line.spentSoFar)]
  const stillPlanned = BigInt(line.stillPlanned)
  const expectedByNow = divideHalfEven(total * BigInt(elapsed.begun), BigInt(elapsed.days))
  const projected = stillPlanned + projectedSpending(spent, BigInt(line.planned), elapsed)
  const available = total - spent - stillPlanned
  return {
    expectedByNow,
    pace: spent - expectedByNow,
    projected,
    projectedRemaining: total - projected,
    perDayLeft: available > 0n && elapsed.left > 0 ? available / BigInt(elapsed.left) : 0n,
  }
}

/** Returns the spending so far, and that of the coming days at the rate of those that have begun. */
function projectedSpending(spent: bigint, planned: bigint, { days, begun }: ElapsedDays): bigint {
  if (begun === 0) {
    return 0n
  }
  const unplanned = spent > planned ? spent - planned : 0n
  return spent + divideHalfEven(unplanned * BigInt(days - begun), BigInt(begun))
}
