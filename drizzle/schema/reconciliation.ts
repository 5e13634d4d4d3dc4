import { sql } from 'drizzle-orm'
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, minor, stamps, within } from '../columns.ts'
import { accounts } from './accounts.ts'

/**
 * Until which day somebody closed the books of an account, or of all accounts of an owner. Triggers keep the effective days in
 * `accounts.locked_through` and `accounts.hard_locked_through`.
 */
export const periodLocks = sqliteTable(
  'period_locks',
  {
    id: id(),
    /** The owner of the accounts. */
    ownerId: text('owner_id').notNull(),
    /** Null for all accounts of the owner, those to come included. */
    accountId: text('account_id').references(() => accounts.id),
    /** The last day that is locked. */
    through: text('through').notNull(),
    kind: text('kind', { enum: ['soft', 'hard'] }).notNull(),
    reason: text('reason').notNull(),
    createdBy: text('created_by').notNull(),
    /** JSON: account, currency, balance and reconciled balance of each account at the end of that day. */
    balances: text('balances').notNull(),
    /** JSON: the seal of the lines of each account; null until a task has made it. */
    seals: text('seals'),
    ...stamps,
  },
  (table) => [
    index('period_locks_of_owner').on(table.ownerId, table.through, table.id),
    index('period_locks_of_account')
      .on(table.accountId)
      .where(sql`account_id IS NOT NULL`),
  ],
)

/** What an account held at the edge of a day, as somebody stated it. Whether that is so is worked out when it is asked for. */
export const balanceAssertions = sqliteTable(
  'balance_assertions',
  {
    id: id(),
    /** The owner of the account. */
    ownerId: text('owner_id').notNull(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    date: text('date').notNull(),
    edge: text('edge', { enum: ['startOfDay', 'endOfDay'] }).notNull(),
    /** Which lines count: all, those that are cleared or reconciled, or only those that are reconciled. */
    basis: text('basis', { enum: ['balance', 'cleared', 'reconciled'] }).notNull(),
    /** The last day that counts: `date`, or the day before it. */
    through: text('through').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    toleranceMinor: minor('tolerance_minor').notNull(),
    source: text('source', { enum: ['user', 'lock', 'import'] }).notNull(),
    /** The period lock that it was stored with, and goes with. */
    lockId: text('lock_id'),
    note: text('note'),
    createdBy: text('created_by').notNull(),
    /** What the last nightly check found, or else what was so when it was stored. */
    wasOk: flag('was_ok').notNull(),
    ...stamps,
  },
  (table) => [
    uniqueIndex('balance_assertions_once').on(table.accountId, table.date, table.edge, table.basis),
    index('balance_assertions_of_owner').on(table.ownerId, table.date, table.id),
    index('balance_assertions_of_lock')
      .on(table.lockId)
      .where(sql`lock_id IS NOT NULL`),
    within('balance_assertion_range', 'amount_minor'),
    within('balance_assertion_tolerance', 'tolerance_minor'),
  ],
)
