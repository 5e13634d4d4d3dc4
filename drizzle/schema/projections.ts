import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, MAX_MINOR_SQL, minor } from '../columns.ts'
import { accounts } from './accounts.ts'

// The projections that triggers keep of `entries`; the entries are the truth.

/** Half of what 64 bits hold: adding one more amount to it cannot overflow. */
const MAX_SUM_SQL = '4611686018427387904'

/** Projection kept by triggers on `entries`; the truth is their sum. */
export const accountBalances = sqliteTable(
  'account_balances',
  {
    accountId: text('account_id')
      .primaryKey()
      .references(() => accounts.id),
    balanceMinor: minor('balance_minor').notNull().default(0),
    clearedMinor: minor('cleared_minor').notNull().default(0),
    reconciledMinor: minor('reconciled_minor').notNull().default(0),
    openingMinor: minor('opening_minor').notNull().default(0),
    transactionCount: integer('transaction_count').notNull().default(0),
    lastDate: text('last_date'),
    /** Set only inside a commit that takes out and adds many lines, of which the result alone must be in the range. */
    isRangeDeferred: flag('is_range_deferred').notNull().default(false),
  },
  (table) => [
    index('account_balances_deferred')
      .on(table.isRangeDeferred)
      .where(sql`is_range_deferred = 1`),
    ...['balance', 'cleared', 'reconciled', 'opening'].map((part) =>
      check(
        `account_${part}_range`,
        sql.raw(
          `${part}_minor BETWEEN -${MAX_MINOR_SQL} AND ${MAX_MINOR_SQL} OR is_range_deferred = 1 AND ${part}_minor BETWEEN -${MAX_SUM_SQL} AND ${MAX_SUM_SQL}`,
        ),
      ),
    ),
  ],
)

/**
 * Projection kept by triggers: what an account's own lines moved in each day and in each month. A balance of
 * any day is the sum of the months before it and of the days in its month.
 */
export const accountPeriods = sqliteTable(
  'account_periods',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    grain: text('grain', { enum: ['day', 'month'] }).notNull(),
    /** `YYYY-MM-DD` or `YYYY-MM`. */
    period: text('period').notNull(),
    inflowMinor: minor('inflow_minor').notNull().default(0),
    /** Negative. */
    outflowMinor: minor('outflow_minor').notNull().default(0),
    clearedMinor: minor('cleared_minor').notNull().default(0),
    reconciledMinor: minor('reconciled_minor').notNull().default(0),
    /** Also of void lines, which move nothing. */
    entryCount: integer('entry_count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.grain, table.period] }),
    // Incoming and outgoing amounts together may be more than any balance; they are refused far below what 64 bits
    // hold.
    ...['inflow', 'outflow', 'cleared', 'reconciled'].map((part) =>
      check(`period_${part}_range`, sql.raw(`abs(${part}_minor) <= ${MAX_SUM_SQL}`)),
    ),
  ],
)

/**
 * Projection kept by triggers: what went through an account in each day and in each month, by what it was for. Lines of the
 * account's other sides count with the opposite sign, and transfers with what they move, fees left out. Void lines do not
 * count.
 */
export const flowPeriods = sqliteTable(
  'flow_periods',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    grain: text('grain', { enum: ['day', 'month'] }).notNull(),
    /** `YYYY-MM-DD` or `YYYY-MM`. */
    period: text('period').notNull(),
    flow: text('flow', {
      enum: ['expense', 'income', 'transfer', 'adjustment', 'opening'],
    }).notNull(),
    /** Empty for lines without a category. */
    categoryId: text('category_id').notNull(),
    /** The account on the other side of a transfer; empty for other flows. */
    counterAccountId: text('counter_account_id').notNull(),
    /** In the account's currency: what went out is negative, what came in is positive. */
    amountMinor: minor('amount_minor').notNull().default(0),
    /** The part of it that is pending. */
    pendingMinor: minor('pending_minor').notNull().default(0),
    entryCount: integer('entry_count').notNull().default(0),
    /** The sum of the lines that bring money in, without those that take it out. */
    inflowMinor: minor('inflow_minor').notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [
        table.accountId,
        table.grain,
        table.period,
        table.flow,
        table.categoryId,
        table.counterAccountId,
      ],
    }),
    ...['amount', 'pending', 'inflow'].map((part) =>
      check(`flow_${part}_range`, sql.raw(`abs(${part}_minor) <= ${MAX_SUM_SQL}`)),
    ),
  ],
)
