import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../../../platform/statements.ts'

/** What was set for the lines of a budget in a period. */
export const amountsIn = (
  budgetId: string,
  period: string,
): Statement<{ lineId: string; amountMinor: number }[]> =>
  db.all(sql`SELECT a.line_id AS lineId, a.amount_minor AS amountMinor FROM budget_amounts a
    WHERE a.budget_id = ${budgetId} AND a.period = ${period} AND a.amount_minor IS NOT NULL`)
