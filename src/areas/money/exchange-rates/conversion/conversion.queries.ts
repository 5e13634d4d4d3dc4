import { type SQL, sql } from 'drizzle-orm'
import { db } from '../../../../platform/database/statements.ts'

/** A subquery of one currency. */
export const only = (currency: string): SQL => sql`SELECT ${currency} AS currency`

/** @param currencies a subquery of one column `currency` */
export const codesIn = (currencies: SQL) =>
  db.all<{ currency: string }>(sql`SELECT currency FROM (${currencies}) ORDER BY currency`)
