const DAY_MS = 24 * 60 * 60 * 1000

/** So many days in UTC up to the one of that instant, oldest first. */
export function daysUpTo(now: number, days: number): string[] {
  return Array.from({ length: days }, (_, at) =>
    new Date(now - (days - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  )
}
