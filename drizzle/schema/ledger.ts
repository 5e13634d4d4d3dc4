import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, id, instant, MAX_MINOR_SQL, minor, stamps } from '../columns.ts'
import { accounts } from './accounts.ts'
import { categories } from './categories.ts'
import { users } from './system.ts'

/** Half of what 64 bits hold: adding one more amount to it cannot overflow. */
const MAX_SUM_SQL = '4611686018427387904'

const within = (name: string, column: string) =>
  check(name, sql.raw(`${column} BETWEEN -${MAX_MINOR_SQL} AND ${MAX_MINOR_SQL}`))

/** The header of a money event. Its amounts live in `entries`. */
export const transactions = sqliteTable(
  'transactions',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', {
      enum: ['expense', 'income', 'transfer', 'adjustment', 'opening'],
    }).notNull(),
    date: text('date').notNull(),
    time: text('time'),
    description: text('description').notNull().default(''),
    payeeRaw: text('payee_raw'),
    originalAmountMinor: minor('original_amount_minor'),
    originalCurrency: text('original_currency'),
    /** Decimal text: account currency per original currency, or arriving per leaving currency. */
    rate: text('rate'),
    reviewed: flag('reviewed').notNull().default(false),
    private: flag('private').notNull().default(false),
    source: text('source', { enum: ['user', 'import', 'rule', 'recurring', 'api'] }).notNull(),
    note: text('note'),
    location: text('location'),
    metadata: text('metadata'),
    createdBy: text('created_by').notNull(),
    ...stamps,
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    index('transfers_of_owner')
      .on(table.ownerId, table.date, table.id)
      .where(sql`kind = 'transfer' AND deleted_at IS NULL`),
  ],
)

/**
 * The signed lines of a transaction. They sum to zero in every currency, are never updated, and
 * exist only while their transaction is not in the trash. `end` says where the money of a line is:
 * in the account itself, or outside of it, as seen from that account.
 */
export const entries = sqliteTable(
  'entries',
  {
    transactionId: text('transaction_id')
      .notNull()
      .references(() => transactions.id),
    /** Keeps its number for the life of the transaction: a split line is addressed by it. */
    line: integer('line').notNull(),
    ownerId: text('owner_id').notNull(),
    accountId: text('account_id').notNull(),
    end: text('end', {
      enum: ['account', 'expense', 'income', 'opening', 'adjustment', 'exchange'],
    }).notNull(),
    date: text('date').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    currency: text('currency').notNull(),
    status: text('status', {
      enum: ['pending', 'uncleared', 'cleared', 'reconciled', 'void'],
    }).notNull(),
    categoryId: text('category_id').references(() => categories.id),
    note: text('note'),
    /** The bank's id of the row, unique per account; only on account lines. */
    externalId: text('external_id'),
  },
  (table) => [
    primaryKey({ columns: [table.transactionId, table.line] }),
    foreignKey({
      name: 'entries_account',
      columns: [table.accountId, table.ownerId, table.currency],
      foreignColumns: [accounts.id, accounts.ownerId, accounts.currency],
    }),
    within('entry_amount_range', 'amount_minor'),
    check('entry_amount_not_zero', sql`amount_minor <> 0`),
    check('entry_date', sql`date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`),
    index('entries_register')
      .on(
        table.accountId,
        table.date,
        table.transactionId,
        table.line,
        table.amountMinor,
        table.status,
      )
      .where(sql`"end" = 'account'`),
    index('entries_of_owner')
      .on(table.ownerId, table.date, table.transactionId, table.line, table.accountId)
      .where(sql`"end" = 'account'`),
    index('entries_of_category')
      .on(table.categoryId)
      .where(sql`category_id IS NOT NULL`),
    uniqueIndex('entries_external_id')
      .on(table.accountId, table.externalId)
      .where(sql`external_id IS NOT NULL`),
  ],
)

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
  },
  () => [
    within('account_balance_range', 'balance_minor'),
    within('account_cleared_range', 'cleared_minor'),
    within('account_reconciled_range', 'reconciled_minor'),
    within('account_opening_range', 'opening_minor'),
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
    // What went in and out may together be more than any balance; refused far below what 64 bits hold.
    ...['inflow', 'outflow', 'cleared', 'reconciled'].map((part) =>
      check(`period_${part}_range`, sql.raw(`abs(${part}_minor) <= ${MAX_SUM_SQL}`)),
    ),
  ],
)

/** Projection kept by triggers: what an account spent or earned per month and category. */
export const categoryMonths = sqliteTable(
  'category_months',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** `YYYY-MM`. */
    month: text('month').notNull(),
    /** Empty for entries without a category. */
    categoryId: text('category_id').notNull(),
    /** Positive is spent, negative is earned, in the account's currency. */
    activityMinor: minor('activity_minor').notNull().default(0),
    entryCount: integer('entry_count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.month, table.categoryId] }),
    within('category_activity_range', 'activity_minor'),
  ],
)
