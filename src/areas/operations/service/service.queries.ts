import { sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context.ts'
import { ownedData } from '../../../platform/owned-data/owned-data.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'

/** The smallest question the database can answer. */
export const ping = () => db.all<{ answered: number }>(sql`SELECT 1 AS answered`)

const DAY_MS = 24 * 60 * 60 * 1000
const KEEP_DONE_TASKS_MS = 30 * DAY_MS

/** Deletes what served its time, of the platform and of all areas. Tasks that failed for good stay: somebody has to look at them. */
export const purge = (ctx: Context): Statement[] => {
  const { now } = ctx
  return [
    db.run(sql`DELETE FROM idempotency_keys WHERE expires_at <= ${now}`),
    db.run(sql`DELETE FROM rate_limits WHERE window_ends_at <= ${now}`),
    ...ownedData().flatMap((owned) => owned.purge?.(ctx) ?? []),
    db.run(sql`DELETE FROM tasks WHERE state IN ('succeeded', 'cancelled')
      AND finished_at < ${now - KEEP_DONE_TASKS_MS}`),
  ]
}
