import { type SQL, sql } from 'drizzle-orm'
import { db } from '../../../../platform/statements.ts'

export interface DayCount {
  date: string
  count: number
}

/** Spelt as the partial indexes are that hold just these rows. */
const perDay = (what: SQL, since: number) =>
  db.all<DayCount>(sql`SELECT date(at / 1000, 'unixepoch') AS date, count(*) AS count
    FROM log_commits WHERE ${what} AND at >= CAST(${since} AS INTEGER) GROUP BY 1`)

export const registrationsSince = (since: number) =>
  perDay(sql`type IN ('user.registered', 'user.created')`, since)

export const downloadsSince = (since: number) => perDay(sql`type = 'file.downloaded'`, since)
