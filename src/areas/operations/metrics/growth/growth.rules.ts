import { addDays, dateInZone } from '../../../../domain/calendar.ts'

/** So many days in UTC up to the one of that instant, oldest first. */
export function daysUpTo(now: number, days: number): string[] {
  const today = dateInZone(now, 'UTC')
  return Array.from({ length: days }, (_, at) => addDays(today, at + 1 - days))
}
