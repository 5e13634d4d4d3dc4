import { sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { anyRecurring, linkedRows, storedOccurrences } from '../recurring.queries.ts'

/** Reads items with what is known of their occurrences, each from the last one before a nominal date on that has transactions. */
export function itemsSince(first: ReadonlyMap<string, CalendarDate>) {
  const wanted = JSON.stringify([...first])
  const items = sql`SELECT r.id, r.account_id, wanted.value->>1 AS first
    FROM json_each(${wanted}) wanted CROSS JOIN recurring r ON r.id = wanted.value->>0`
  const since = sql`ifnull((SELECT max(p.recurring_date) FROM transactions p WHERE p.recurring_id = item.id
    AND p.recurring_date < item.first AND p.deleted_at IS NULL), item.first)`
  return [
    anyRecurring(sql`recurring.id IN (SELECT value->>0 FROM json_each(${wanted}))`),
    storedOccurrences(items, sql`o.nominal_date >= ${since}`),
    linkedRows({}, items, sql`booked.recurring_date >= ${since}`),
  ] as const
}
