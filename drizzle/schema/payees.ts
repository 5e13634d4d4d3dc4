import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, stamps } from '../columns.ts'
import { categories } from './categories.ts'
import { transactions } from './ledger.ts'

export const payees = sqliteTable(
  'payees',
  {
    id: id(),
    ownerId: text('owner_id').notNull(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    /** The search key of the name, where it is not the same. */
    searchKey: text('search_key'),
    defaultCategoryId: text('default_category_id').references(() => categories.id, {
      onDelete: 'set null',
    }),
    note: text('note'),
    archived: flag('archived').notNull().default(false),
    excludeFromReports: flag('exclude_from_reports').notNull().default(false),
    ...stamps,
  },
  (table) => [
    uniqueIndex('payees_name').on(table.ownerId, table.nameKey),
    index('payees_of_owner').on(table.ownerId, table.id),
    index('payees_of_category').on(table.defaultCategoryId),
    index('payees_excluded')
      .on(table.ownerId)
      .where(sql`exclude_from_reports = 1`),
  ],
)

/** The texts that banks write instead of the name of a payee. */
export const payeeAliases = sqliteTable(
  'payee_aliases',
  {
    id: id(),
    ownerId: text('owner_id').notNull(),
    payeeId: text('payee_id')
      .notNull()
      .references(() => payees.id),
    raw: text('raw').notNull(),
    rawKey: text('raw_key').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('payee_aliases_raw').on(table.ownerId, table.rawKey),
    index('aliases_of_payee').on(table.payeeId, table.id),
  ],
)

/** The payee of a transaction, or of a part of it; stays and goes as its tags do. */
export const transactionPayees = sqliteTable(
  'transaction_payees',
  {
    transactionId: text('transaction_id')
      .notNull()
      .references(() => transactions.id),
    /** The line of the part that has it; 0 for the whole. */
    line: integer('line').notNull(),
    payeeId: text('payee_id')
      .notNull()
      .references(() => payees.id),
  },
  (table) => [
    primaryKey({ columns: [table.transactionId, table.line] }),
    index('transactions_of_payee').on(table.payeeId, table.transactionId, table.line),
  ],
)
