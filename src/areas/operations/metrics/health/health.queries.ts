import { sql } from 'drizzle-orm'
import { db } from '../../../../platform/statements.ts'
import { CHECK_LEDGER } from '../../../../ledger/integrity/integrity.public.ts'
import type { Nightly, ReaderState } from './health.rules.ts'

export const clockAndMigrations = () =>
  db.all<{ now: number; applied: string | null }>(
    sql`SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now,
      (SELECT max(name) FROM d1_migrations) AS applied`,
  )

/** The clock's tasks have keys of their kind and day; in one with max(), SQLite takes the row of that maximum. */
export const lastNightly = () =>
  db.all<Nightly>(sql`SELECT kind, date(created_at / 1000, 'unixepoch') AS date, state,
      finished_at AS finishedAt, error, max(dedupe_key)
    FROM tasks WHERE dedupe_key = kind || ' ' || date(created_at / 1000, 'unixepoch')
    GROUP BY kind ORDER BY kind`)

/** A check that was continued by another task has its result there. */
export const lastLedgerCheck = () =>
  db.all<{ at: number; differences: number }>(
    sql`SELECT l.at, (SELECT sum(value) FROM json_each(l.facts)) AS differences
    FROM tasks t JOIN log_entries l ON l.resource_id = t.id AND l.type = 'ledger.checked'
    WHERE t.kind = ${CHECK_LEDGER} AND t.state = 'succeeded'
    ORDER BY t.finished_at DESC, l.number DESC LIMIT 1`,
  )

/** Only what nobody has retried or purged is dead. */
export const deadTasks = () =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM tasks WHERE state = 'dead'`)

/** Sealing leaves a commit itself, which waits for the next one to be sealed with. */
export const firstUnsealed = () =>
  db.all<{ at: number }>(sql`SELECT at FROM log_commits
    WHERE number > (SELECT ifnull(max(number), 0) FROM log_seals) AND type IS NOT 'auditLog.sealed'
    ORDER BY number LIMIT 1`)

/** A listener that is behind its reader has failures of its own. */
export const readerStates = () =>
  db.all<ReaderState>(sql`SELECT r.name, max(r.failures, ifnull(max(l.failures), 0)) AS failures, r.skipped,
      ifnull(r.error, l.error) AS error, (SELECT ifnull(max(number), 0) FROM log_events) - r.cursor AS behind
    FROM log_readers r LEFT JOIN log_listeners l ON l.reader = r.name AND l.next_attempt_at IS NOT NULL
    GROUP BY r.name ORDER BY r.name`)
