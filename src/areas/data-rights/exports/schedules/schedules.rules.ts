import { addDays, type CalendarDate } from '../../../../domain/calendar.ts'
import {
  occurrencesFrom,
  PLAIN_SCHEDULE,
  WEEKDAYS,
} from '../../../../domain/schedules/schedules.ts'
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
  const anchor = addDays(today, 1)
  const on = every === 'week' ? { weekday: WEEKDAYS[day - 1] ?? 'mon' } : { day }
  const schedule = { unit: every, count: 1, anchor, on: [on], ...PLAIN_SCHEDULE }
  return occurrencesFrom(schedule).next().value?.nominalDate ?? anchor
}
