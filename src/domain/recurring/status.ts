import { nearDay, type CalendarDate } from '../calendar.ts'

export const OCCURRENCE_STATUSES = [
  'paid',
  'skipped',
  'missed',
  'overdue',
  'partlyPaid',
  'grace',
  'due',
  'upcoming',
] as const

export type OccurrenceStatus = (typeof OCCURRENCE_STATUSES)[number]

export interface OccurrenceState {
  /** null where it falls on a weekend that is left out. */
  date: CalendarDate | null
  isSkipped: boolean
  isMissed: boolean
  /** The sum of the linked transactions in minor units; null where none is linked. */
  paidMinor: number | null
  /** The smallest amount that fits, in minor units. */
  leastMinor: number
  leadDays: number
  graceDays: number
}

/** The status of an occurrence on a day: the first that holds, in the order of the list. */
export function statusOn(state: OccurrenceState, today: CalendarDate): OccurrenceStatus {
  const { date, paidMinor, leastMinor } = state
  if (paidMinor !== null && paidMinor >= leastMinor) {
    return 'paid'
  }
  if (state.isSkipped || date === null) {
    return 'skipped'
  }
  if (state.isMissed) {
    return 'missed'
  }
  if (today > nearDay(date, state.graceDays)) {
    return 'overdue'
  }
  if (paidMinor !== null) {
    return 'partlyPaid'
  }
  if (today > date) {
    return 'grace'
  }
  return today >= nearDay(date, -state.leadDays) ? 'due' : 'upcoming'
}
