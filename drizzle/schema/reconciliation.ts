import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, minor, stamps, within } from '../columns.ts'
import { accounts } from './accounts.ts'
import { transactions } from './ledger.ts'

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
    // The triggers look for the last day of each kind.
    index('period_locks_of_account')
      .on(table.accountId, table.kind, table.through)
      .where(sql`account_id IS NOT NULL`),
    index('period_locks_of_all')
      .on(table.ownerId, table.kind, table.through)
      .where(sql`account_id IS NULL`),
  ],
)

/** The balance of an account at the edge of a day, as somebody stated it. It is compared with the books when it is requested. */
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
    /** The lines that count: all, those that are cleared or reconciled, or only those that are reconciled. */
    basis: text('basis', { enum: ['balance', 'cleared', 'reconciled'] }).notNull(),
    /** The last day that counts: `date`, or the day before it. */
    through: text('through').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    toleranceMinor: minor('tolerance_minor').notNull(),
    source: text('source', { enum: ['user', 'lock', 'import', 'reconciliation'] }).notNull(),
    /** The period lock that it was stored with, and goes with. */
    lockId: text('lock_id'),
    note: text('note'),
    createdBy: text('created_by').notNull(),
    /** The result of the last nightly check, or else of the check when it was stored. */
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

/** An account compared with one statement of its bank. Nothing that is booked changes before it is finished. */
export const reconciliations = sqliteTable(
  'reconciliations',
  {
    id: id(),
    /** The owner of the account. */
    ownerId: text('owner_id').notNull(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The last day of the statement. */
    statementDate: text('statement_date').notNull(),
    /** The closing balance of the session that was finished before. */
    openingMinor: minor('opening_minor').notNull(),
    closingMinor: minor('closing_minor').notNull(),
    /** `undone`: it was finished once, undone, and then abandoned. */
    state: text('state', { enum: ['open', 'finished', 'undone'] }).notNull(),
    /** The reconciled balance before it was finished the last time; null until then. */
    reconciledMinor: minor('reconciled_minor'),
    note: text('note'),
    /** The file of the statement, which may be gone. */
    attachmentId: text('attachment_id'),
    /** The import of the statement, which may be gone. */
    importId: text('import_id'),
    finishedAt: instant('finished_at'),
    /** The booking that made the difference zero. */
    adjustmentId: text('adjustment_id'),
    /** The balance assertion that was stored with it. */
    assertionId: text('assertion_id'),
    createdBy: text('created_by').notNull(),
    ...stamps,
  },
  (table) => [
    uniqueIndex('reconciliations_open')
      .on(table.accountId)
      .where(sql`state = 'open'`),
    index('reconciliations_of_account').on(
      table.accountId,
      table.state,
      table.statementDate,
      table.finishedAt,
    ),
    index('reconciliations_of_owner').on(table.ownerId, table.statementDate, table.id),
    within('reconciliation_opening', 'opening_minor'),
    within('reconciliation_closing', 'closing_minor'),
  ],
)

/** The rows that are ticked in a session. Once that is finished, each row is as it was then. */
export const reconciliationRows = sqliteTable(
  'reconciliation_rows',
  {
    reconciliationId: text('reconciliation_id')
      .notNull()
      .references(() => reconciliations.id),
    transactionId: text('transaction_id')
      .notNull()
      .references(() => transactions.id),
    line: integer('line').notNull(),
    /** Null until the session is finished, as are the others. */
    statusBefore: text('status_before', { enum: ['uncleared', 'cleared', 'reconciled'] }),
    amountMinor: minor('amount_minor'),
    date: text('date'),
  },
  (table) => [
    primaryKey({ columns: [table.reconciliationId, table.transactionId, table.line] }),
    index('reconciliation_rows_of_transaction').on(table.transactionId),
  ],
)
