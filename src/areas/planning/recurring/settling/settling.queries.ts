import { type SQL, sql } from 'drizzle-orm'
import { requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../../platform/database/session.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { isNotRestored } from '../../../../platform/owned-data/owned-data.ts'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { anyRecurring, factFinders } from '../recurring.queries.ts'
import type { RecurringRow } from '../recurring.rules.ts'
import type { Progress } from './settling.rules.ts'

/** An owner of items for which something has to be done by now, since when. */
export interface DueOwner {
  ownerId: string
  since: number
}

export const dueOwners = (now: number, limit: number): Statement<DueOwner[]> =>
  db.all(sql`SELECT due.owner_id AS ownerId, min(due.next_at) AS since
    FROM (SELECT owner_id, next_at FROM recurring WHERE next_at <= ${now} ORDER BY next_at, owner_id LIMIT ${10 * limit}) due
    WHERE ${isNotRestored(sql`due.owner_id`)}
    GROUP BY due.owner_id ORDER BY since, due.owner_id LIMIT ${limit}`)

export const profileOfOwner = (ownerId: string): Statement<ProfileRow[]> =>
  db.all(sql`SELECT ${sql.raw(PROFILE_COLUMNS)} FROM users u WHERE u.id = ${ownerId}`)

/** Reads items that are due, and what is known of the occurrences that are not done yet. */
export function dueItems(ownerId: string, now: number, limit: number) {
  const isDue = sql`recurring.owner_id = ${ownerId} AND recurring.next_at <= ${now}
    ORDER BY recurring.next_at, recurring.id LIMIT ${limit}`
  const items = sql`SELECT recurring.id, recurring.account_id, recurring.handled_through FROM recurring WHERE ${isDue}`
  const isLeft = (nominalDate: SQL) => sql`${nominalDate} > ifnull(item.handled_through, '')
    OR ${nominalDate} IN (SELECT moved.nominal_date FROM recurring_occurrences moved
      WHERE moved.recurring_id = item.id AND moved.date IS NOT NULL AND moved.told = 0)`
  return [anyRecurring(isDue), ...factFinders({}, items, isLeft)] as const
}

/** Notes how far an item is. Refuses when somebody changed it, or another run did it. */
export const saveProgress = (seen: RecurringRow, progress: Progress): Statement[] => [
  db.run(sql`UPDATE recurring SET rests = ${progress.rests}, rested_on = ${progress.restedOn},
      handled_through = ${progress.handledThrough}, reminded_on = ${progress.remindedOn}, next_at = ${progress.nextAt}
    WHERE id = ${seen.id} AND owner_id = ${seen.ownerId} AND version = ${seen.version}
      AND next_at IS ${seen.nextAt} AND handled_through IS ${seen.handledThrough}`),
  requireChangedOne(changedMeanwhile),
]

/** Reads items with what is known of their occurrences, each from the last one before a nominal date on that has transactions. */
export function itemsSince(first: ReadonlyMap<string, CalendarDate>) {
  const wanted = JSON.stringify([...first])
  const items = sql`SELECT r.id, r.account_id, wanted.value->>1 AS first
    FROM json_each(${wanted}) wanted CROSS JOIN recurring r ON r.id = wanted.value->>0`
  const since = sql`ifnull((SELECT max(p.recurring_date) FROM transactions p WHERE p.recurring_id = item.id
    AND p.recurring_date < item.first AND p.deleted_at IS NULL), item.first)`
  return [
    anyRecurring(sql`recurring.id IN (SELECT value->>0 FROM json_each(${wanted}))`),
    ...factFinders({}, items, (nominalDate) => sql`${nominalDate} >= ${since}`),
  ] as const
}
