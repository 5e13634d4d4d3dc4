import { type SQL, sql } from 'drizzle-orm'
import type { Period } from '../../../../domain/budgets/periods.ts'
import type { Context } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { comparableSum } from '../../../../platform/database/wide-sums.ts'
import { isInside } from '../../../identity/access/access.public.ts'
import {
  ACCOUNTS_OF_CHECKPOINT,
  budgetRow,
  budgetWithAccounts,
} from '../figures/figures.queries.ts'

/** A budget with the checkpoints that reads can use now. */
export interface CheckedBudget {
  id: string
  mode: 'envelope' | 'limit'
  unit: 'day' | 'week' | 'month' | 'year'
  unitCount: number
  anchor: string
  weekend: 'keep' | 'before' | 'after'
  firstDay: string
  timeZone: string
  /** JSON list of periods. */
  periods: string
}

/** The accounts inside of a budget `b`, as `ACCOUNTS_OF_CHECKPOINT` writes them. */
const accountsOfBudget = (ctx: Context): SQL => sql`(WITH inside AS (
    SELECT b.id AS budget_id, accounts.id, accounts.currency, accounts.type FROM accounts WHERE ${isInside(ctx.now, 'b')})
  SELECT ${ACCOUNTS_OF_CHECKPOINT})`

const checkedBudgets = (ctx: Context, which: SQL): Statement<CheckedBudget[]> =>
  db.all<CheckedBudget>(sql`SELECT b.id, b.mode, b.unit, b.unit_count AS unitCount, b.anchor, b.weekend,
      b.first_day AS firstDay, b.time_zone AS timeZone,
      (SELECT json_group_array(k.period) FROM budget_checkpoints k
        WHERE k.budget_id = b.id AND k.accounts = a.accounts) AS periods
    FROM (SELECT b.id, ${accountsOfBudget(ctx)} AS accounts FROM budgets b WHERE ${which}) a
      JOIN budgets b ON b.id = a.id ORDER BY b.id`)

/** Some budgets in the order of their ids. */
export const budgetsAfter = (
  ctx: Context,
  after: string,
  limit: number,
): Statement<CheckedBudget[]> =>
  checkedBudgets(
    ctx,
    sql`b.id IN (SELECT id FROM budgets WHERE id > ${after} AND deleted_at IS NULL ORDER BY id LIMIT ${limit})`,
  )

export const checkedBudget = (ctx: Context, id: string): Statement<CheckedBudget[]> =>
  checkedBudgets(ctx, sql`b.id = ${id} AND b.deleted_at IS NULL`)

/** The text that a claim stores in place of accounts, so that no read uses it. */
const claimOf = ({ requestId }: Context) => `claimed by ${requestId}`

/**
 * Claims checkpoints before what they are made from is read: until they are stored, the triggers delete a claim when anything
 * changes. All checkpoints of a budget are of the same accounts, those that the triggers look for. The others go.
 */
export const claimCheckpoints = (
  ctx: Context,
  budgetId: string,
  wanted: readonly Period[],
): Statement[] => {
  const inside = budgetWithAccounts({ budgets: budgetRow(budgetId), now: ctx.now })
  const periods = JSON.stringify(wanted.map(({ nominal, end }) => ({ nominal, end })))
  return [
    db.run(sql`WITH ${inside} DELETE FROM budget_checkpoints WHERE budget_id = ${budgetId}
      AND (accounts <> (SELECT ${ACCOUNTS_OF_CHECKPOINT} FROM b) OR period NOT IN (SELECT value ->> 'nominal' FROM json_each(${periods})))`),
    db.run(sql`WITH ${inside} DELETE FROM budget_checkpoint_accounts WHERE budget_id = ${budgetId}
      AND account_id NOT IN (SELECT id FROM inside)`),
    db.run(sql`WITH ${inside} INSERT INTO budget_checkpoint_accounts (account_id, budget_id)
      SELECT id, ${budgetId} FROM inside WHERE true ON CONFLICT DO NOTHING`),
    db.run(sql`WITH ${inside} INSERT INTO budget_checkpoints
        (budget_id, period, period_end, accounts, converted, image, created_at)
      SELECT b.id, p.value ->> 'nominal', p.value ->> 'end', ${claimOf(ctx)}, 1, ${ACCOUNTS_OF_CHECKPOINT}, ${ctx.now}
      FROM b, json_each(${periods}) p WHERE true ON CONFLICT DO NOTHING`),
  ]
}

interface NewCheckpoint {
  budgetId: string
  period: Period
  /** The accounts that it was made from, as `ACCOUNTS_OF_CHECKPOINT` writes them. */
  accounts: string
  isConverted: boolean
  image: string
}

/** Stores a checkpoint if its claim is still there, and was made for the same period and accounts. */
export const storeCheckpoint = (
  ctx: Context,
  { budgetId, period, accounts, isConverted, image }: NewCheckpoint,
): Statement =>
  db.run(sql`UPDATE budget_checkpoints
    SET accounts = ${accounts}, converted = ${Number(isConverted)}, image = ${image}
    WHERE budget_id = ${budgetId} AND period = ${period.nominal} AND period_end = ${period.end}
      AND accounts = ${claimOf(ctx)} AND image = ${accounts}`)

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

export interface HeldBackRow {
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
): Statement<HeldBackRow[]> =>
  db.all<HeldBackRow>(sql`WITH ${budgetWithAccounts({ budgets: budgetRow(budgetId), now: ctx.now })}
    SELECT i.id AS accountId, ifnull((SELECT balance_minor FROM account_balances WHERE account_id = i.id), 0)
      - ifnull((SELECT ${comparableSum(sql`(p.inflow_minor + p.outflow_minor)`)} FROM account_periods p
        WHERE p.account_id = i.id AND p.grain = 'day' AND p.period > ${day}), 0)
      - iif(b.count_pending, 0, ifnull((SELECT ${comparableSum(sql`e.amount_minor`)} FROM entries e
        WHERE e.account_id = i.id AND e.side = 'account' AND e.status = 'pending' AND e.date <= ${day}), 0)) AS minor
    FROM b, inside i`)
