import {
  addDays,
  addMonths,
  type CalendarDate,
  firstOfMonth,
  lastOfMonth,
  toDayNumber,
} from '../../../../domain/calendar.ts'
import { exportErrors } from '../exports.errors.ts'
import type { ExportFormat } from '../exports.rules.ts'

export const CADENCES = ['week', 'month'] as const

/** When a schedule is due. */
export interface Cadence {
  every: (typeof CADENCES)[number]
  /** The day of the week, from Monday, or of the month. */
  day: number
}

export interface ExportScheduleRow extends Cadence {
  id: string
  ownerId: string
  format: ExportFormat
  /** JSON of the options of its exports. */
  options: string
  /** JSON of what they select. */
  scope: string
  keep: number
  nextOn: CalendarDate
  version: number
  createdAt: number
  updatedAt: number
}

export const DAYS_OF_WEEK = 7

export function requireDay({ every, day }: Cadence): void {
  if (every === 'week' && day > DAYS_OF_WEEK) {
    throw exportErrors.notADay({ field: 'day' })
  }
}

/** The first day after this one on which a schedule is due. A month that has no such day is due on its last day. */
export function nextDueAfter({ every, day }: Cadence, today: CalendarDate): CalendarDate {
  if (every === 'week') {
    // The first day of 1970 was a Thursday.
    const weekday = ((toDayNumber(today) + 3) % DAYS_OF_WEEK) + 1
    return addDays(today, ((day - weekday + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK) + 1)
  }
  const inMonth = dayOfMonth(day, today)
  return inMonth > today ? inMonth : dayOfMonth(day, addMonths(firstOfMonth(today), 1))
}

function dayOfMonth(day: number, date: CalendarDate): CalendarDate {
  const last = lastOfMonth(date)
  const wanted = addDays(firstOfMonth(date), day - 1)
  return wanted < last ? wanted : last
}
