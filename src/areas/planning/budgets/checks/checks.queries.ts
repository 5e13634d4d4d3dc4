import { sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Context } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { comparableSum } from '../../../../platform/wide-sums.ts'
import { budgetRow, budgetWithAccounts } from '../figures/figures.queries.ts'

/** The next budgets in order of their ids. */
export const budgetsToCheck = (after: string, limit: number): Statement<{ id: string }[]> =>
  db.all(
    sql`SELECT id FROM budgets WHERE id > ${after} AND deleted_at IS NULL ORDER BY id LIMIT ${limit}`,
  )

/** A checkpoint as it is stored. */
export interface StoredCheckpoint {
  period: string
  accounts: string
  image: string
}

export const checkpointsOf = (budgetId: string): Statement<StoredCheckpoint[]> =>
  db.all<StoredCheckpoint>(sql`SELECT period, accounts, image FROM budget_checkpoints
    WHERE budget_id = ${budgetId} ORDER BY period`)

/** Deletes a checkpoint, unless it is another one by now. */
export const deleteCheckpoint = (
  budgetId: string,
  { period, image }: StoredCheckpoint,
): Statement =>
  db.run(sql`DELETE FROM budget_checkpoints
    WHERE budget_id = ${budgetId} AND period = ${period} AND image = ${image}`)

export interface HeldRow {
  accountId: string
  /** In the currency of the account; without what is pending where that does not count. */
  minor: number
}

/**
 * Calculates the money in the accounts inside of a budget at the end of a day from their balances and later entries.
 * Figures of budgets follow from `flow_periods` instead.
 */
export const heldAtEnd = (
  ctx: Context,
  budgetId: string,
  day: CalendarDate,
): Statement<HeldRow[]> =>
  db.all<HeldRow>(sql`WITH ${budgetWithAccounts({ budgets: budgetRow(budgetId), now: ctx.now })}
    SELECT i.id AS accountId, ifnull((SELECT balance_minor FROM account_balances WHERE account_id = i.id), 0)
      - ifnull((SELECT ${comparableSum(sql`(p.inflow_minor + p.outflow_minor)`)} FROM account_periods p
        WHERE p.account_id = i.id AND p.grain = 'day' AND p.period > ${day}), 0)
      - iif(b.count_pending, 0, ifnull((SELECT ${comparableSum(sql`e.amount_minor`)} FROM entries e
        WHERE e.account_id = i.id AND e.side = 'account' AND e.status = 'pending' AND e.date <= ${day}), 0)) AS minor
    FROM b, inside i`)
