import { addDays, addMonths, type CalendarDate, daysBetween, monthNumberOf } from '../calendar.ts'

export const INTERVAL_UNITS = ['day', 'week', 'month', 'year'] as const

/** The most units that one interval has. */
export const MOST_UNITS = 366

/** All days, divided into intervals of so many units from a day on. */
export interface Interval {
  unit: (typeof INTERVAL_UNITS)[number]
  count: number
  /** The first day of interval 0. */
  anchor: CalendarDate
}

export const isByMonth = ({ unit }: Pick<Interval, 'unit'>): boolean =>
  unit === 'month' || unit === 'year'

/** The length of an interval: months for months and years, else days. */
export const lengthOf = ({ unit, count }: Pick<Interval, 'unit' | 'count'>): number =>
  count * { day: 1, week: 7, month: 1, year: 12 }[unit]

/** The first day of the interval with this index, which is counted from the anchor. Throws `calendar.outOfRange`. */
export function intervalStart(interval: Interval, index: number): CalendarDate {
  const add = isByMonth(interval) ? addMonths : addDays
  return add(interval.anchor, index * lengthOf(interval))
}

/** The index of the interval that contains the day. */
export function intervalIndexOf(interval: Interval, date: CalendarDate): number {
  const { anchor } = interval
  if (!isByMonth(interval)) {
    return Math.floor(daysBetween(anchor, date) / lengthOf(interval))
  }
  const months = monthNumberOf(date) - monthNumberOf(anchor)
  // Only a start in the month of the date can be after it.
  const isReached = addMonths(anchor, months) <= date
  return Math.floor((isReached ? months : months - 1) / lengthOf(interval))
}
