import { sql } from 'drizzle-orm'
import { db } from '../../../platform/statements.ts'
import { CHECK_LEDGER } from '../../ledger/ledger.public.ts'
import type { Nightly } from './health.rules.ts'

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

export const lastLedgerCheck = () =>
  db.all<{ at: number; differences: number }>(
    sql`SELECT l.at, (SELECT sum(value) FROM json_each(l.facts)) AS differences
    FROM audit_log l WHERE l.action = 'ledger.checked' AND l.resource_id = (SELECT id FROM tasks
      WHERE kind = ${CHECK_LEDGER} AND state = 'succeeded' ORDER BY finished_at DESC LIMIT 1)
    ORDER BY l.rowid DESC LIMIT 1`,
  )
