import { type SQL, sql } from 'drizzle-orm'
import { db } from '../../../platform/database/statements.ts'

/** The sum of counts. */
const sumOf = (counts: SQL[]): SQL => sql`${sql.join([sql`0`, ...counts], sql` + `)}`

export const total = (counts: SQL[]) =>
  db.all<{ count: number }>(sql`SELECT ${sumOf(counts)} AS count`)

/** The number of accounts that a commit marks, for the log. */
export const markedAccountsFact = (counts: SQL[]): SQL =>
  sql`json_object('accounts', ${sumOf(counts)})`
