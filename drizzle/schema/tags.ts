import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, stamps } from '../columns.ts'
import { transactions } from './ledger.ts'

export const tags = sqliteTable(
  'tags',
  {
    id: id(),
    ownerId: text('owner_id').notNull(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    color: text('color'),
    archived: flag('archived').notNull().default(false),
    ...stamps,
  },
  (table) => [
    uniqueIndex('tags_name').on(table.ownerId, table.nameKey),
    index('tags_of_owner').on(table.ownerId, table.id),
  ],
)

/** The tags of a transaction; they stay while it is in the trash, and are erased with it by a trigger. */
export const transactionTags = sqliteTable(
  'transaction_tags',
  {
    transactionId: text('transaction_id')
      .notNull()
      .references(() => transactions.id),
    /** The line of the part that has it; 0 for the whole. */
    line: integer('line').notNull(),
    tagId: text('tag_id')
      .notNull()
      .references(() => tags.id),
  },
  (table) => [
    primaryKey({ columns: [table.transactionId, table.line, table.tagId] }),
    index('transactions_of_tag').on(table.tagId, table.transactionId, table.line),
  ],
)
