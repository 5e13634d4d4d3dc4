import { sql } from 'drizzle-orm'
import { requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../../platform/database/session.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { isNotRestored } from '../../../../platform/owned-data/owned-data.ts'
import { anyRecurring, linkedRows, storedOccurrences } from '../recurring.queries.ts'
import type { LinkedRow, RecurringRow, StoredOccurrence } from '../recurring.rules.ts'
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
export function dueItems(
  ownerId: string,
  now: number,
  limit: number,
): [Statement<RecurringRow[]>, Statement<StoredOccurrence[]>, Statement<LinkedRow[]>] {
  const isDue = sql`recurring.owner_id = ${ownerId} AND recurring.next_at <= ${now}
    ORDER BY recurring.next_at, recurring.id LIMIT ${limit}`
  const items = sql`SELECT recurring.id, recurring.account_id, recurring.handled_through FROM recurring WHERE ${isDue}`
  const isMoved = sql`o.date IS NOT NULL AND o.told = 0`
  return [
    anyRecurring(isDue),
    storedOccurrences(
      items,
      sql`o.nominal_date > ifnull(item.handled_through, '') OR (${isMoved})`,
    ),
    linkedRows(
      {},
      items,
      sql`booked.recurring_date > ifnull(item.handled_through, '') OR booked.recurring_date IN (
        SELECT o.nominal_date FROM recurring_occurrences o WHERE o.recurring_id = item.id AND ${isMoved})`,
    ),
  ]
}

/** Notes how far an item is. Refuses when somebody changed it, or another run did it. */
export const saveProgress = (seen: RecurringRow, progress: Progress): Statement[] => [
  db.run(sql`UPDATE recurring SET rests = ${progress.rests}, rested_on = ${progress.restedOn},
      handled_through = ${progress.handledThrough}, reminded_on = ${progress.remindedOn}, next_at = ${progress.nextAt}
    WHERE id = ${seen.id} AND owner_id = ${seen.ownerId} AND version = ${seen.version}
      AND next_at IS ${seen.nextAt} AND handled_through IS ${seen.handledThrough}`),
  requireChangedOne(changedMeanwhile),
]
