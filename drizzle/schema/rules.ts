import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, stamps } from '../columns.ts'

/** The rules of a user, which say how transactions on the user's accounts are categorized, named, tagged or split. */
export const rules = sqliteTable(
  'rules',
  {
    id: id(),
    ownerId: text('owner_id').notNull(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    /** They are applied in this order. Positions may have gaps. */
    position: integer('position').notNull(),
    active: flag('active').notNull(),
    /** JSON: the condition, the changes, and when the rule works. */
    definition: text('definition').notNull(),
    ...stamps,
  },
  (table) => [
    uniqueIndex('rules_name').on(table.ownerId, table.nameKey),
    index('rules_of_owner').on(table.ownerId, table.position, table.id),
  ],
)
