import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { id, instant, stamps } from '../columns.ts'
import { users } from './system.ts'

export const exchangeRates = sqliteTable(
  'exchange_rates',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    from: text('from_currency').notNull(),
    to: text('to_currency').notNull(),
    /** Calendar date from which the rate holds. */
    date: text('date').notNull(),
    /** Decimal text, up to 12 places: one unit of `from` in units of `to`. */
    rate: text('rate').notNull(),
    ...stamps,
  },
  (table) => [
    uniqueIndex('exchange_rates_pair_date').on(table.ownerId, table.from, table.to, table.date),
    index('exchange_rates_of_owner').on(table.ownerId, table.date, table.id),
  ],
)

/** Rates that everybody sees: what administrators added, and what was fetched. */
export const systemExchangeRates = sqliteTable(
  'system_exchange_rates',
  {
    id: id(),
    from: text('from_currency').notNull(),
    to: text('to_currency').notNull(),
    date: text('date').notNull(),
    rate: text('rate').notNull(),
    ...stamps,
  },
  (table) => [
    uniqueIndex('system_exchange_rates_pair_date').on(table.from, table.to, table.date),
    index('system_exchange_rates_by_date').on(table.date, table.id),
  ],
)

/** The days of which it is known whether the bank has a rate of a currency. Spans may overlap. */
export const rateCoverage = sqliteTable(
  'rate_coverage',
  {
    currency: text('currency').notNull(),
    /** `none` where the bank has no rate. */
    state: text('state', { enum: ['read', 'none'] }).notNull(),
    from: text('from_date').notNull(),
    through: text('through_date').notNull(),
    checkedAt: instant('checked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.currency, table.state, table.from] })],
)

/** The currencies that a user chose to work with, beside those of open accounts. */
export const userCurrencies = sqliteTable('user_currencies', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  /** JSON list of codes, in the order that the user gave them. */
  codes: text('codes').notNull(),
  ...stamps,
})
