import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, id, instant, minor, stamps, within } from '../columns.ts'
import { accounts } from './accounts.ts'
import { categories } from './categories.ts'
import { users } from './system.ts'

/** The header of a money event. Its amounts live in `entries`. */
export const transactions = sqliteTable(
  'transactions',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', {
      enum: ['expense', 'income', 'transfer', 'adjustment', 'opening'],
    }).notNull(),
    date: text('date').notNull(),
    time: text('time'),
    description: text('description').notNull().default(''),
    payeeRaw: text('payee_raw'),
    originalAmountMinor: minor('original_amount_minor'),
    originalCurrency: text('original_currency'),
    /** Decimal text: account currency per original currency, or arriving per leaving currency. */
    rate: text('rate'),
    reviewed: flag('reviewed').notNull().default(false),
    private: flag('private').notNull().default(false),
    excludeFromReports: flag('exclude_from_reports').notNull().default(false),
    source: text('source', { enum: ['user', 'import', 'rule', 'recurring', 'api'] }).notNull(),
    note: text('note'),
    location: text('location'),
    metadata: text('metadata'),
    /** Folded words of description, payee_raw and note: what a search looks through. */
    searchText: text('search_text').notNull().default(''),
    createdBy: text('created_by').notNull(),
    ...stamps,
    deletedAt: instant('deleted_at'),
    /**
     * The transaction that replaces it until the two are unmatched: a transfer, or the whole of a part. Meanwhile it
     * is neither booked nor in the trash.
     */
    matchedInto: text('matched_into').references((): AnySQLiteColumn => transactions.id),
    /** JSON of `MatchedPart`, where a part takes its place: which one, and what that was before. */
    matchedPart: text('matched_part'),
    /** The highest number that a line had before the last change of lines; a new part never gets one that was used before. */
    lastLine: integer('last_line').notNull().default(0),
    /** The import that booked it; that may be gone. */
    importId: text('import_id'),
    /** The recurring item whose occurrence it is; that may be gone. */
    recurringId: text('recurring_id'),
    /** The nominal date of that occurrence. */
    recurringDate: text('recurring_date'),
  },
  (table) => [
    // A search looks through all words of an owner: here they stand together. In the order of ids, so that what is new is added
    // at the end: in the order of words, each new row would change a page of its own.
    index('transactions_of_owner').on(table.ownerId, table.id, table.searchText),
    // Few are: so what a receiver of shared accounts does not see is found at once.
    index('transactions_private')
      .on(table.ownerId)
      .where(sql`private = 1`),
    index('transactions_private_by')
      .on(table.createdBy)
      .where(sql`private = 1`),
    index('transactions_excluded')
      .on(table.ownerId)
      .where(sql`exclude_from_reports = 1`),
    index('transactions_matched')
      .on(table.matchedInto)
      .where(sql`matched_into IS NOT NULL`),
    // When categories and payees are merged: what a part was before is no line of theirs.
    index('transactions_matched_category')
      .on(sql`matched_part->>'categoryId'`)
      .where(sql`matched_part IS NOT NULL`),
    index('transactions_matched_payee')
      .on(sql`matched_part->>'payeeId'`)
      .where(sql`matched_part IS NOT NULL`),
    check('transaction_matched_part', sql`matched_part IS NULL OR matched_into IS NOT NULL`),
    index('transfers_of_owner')
      .on(table.ownerId, table.date, table.id)
      .where(sql`kind = 'transfer' AND deleted_at IS NULL`),
    index('transactions_in_trash')
      .on(table.ownerId, table.deletedAt, table.id)
      .where(sql`deleted_at IS NOT NULL`),
    index('transactions_to_purge')
      .on(table.deletedAt, table.id)
      .where(sql`deleted_at IS NOT NULL`),
    index('transactions_of_import')
      .on(table.importId, table.id)
      .where(sql`import_id IS NOT NULL`),
    // The earliest day of each currency, for which exchange rates are needed.
    index('transactions_original_currency')
      .on(table.ownerId, table.originalCurrency, table.date)
      .where(sql`original_currency IS NOT NULL AND deleted_at IS NULL`),
    index('transactions_of_recurring')
      .on(table.recurringId, table.recurringDate)
      .where(sql`recurring_id IS NOT NULL`),
  ],
)

/** The columns of a line, booked or inactive. */
const line = () => ({
  transactionId: text('transaction_id')
    .notNull()
    .references(() => transactions.id),
  /** Keeps its number for as long as it exists: a part is addressed by it. */
  line: integer('line').notNull(),
  ownerId: text('owner_id').notNull(),
  accountId: text('account_id').notNull(),
  /** The place of the money: in the account itself, or outside of it, as seen from that account. */
  side: text('side', {
    enum: ['account', 'expense', 'income', 'opening', 'adjustment', 'exchange'],
  }).notNull(),
  date: text('date').notNull(),
  amountMinor: minor('amount_minor').notNull(),
  currency: text('currency').notNull(),
  status: text('status', {
    enum: ['pending', 'uncleared', 'cleared', 'reconciled', 'void'],
  }).notNull(),
  categoryId: text('category_id').references(() => categories.id),
  note: text('note'),
  /** The bank's id of the row; only on account lines. */
  externalId: text('external_id'),
  /** On the two lines that a part has on its other account, where it is a transfer: the line of the part. */
  pair: integer('pair'),
  /** The other party as the bank of that account wrote it, on the account line of such a part. */
  payeeRaw: text('payee_raw'),
})

/** The lines of the other account come after all lines of parts, and after the two of a transfer. */
const PAIRED = sql`pair IS NULL OR (pair < line AND line > 2 AND side IN ('account', 'exchange'))`

/**
 * The signed lines of a transaction. They sum to zero in every currency. In place only the category (of an income with the
 * side), the note, the status among `uncleared`, `cleared` and `reconciled`, and with the header `externalScope` change. Those of what is not
 * booked are `unbooked_entries`.
 */
export const entries = sqliteTable(
  'entries',
  {
    ...line(),
    /** True on an account's own line if the whole, or a part of it, could have a category and has none. */
    uncategorised: flag('uncategorised').notNull().default(false),
    /**
     * Among which lines of the account `externalId` is unique: those of one author where the transaction is private, with
     * the author's id, and else, empty, those that all see who see the account. So no refusal reveals a hidden transaction.
     */
    externalScope: text('external_scope').notNull().default(''),
    /** The account on the other side, on an account's own line in a transfer, and on the exchange lines of a part that is one. */
    counterAccountId: text('counter_account_id'),
    /** The amount that the transfer moves, on the same line, as the account sees it, without fees. */
    flowMinor: minor('flow_minor'),
  },
  (table) => [
    primaryKey({ columns: [table.transactionId, table.line] }),
    foreignKey({
      name: 'entries_account',
      columns: [table.accountId, table.ownerId, table.currency],
      foreignColumns: [accounts.id, accounts.ownerId, accounts.currency],
    }),
    within('entry_amount_range', 'amount_minor'),
    check('entry_amount_not_zero', sql`amount_minor <> 0`),
    check('entry_uncategorised', sql`uncategorised = 0 OR side = 'account'`),
    check('entry_external_scope', sql`external_scope = '' OR external_id IS NOT NULL`),
    check('entry_flow', sql`(counter_account_id IS NULL) = (flow_minor IS NULL)`),
    check('entry_flow_side', sql`flow_minor IS NULL OR side IN ('account', 'exchange')`),
    check('entry_pair', PAIRED),
    check('entry_payee_raw', sql`payee_raw IS NULL OR (pair IS NOT NULL AND side = 'account')`),
    check('entry_date', sql`date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`),
    index('entries_register')
      .on(
        table.accountId,
        table.date,
        table.transactionId,
        table.line,
        table.amountMinor,
        table.status,
        table.uncategorised,
        table.currency,
      )
      .where(sql`side = 'account'`),
    // All that lines are searched and sorted by, so that a search reads nothing else of them.
    index('entries_of_owner')
      .on(
        table.ownerId,
        table.date,
        table.transactionId,
        table.line,
        table.accountId,
        table.amountMinor,
        table.status,
        table.currency,
        table.uncategorised,
      )
      .where(sql`side = 'account'`),
    index('entries_of_category')
      .on(table.categoryId, table.date, table.transactionId, table.line)
      .where(sql`category_id IS NOT NULL`),
    // For the foreign key: without it, erasing an account would look through all entries there are.
    index('entries_of_account').on(table.accountId),
    uniqueIndex('entries_external_id')
      .on(table.accountId, table.externalId, table.externalScope)
      .where(sql`external_id IS NOT NULL`),
  ],
)

/**
 * The entries of transactions that are not booked, as they were: no projection and no register counts them. Any column may
 * change, so that a category can be merged or deleted meanwhile.
 */
export const unbookedEntries = sqliteTable(
  'unbooked_entries',
  {
    ...line(),
    /** The reason: the transaction is in the trash, or a transfer replaced it. */
    reason: text('reason', { enum: ['trash', 'match'] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionId, table.line] }),
    foreignKey({
      name: 'unbooked_entries_account',
      columns: [table.accountId, table.ownerId, table.currency],
      foreignColumns: [accounts.id, accounts.ownerId, accounts.currency],
    }),
    check('unbooked_reason', sql`reason IN ('trash', 'match')`),
    check('unbooked_pair', PAIRED),
    index('unbooked_entries_of_account').on(table.accountId, table.ownerId, table.currency),
    index('unbooked_entries_of_category')
      .on(table.categoryId)
      .where(sql`category_id IS NOT NULL`),
  ],
)

/** Links between transactions of one owner: one refunds, reimburses, or otherwise belongs to the other. */
export const transactionLinks = sqliteTable(
  'transaction_links',
  {
    id: id(),
    ownerId: text('owner_id').notNull(),
    kind: text('kind', {
      enum: ['refundOf', 'reimburses', 'feeOf', 'partOf', 'custom'],
    }).notNull(),
    /** The one that refunds, reimburses or is the fee. */
    sourceId: text('source_id')
      .notNull()
      .references(() => transactions.id),
    /** The one that it does that of. */
    targetId: text('target_id')
      .notNull()
      .references(() => transactions.id),
    /** The part of the target, in the currency of its account; null where no amount is meant. */
    amountMinor: minor('amount_minor'),
    currency: text('currency'),
    note: text('note'),
    ...stamps,
  },
  (table) => [
    uniqueIndex('transaction_links_once').on(table.sourceId, table.targetId, table.kind),
    index('transaction_links_of_target').on(table.targetId),
    index('transaction_links_of_owner').on(table.ownerId, table.id),
    check('transaction_links_two', sql`source_id <> target_id`),
  ],
)

/** Pairs of transactions of which the user said that they are no duplicates, or no transfer. */
export const distinctPairs = sqliteTable(
  'distinct_pairs',
  {
    kind: text('kind', { enum: ['duplicate', 'transfer'] }).notNull(),
    /** The lesser id of the two. */
    oneId: text('one_id')
      .notNull()
      .references(() => transactions.id),
    otherId: text('other_id')
      .notNull()
      .references(() => transactions.id),
    ownerId: text('owner_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.oneId, table.otherId, table.kind] }),
    index('distinct_pairs_of_other').on(table.otherId),
    index('distinct_pairs_of_owner').on(table.ownerId),
    check('distinct_pairs_ordered', sql`one_id < other_id`),
  ],
)

/** The value that the owner gave an off-budget account for a day, with the adjustment that booked it. */
export const valuations = sqliteTable(
  'valuations',
  {
    id: id(),
    ownerId: text('owner_id').notNull(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    date: text('date').notNull(),
    /** In the currency of the account; what is owed is negative. */
    valueMinor: minor('value_minor').notNull(),
    note: text('note'),
    transactionId: text('transaction_id').references(() => transactions.id),
    ...stamps,
  },
  (table) => [
    uniqueIndex('valuations_day').on(table.accountId, table.date),
    index('valuations_of_owner').on(table.ownerId, table.date, table.id),
    index('valuations_of_transaction')
      .on(table.transactionId)
      .where(sql`transaction_id IS NOT NULL`),
    within('valuation_range', 'value_minor'),
  ],
)

/** Deleted things that can be restored, as they were, with their usage: of kinds without a trash of their own. */
export const trashedRows = sqliteTable(
  'trashed_rows',
  {
    /** The id of the deleted thing. */
    id: id(),
    ownerId: text('owner_id').notNull(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    /** JSON. */
    image: text('image').notNull(),
    deletedAt: instant('deleted_at').notNull(),
  },
  (table) => [
    index('trashed_rows_of_owner').on(table.ownerId, table.deletedAt, table.id),
    index('trashed_rows_to_purge').on(table.deletedAt, table.id),
  ],
)
