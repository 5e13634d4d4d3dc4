import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { id, stamps } from '../columns.ts'
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
