import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, minor, stamps } from '../columns.ts'
import { users } from './system.ts'

/** Folders that a user keeps accounts in. */
export const accountGroups = sqliteTable(
  'account_groups',
  {
    id: id(),
    ownerId: text('owner_id').notNull(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    order: integer('sort_order').notNull().default(0),
    ...stamps,
  },
  (table) => [uniqueIndex('account_groups_name').on(table.ownerId, table.nameKey)],
)

export const accounts = sqliteTable(
  'accounts',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    type: text('type', {
      enum: [
        'cash',
        'checking',
        'savings',
        'creditCard',
        'lineOfCredit',
        'investment',
        'property',
        'vehicle',
        'receivable',
        'loan',
        'mortgage',
        'otherAsset',
        'otherLiability',
      ],
    }).notNull(),
    currency: text('currency').notNull(),
    onBudget: flag('on_budget').notNull(),
    includeInNetWorth: flag('include_in_net_worth').notNull(),
    openingDate: text('opening_date').notNull(),
    status: text('status', { enum: ['open', 'closed'] })
      .notNull()
      .default('open'),
    institution: text('institution'),
    iban: text('iban'),
    /** Only the last four characters of an account number are ever stored. */
    numberLastFour: text('number_last_four'),
    creditLimitMinor: minor('credit_limit_minor'),
    statementDay: integer('statement_day'),
    dueDay: integer('due_day'),
    /** Days from the statement of a card until payment is due, in place of `dueDay`. */
    dueAfterDays: integer('due_after_days'),
    /** The rule for due dates of a card on a weekend; null means `after`. */
    dueWeekend: text('due_weekend', { enum: ['keep', 'before', 'after'] }),
    minimumPercent: text('minimum_percent'),
    minimumAmountMinor: minor('minimum_amount_minor'),
    interestRate: text('interest_rate'),
    color: text('color'),
    icon: text('icon'),
    order: integer('sort_order').notNull().default(0),
    note: text('note'),
    accountGroupId: text('account_group_id').references(() => accountGroups.id),
    ...stamps,
    deletedAt: instant('deleted_at'),
    /** When its erasure was asked for: it is in no trash any more, and what is booked on it is going. */
    erasedAt: instant('erased_at'),
    /** The last day that a period lock of any kind covers; kept by triggers on `period_locks`. */
    lockedThrough: text('locked_through'),
    /** The last day that a hard lock covers. */
    hardLockedThrough: text('hard_locked_through'),
    /** That of its owner; kept by triggers. */
    ruleSet: integer('rule_set').notNull().default(0),
  },
  (table) => [
    uniqueIndex('accounts_name')
      .on(table.ownerId, table.nameKey)
      .where(sql`deleted_at IS NULL`),
    // Entries refer to all three, so none can carry another owner's or another currency's account.
    uniqueIndex('accounts_identity').on(table.id, table.ownerId, table.currency),
    // Also of those in the trash, whose history stays.
    index('accounts_of_owner').on(table.ownerId, table.id),
    index('accounts_of_group')
      .on(table.accountGroupId)
      .where(sql`account_group_id IS NOT NULL`),
    index('accounts_to_purge')
      .on(table.deletedAt)
      .where(sql`deleted_at IS NOT NULL`),
  ],
)

/** The user's own words on an event of an account's history; the log itself never changes. */
export const historyNotes = sqliteTable(
  'history_notes',
  {
    /** The id of the event. */
    eventId: text('event_id').primaryKey(),
    accountId: text('account_id').notNull(),
    comment: text('comment'),
    hiddenAt: instant('hidden_at'),
    version: integer('version').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('history_notes_of_account').on(table.accountId)],
)
