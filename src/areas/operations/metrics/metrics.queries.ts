import { sql } from 'drizzle-orm'
import { db } from '../../../platform/statements.ts'

export interface UserCounts {
  total: number
  active: number
  disabled: number
  deleted: number
}

/** What erasure may leave of a user is nobody. */
export const userCounts = () =>
  db.all<UserCounts>(sql`SELECT count(*) AS total, count(*) FILTER (WHERE status = 'active') AS active,
      count(*) FILTER (WHERE status = 'disabled') AS disabled,
      count(*) FILTER (WHERE status = 'deleted') AS deleted
    FROM users WHERE status <> 'deleted' OR deletion_due_at IS NOT NULL`)

export const loggedSince = (at: number) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM log_commits WHERE at >= CAST(${at} AS INTEGER)`,
  )

/** How many people changed something since then. */
export const actorsSince = (at: number) =>
  db.all<{ count: number }>(
    sql`SELECT count(DISTINCT actor_id) AS count FROM log_commits WHERE at >= CAST(${at} AS INTEGER)`,
  )

export interface RowCounts {
  accounts: number
  bookings: number
  groups: number
  auditLog: number
}

/** The numbers of commits leave none out. */
export const rowCounts = () =>
  db.all<RowCounts>(sql`SELECT count(*) AS accounts, ifnull(sum(transaction_count), 0) AS bookings,
      (SELECT count(*) FROM groups) AS groups, 
      ifnull((SELECT max(number) FROM log_commits) - (SELECT min(number) FROM log_commits) + 1, 0) AS auditLog
    FROM account_balances`)

export interface Amounts {
  bytes: number
  objects: number
}

const AMOUNTS = sql`ifnull(sum(u.bytes), 0) AS bytes, ifnull(sum(u.objects), 0) AS objects`

export const storedInAll = () => db.all<Amounts>(sql`SELECT ${AMOUNTS} FROM storage_usage u`)

export const storedByPeople = () =>
  db.all<Amounts>(sql`SELECT ${AMOUNTS} FROM storage_usage u
    WHERE NOT EXISTS (SELECT 1 FROM groups g WHERE g.id = u.holder_id)`)

export const storedByClass = () =>
  db.all<Amounts & { storageClassId: string; name: string; holders: number }>(
    sql`SELECT c.id AS storageClassId, c.name, count(u.holder_id) AS holders, ${AMOUNTS}
    FROM storage_classes c LEFT JOIN storage_usage u ON u.storage_class_id = c.id
    GROUP BY c.id ORDER BY c.name_key`,
  )

export const storedByGroup = (limit: number) =>
  db.all<Amounts & { groupId: string; storageClassId: string }>(
    sql`SELECT g.id AS groupId, u.storage_class_id AS storageClassId, u.bytes, u.objects
    FROM storage_usage u JOIN groups g ON g.id = u.holder_id
    ORDER BY u.bytes DESC, g.id, u.storage_class_id LIMIT CAST(${limit} AS INTEGER)`,
  )

/** Why tasks failed for good, the most frequent first. */
export const failures = (since: number) =>
  db.all<{ code: string; tasks: number; recent: number }>(
    sql`SELECT ifnull(error, 'tasks.unknown') AS code, count(*) AS tasks,
      count(*) FILTER (WHERE finished_at >= CAST(${since} AS INTEGER)) AS recent
    FROM tasks WHERE state IN ('failed', 'dead') GROUP BY 1 ORDER BY 2 DESC, 1`,
  )
