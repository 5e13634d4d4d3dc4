import { addDays, type CalendarDate, dayOfWeek, FRIDAY } from '../calendar.ts'

/** Where a day moves that is a Saturday or a Sunday: to the Friday before, the Monday after, or the nearer of the two. */
export type WeekendMove = 'keep' | 'before' | 'after' | 'nearest'

/** 1 on a Saturday, 2 on a Sunday, else 0. */
export const daysIntoWeekend = (date: CalendarDate): number => Math.max(0, dayOfWeek(date) - FRIDAY)

/** The day itself, or the weekday that takes the place of a Saturday or a Sunday. */
export function offWeekend(date: CalendarDate, move: WeekendMove): CalendarDate {
  const days = move === 'keep' ? 0 : daysIntoWeekend(date)
  if (days === 0) {
    return date
  }
  const isBefore = move === 'before' || (move === 'nearest' && days === 1)
  return addDays(date, isBefore ? -days : 3 - days)
}
