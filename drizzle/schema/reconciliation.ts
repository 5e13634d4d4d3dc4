import { sql } from 'drizzle-orm'
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, stamps } from '../columns.ts'
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
