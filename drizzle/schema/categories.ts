import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, id, stamps } from '../columns.ts'
import { users } from './system.ts'

export const categories = sqliteTable(
  'categories',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    kind: text('kind', { enum: ['expense', 'income'] }).notNull(),
    parentId: text('parent_id').references((): AnySQLiteColumn => categories.id),
    /** 1 for a category without a parent, 5 at most. */
    depth: integer('depth').notNull(),
    order: integer('sort_order').notNull().default(0),
    color: text('color'),
    icon: text('icon'),
    archived: flag('archived').notNull().default(false),
    excludeFromBudget: flag('exclude_from_budget').notNull().default(false),
    excludeFromReports: flag('exclude_from_reports').notNull().default(false),
    note: text('note'),
    ...stamps,
  },
  (table) => [
    uniqueIndex('categories_name')
      .on(table.ownerId, table.kind, table.nameKey)
      .where(sql`parent_id IS NULL`),
    uniqueIndex('categories_name_in_parent')
      .on(table.parentId, table.nameKey)
      .where(sql`parent_id IS NOT NULL`),
    index('categories_of_owner').on(table.ownerId, table.id),
  ],
)
