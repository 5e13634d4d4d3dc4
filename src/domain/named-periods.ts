import {
  addDays,
  addMonths,
  type CalendarDate,
  dayOfWeek,
  firstOfMonth,
  isCalendarDate,
  lastOfMonth,
  nearDay,
} from './calendar.ts'

/** A span of days, both included. */
export interface DaySpan {
  from: CalendarDate
  to: CalendarDate
}

export const weekAt = (today: CalendarDate, weeks: number): DaySpan => {
  const from = addDays(today, 7 * weeks - dayOfWeek(today))
  return { from, to: nearDay(from, 6) }
}

/** Whole months, the first of which is so many after that of a day. */
export const monthsAt = (day: CalendarDate, first: number, months: number): DaySpan => {
  const from = addMonths(firstOfMonth(day), first)
  return { from, to: lastOfMonth(addMonths(from, months - 1)) }
}

const monthIndex = (day: CalendarDate) => Number(day.slice(5, 7)) - 1

export const quarterAt = (today: CalendarDate, quarters: number) =>
  monthsAt(today, 3 * quarters - (monthIndex(today) % 3), 3)

export const yearAt = (today: CalendarDate, years: number) =>
  monthsAt(today, 12 * years - monthIndex(today), 12)

const lastDays =
  (days: number) =>
  (today: CalendarDate): DaySpan => ({ from: addDays(today, 1 - days), to: today })

/** The periods that have a name, each as a span that depends on today. Weeks begin on Monday. */
const NAMED = {
  today: lastDays(1),
  thisWeek: (today) => weekAt(today, 0),
  lastWeek: (today) => weekAt(today, -1),
  thisMonth: (today) => monthsAt(today, 0, 1),
  lastMonth: (today) => monthsAt(today, -1, 1),
  thisQuarter: (today) => quarterAt(today, 0),
  lastQuarter: (today) => quarterAt(today, -1),
  thisYear: (today) => yearAt(today, 0),
  lastYear: (today) => yearAt(today, -1),
  last7Days: lastDays(7),
  last30Days: lastDays(30),
  last90Days: lastDays(90),
  last365Days: lastDays(365),
  last3Months: (today) => monthsAt(today, -3, 3),
  last12Months: (today) => monthsAt(today, -12, 12),
  yearToDate: (today) => ({ from: yearAt(today, 0).from, to: today }),
} as const satisfies Record<string, (today: CalendarDate) => DaySpan>

export const NAMED_PERIODS = Object.keys(NAMED)

const FIXED = /^(?<year>[0-9]{4})(?:-(?:Q(?<quarter>[1-4])|(?<month>0[1-9]|1[0-2])))?$/

/**
 * Reads the name of a period: `lastMonth`, a year `2026`, a quarter `2026-Q3` or a month `2026-03`.
 * @returns undefined if it is none, or not in the years of the calendar
 */
export function namedPeriod(name: string): ((today: CalendarDate) => DaySpan) | undefined {
  if (Object.hasOwn(NAMED, name)) {
    return NAMED[name as keyof typeof NAMED]
  }
  const { year, quarter, month } = FIXED.exec(name)?.groups ?? {}
  const first = `${year}-${month ?? '01'}-01`
  if (year === undefined || !isCalendarDate(first)) {
    return undefined
  }
  if (quarter !== undefined) {
    return () => monthsAt(first, 3 * (Number(quarter) - 1), 3)
  }
  return () => monthsAt(first, 0, month === undefined ? 12 : 1)
}

/** The span of a date or a named period. */
export const spanOf = (value: string, today: CalendarDate): DaySpan =>
  namedPeriod(value)?.(today) ?? { from: value, to: value }
