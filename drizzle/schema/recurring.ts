import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, minor, stamps } from '../columns.ts'
import { users } from './system.ts'

/** Transactions that come again: rents, salaries, subscriptions, and templates, which have no schedule. */
export const recurring = sqliteTable(
  'recurring',
  {
    id: id(),
    /** The owner of its accounts. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    createdBy: text('created_by').notNull(),
    name: text('name').notNull(),
    purpose: text('purpose', { enum: ['bill', 'subscription', 'income', 'other'] }).notNull(),
    mode: text('mode', { enum: ['post', 'ask', 'expect'] }).notNull(),
    active: flag('active').notNull(),
    /** True if only its owner and who created it see it. */
    private: flag('private').notNull(),
    /** The account that its amount is of: the paying one of a transfer. Null where any own account will do. */
    accountId: text('account_id'),
    /** JSON of the ids of all accounts that its transaction names. */
    accountIds: text('account_ids').notNull(),
    currency: text('currency').notNull(),
    /** JSON: the schedule, the transaction, and which amounts and days fit. */
    definition: text('definition').notNull(),
    /** The first day that counts. */
    firstDay: text('first_day').notNull(),
    /** JSON of the spans of days in which it rested, both ends included. */
    rests: text('rests').notNull().default('[]'),
    /** The day from which on it rests. */
    restedOn: text('rested_on'),
    /** The last nominal date that was booked, or told to be due; moved occurrences have a mark of their own. */
    handledThrough: text('handled_through'),
    /** The day of the last reminder. */
    remindedOn: text('reminded_on'),
    /** The item that it goes on from. */
    previousId: text('previous_id'),
    /** When something has to be done next. */
    nextAt: instant('next_at'),
    ...stamps,
  },
  (table) => [
    index('recurring_of_owner').on(table.ownerId, table.id),
    index('recurring_due')
      .on(table.nextAt, table.ownerId)
      .where(sql`next_at IS NOT NULL`),
    // Targets of budgets that name an item follow the items that go on from it.
    index('recurring_of_previous')
      .on(table.previousId)
      .where(sql`previous_id IS NOT NULL`),
  ],
)

/** Occurrences of recurring items of which more is known than the schedule says. */
export const recurringOccurrences = sqliteTable(
  'recurring_occurrences',
  {
    recurringId: text('recurring_id').notNull(),
    ownerId: text('owner_id').notNull(),
    nominalDate: text('nominal_date').notNull(),
    /** The day to which it was moved. */
    date: text('date'),
    /** JSON of the fields of the transaction that are different this time. */
    changes: text('changes'),
    /** `booked` while it has no transaction any more: it is left out, and not booked again. */
    state: text('state', { enum: ['booked', 'skipped', 'missed'] }),
    /** The code of the error for which it was missed. */
    reason: text('reason'),
    /** The amount that was expected when a transaction was booked for it, or linked to it. */
    expectedMinor: minor('expected_minor'),
    /** True if somebody was told that it is due. */
    told: flag('told').notNull().default(false),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.recurringId, table.nominalDate] }),
    // Few are: a run finds them without reading all that was ever booked.
    index('recurring_occurrences_moved')
      .on(table.recurringId)
      .where(sql`date IS NOT NULL AND told = 0`),
    index('recurring_occurrences_of_owner').on(table.ownerId, table.recurringId, table.nominalDate),
  ],
)

/** Matches and suggestions that somebody does not want to see again. */
export const recurringDismissals = sqliteTable(
  'recurring_dismissals',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    /** The item, the nominal date and the transaction of a match, or the key of a suggestion. */
    key: text('key').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('recurring_dismissals_key').on(table.ownerId, table.key)],
)
