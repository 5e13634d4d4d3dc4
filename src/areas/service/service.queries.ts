import { sql } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { db, type Statement } from '../../platform/statements.ts'

/** The smallest question the database can answer. */
export const ping = () => db.all<{ answered: number }>(sql`SELECT 1 AS answered`)

const DAY_MS = 24 * 60 * 60 * 1000
const KEEP_ENDED_SESSIONS_MS = 30 * DAY_MS
const KEEP_DONE_TASKS_MS = 30 * DAY_MS

/** Deletes what served its time. Tasks that failed for good stay: somebody has to look at them. */
export function purge({ now }: Context): Statement[] {
  const endedBefore = now - KEEP_ENDED_SESSIONS_MS
  return [
    db.run(sql`DELETE FROM idempotency_keys WHERE expires_at <= ${now}`),
    db.run(sql`DELETE FROM rate_limits WHERE window_ends_at <= ${now}`),
    db.run(sql`DELETE FROM refresh_tokens WHERE session_id IN (SELECT id FROM sessions
      WHERE min(ifnull(revoked_at, idle_expires_at), idle_expires_at, absolute_expires_at) < ${endedBefore})`),
    db.run(sql`DELETE FROM sign_in_flows WHERE expires_at <= ${now}`),
    db.run(sql`DELETE FROM sign_in_codes WHERE expires_at <= ${now}`),
    db.run(sql`DELETE FROM tasks WHERE state IN ('succeeded', 'cancelled')
      AND finished_at < ${now - KEEP_DONE_TASKS_MS}`),
  ]
}
