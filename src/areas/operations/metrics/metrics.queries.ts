import { sql, type SQL } from 'drizzle-orm'
import { db } from '../../../platform/database/statements.ts'
import { CHECK_LEDGER } from '../../../ledger/integrity/integrity.public.ts'
import type { LastRates, Nightly, ReaderState } from './metrics.rules.ts'

export interface UserCounts {
  total: number
  active: number
  disabled: number
  deleted: number
}

/** Counts the users by status. A row that an erasure left does not count. */
export const userCounts = () =>
  db.all<UserCounts>(sql`SELECT count(*) AS total, count(*) FILTER (WHERE status = 'active') AS active,
      count(*) FILTER (WHERE status = 'disabled') AS disabled,
      count(*) FILTER (WHERE status = 'deleted') AS deleted
    FROM users WHERE status <> 'deleted' OR deletion_due_at IS NOT NULL`)

export const loggedSince = (since: number) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM log_commits WHERE at >= CAST(${since} AS INTEGER)`,
  )

/** Counts the users who changed something since then. */
export const actorsSince = (since: number) =>
  db.all<{ count: number }>(
    sql`SELECT count(DISTINCT actor_id) AS count FROM log_commits WHERE at >= CAST(${since} AS INTEGER)`,
  )

export interface TableCounts {
  accounts: number
  bookings: number
  groups: number
  auditLog: number
}

/** The numbers of commits leave none out. */
export const rowCounts = () =>
  db.all<TableCounts>(sql`SELECT count(*) AS accounts, ifnull(sum(transaction_count), 0) AS bookings,
      (SELECT count(*) FROM groups) AS groups, 
      ifnull((SELECT max(number) FROM log_commits) - (SELECT min(number) FROM log_commits) + 1, 0) AS auditLog
    FROM account_balances`)

export interface StoredAmounts {
  bytes: number
  objects: number
}

const AMOUNTS = sql`ifnull(sum(u.bytes), 0) AS bytes, ifnull(sum(u.objects), 0) AS objects`

export const storedInAll = () => db.all<StoredAmounts>(sql`SELECT ${AMOUNTS} FROM storage_usage u`)

export const storedByPeople = () =>
  db.all<StoredAmounts>(sql`SELECT ${AMOUNTS} FROM storage_usage u
    WHERE NOT EXISTS (SELECT 1 FROM groups g WHERE g.id = u.holder_id)`)

export const storedByClass = () =>
  db.all<StoredAmounts & { storageClassId: string; name: string; holders: number }>(
    sql`SELECT c.id AS storageClassId, c.name, count(u.holder_id) AS holders, ${AMOUNTS}
    FROM storage_classes c LEFT JOIN storage_usage u ON u.storage_class_id = c.id
    GROUP BY c.id ORDER BY c.name_key`,
  )

export const storedByGroup = (limit: number) =>
  db.all<StoredAmounts & { groupId: string; storageClassId: string }>(
    sql`SELECT g.id AS groupId, u.storage_class_id AS storageClassId, u.bytes, u.objects
    FROM storage_usage u JOIN groups g ON g.id = u.holder_id
    ORDER BY u.bytes DESC, g.id, u.storage_class_id LIMIT CAST(${limit} AS INTEGER)`,
  )

/** Finds the causes of final failures of tasks, the most frequent first. */
export const failures = (since: number) =>
  db.all<{ code: string; tasks: number; recent: number }>(
    sql`SELECT ifnull(error, 'tasks.unknown') AS code, count(*) AS tasks,
      count(*) FILTER (WHERE finished_at >= CAST(${since} AS INTEGER)) AS recent
    FROM tasks WHERE state IN ('failed', 'dead') GROUP BY 1 ORDER BY 2 DESC, 1`,
  )

export interface DayCount {
  date: string
  count: number
}

/** Spelt as the partial indexes are that hold just these rows. */
const perDay = (condition: SQL, since: number) =>
  db.all<DayCount>(sql`SELECT date(at / 1000, 'unixepoch') AS date, count(*) AS count
    FROM log_commits WHERE ${condition} AND at >= CAST(${since} AS INTEGER) GROUP BY 1`)

export const registrationsSince = (since: number) =>
  perDay(sql`type IN ('user.registered', 'user.created')`, since)

export const downloadsSince = (since: number) => perDay(sql`type = 'file.downloaded'`, since)

export const clockAndMigrations = () =>
  db.all<{ now: number; applied: string | null }>(
    sql`SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now,
      (SELECT max(name) FROM d1_migrations) AS applied`,
  )

/** The newest day that the system has rates of, and how the last fetch went. */
export const lastRates = (today: string) =>
  db.all<LastRates>(sql`SELECT (SELECT r.date FROM system_exchange_rates r WHERE r.date <= ${today}
      ORDER BY r.date DESC LIMIT 1) AS newestDate,
    (SELECT t.state <> 'succeeded' AND t.error IS NOT NULL FROM tasks t WHERE t.kind = 'exchangeRates.fetch'
      ORDER BY t.created_at DESC, t.id DESC LIMIT 1) AS failing`)

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
