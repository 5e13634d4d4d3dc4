import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, stamps } from '../columns.ts'
import { users } from './system.ts'

/** Queries that users keep under a name. */
export const savedViews = sqliteTable(
  'saved_views',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    /** The list or report that it shows. */
    of: text('view_of', {
      enum: ['transactions', 'incomeStatement', 'spending', 'cashFlow', 'netWorthHistory'],
    }).notNull(),
    /** JSON of the query; its condition is JSON in it, not text. */
    parameters: text('parameters').notNull(),
    position: integer('position').notNull().default(0),
    pinned: flag('pinned').notNull().default(false),
    ...stamps,
  },
  (table) => [uniqueIndex('saved_views_name').on(table.ownerId, table.nameKey)],
)
