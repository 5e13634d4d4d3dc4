import { sql } from 'drizzle-orm'
import { db } from '../../platform/statements.ts'

/** The smallest question the database can answer. */
export const ping = () => db.all<{ answered: number }>(sql`SELECT 1 AS answered`)
