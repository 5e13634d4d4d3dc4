import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, id, instant, minor, stamps } from '../columns.ts'
import { transactions } from './ledger.ts'
import { users } from './system.ts'

// Imports of files from banks and other programs. The rows of a file are in the bucket, in pieces. These tables have
// the decisions about them, and the identities of those that were booked.

const IMPORT_STATES = [
  'uploaded',
  'questions',
  'previewed',
  'committing',
  'done',
  'reverting',
  'reverted',
  'failed',
  'cancelled',
] as const

/** A file on its way to become transactions. */
export const imports = sqliteTable(
  'imports',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    state: text('state', { enum: IMPORT_STATES }).notNull(),
    /** The task that reads, books or takes back. */
    taskId: text('task_id'),
    /** Null once the file was erased. */
    objectKey: text('object_key').unique(),
    fileName: text('file_name').notNull(),
    size: integer('size').notNull(),
    /** Hexadecimal. */
    sha256: text('sha256').notNull(),
    /** The account that came with the file; empty for none. */
    accountId: text('account_id').notNull().default(''),
    /** True if the same file may be open twice. */
    again: flag('again').notNull(),
    /** JSON of what the user chose and answered. */
    chosen: text('chosen').notNull().default('{}'),
    /** JSON of how the file is read: what was chosen, and what its bytes say. */
    mapping: text('mapping').notNull().default('{}'),
    /** JSON, as are the following ones. */
    questions: text('questions').notNull().default('[]'),
    warnings: text('warnings').notNull().default('[]'),
    counts: text('counts').notNull().default('{}'),
    /** Accounts of the file, each with the own one. */
    accounts: text('accounts').notNull().default('[]'),
    /** The headings or kinds of columns by which a profile knows files of the same shape. */
    shape: text('shape').notNull().default('[]'),
    error: text('error'),
    /** Schemes of bank ids that identify nothing, by account. */
    untrusted: text('untrusted').notNull().default('[]'),
    /** Pending transactions that the file should contain and does not. */
    vanished: text('vanished').notNull().default('[]'),
    /** The options of the request for the commit. */
    options: text('options').notNull().default('{}'),
    /** The results for the rows that were booked or left out so far. */
    outcome: text('outcome').notNull().default('{}'),
    /** Accounts and categories that the commit made. */
    made: text('made').notNull().default('{}'),
    /** The results of a revert. */
    reverted: text('reverted'),
    profileId: text('profile_id'),
    /** The progress of the task: rows done of all. */
    step: text('step', { enum: ['reading', 'comparing', 'booking', 'reverting'] }),
    rowsDone: integer('rows_done').notNull().default(0),
    rowsTotal: integer('rows_total').notNull().default(0),
    /** The next piece in the order of booking. */
    nextChunk: integer('next_chunk').notNull().default(0),
    /** True if the file runs from the newest row to the oldest. */
    backwards: flag('backwards').notNull().default(false),
    analysedAt: instant('analysed_at'),
    /** When file and rows are erased. */
    expiresAt: instant('expires_at').notNull(),
    ...stamps,
  },
  (table) => [
    index('imports_of_owner').on(table.ownerId, table.id),
    uniqueIndex('imports_open_file')
      .on(table.ownerId, table.accountId, table.sha256)
      .where(sql`again = 0 AND state NOT IN ('done', 'reverting', 'reverted', 'cancelled')`),
    index('imports_to_expire')
      .on(table.expiresAt)
      .where(sql`object_key IS NOT NULL`),
    check('import_size', sql`size >= 0`),
  ],
)

const importId = () =>
  text('import_id')
    .notNull()
    .references(() => imports.id)

/** A piece of the rows of a file: a range of the object that has them, one in a line. */
export const importChunks = sqliteTable(
  'import_chunks',
  {
    importId: importId(),
    number: integer('number').notNull(),
    objectKey: text('object_key').notNull(),
    offset: integer('offset').notNull(),
    length: integer('length').notNull(),
    /** The number of its first row, from 1, and how many there are. */
    firstRow: integer('first_row').notNull(),
    rows: integer('rows').notNull(),
    firstLine: integer('first_line').notNull(),
    /** JSON: how many rows there are of each verdict. */
    counts: text('counts').notNull(),
    /** JSON of `LeftOut[]`: what its rows come to if nobody decides otherwise; null if some of them may be booked. */
    leftOut: text('left_out'),
    oldest: text('oldest'),
    newest: text('newest'),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.number] }),
    // The sweep of files asks for it.
    index('import_chunks_object').on(table.objectKey),
  ],
)

/** The user's decision about a row, or the match that was found for it in the books. */
export const importRowNotes = sqliteTable(
  'import_row_notes',
  {
    importId: importId(),
    row: integer('row').notNull(),
    decision: text('decision', { enum: ['book', 'skip', 'match'] }),
    /** True if `skip` is for this file alone. */
    once: flag('once').notNull().default(false),
    /** The transaction that the user says the row is. */
    matchId: text('match_id'),
    /** JSON: what the user says instead of the file. */
    overrides: text('overrides'),
    /** JSON of what the row was found to be, which takes the place of what the piece says. */
    found: text('found'),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
)

/** A statement of a bank in a file, with what it says of balances. It stays when the file goes. */
export const importStatements = sqliteTable(
  'import_statements',
  {
    /** The id of the import, which may be gone. */
    importId: text('import_id').notNull(),
    place: integer('place').notNull(),
    ownerId: text('owner_id').notNull(),
    /** The own account; empty while none is known. */
    accountId: text('account_id').notNull().default(''),
    number: text('number'),
    fromDate: text('from_date'),
    throughDate: text('through_date'),
    currency: text('currency').notNull(),
    openingMinor: minor('opening_minor'),
    closingMinor: minor('closing_minor'),
    sumMinor: minor('sum_minor').notNull(),
    rows: integer('rows').notNull(),
    /** JSON of what explains a difference, and of balances that are only shown. */
    content: text('content').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.place] }),
    index('import_statements_of_account').on(table.accountId, table.throughDate),
    index('import_statements_of_owner').on(table.ownerId),
  ],
)

/** The rows that an account knows, by what identifies them in files of banks. */
export const importIdentities = sqliteTable(
  'import_identities',
  {
    accountId: text('account_id').notNull(),
    identity: text('identity').notNull(),
    /** The key of the bank's own id. */
    bankKey: text('bank_key'),
    date: text('date').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    /** The balance after the row, as the file states it. */
    balanceMinor: minor('balance_minor'),
    pending: flag('pending').notNull(),
    /** True if there is no transaction because the user skipped the row. */
    skipped: flag('skipped').notNull().default(false),
    /** The transaction that it is; null once that was erased. */
    transactionId: text('transaction_id').references(() => transactions.id),
    importId: text('import_id').notNull(),
    /** JSON of what a transaction was that was there before; null where the import booked it. */
    added: text('added'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.identity] }),
    index('import_identities_by_bank')
      .on(table.accountId, table.bankKey)
      .where(sql`bank_key IS NOT NULL`),
    index('import_identities_by_date').on(table.accountId, table.date, table.amountMinor),
    // Few are: what a bank has not booked yet is looked for whatever its amount.
    index('import_identities_pending')
      .on(table.accountId, table.date)
      .where(sql`pending = 1`),
    // A reconciliation shows the newest.
    index('import_identities_skipped')
      .on(table.accountId, table.date)
      .where(sql`skipped = 1 AND transaction_id IS NULL`),
    index('import_identities_of_transaction')
      .on(table.transactionId)
      .where(sql`transaction_id IS NOT NULL`),
    // The bookings of an import are found by its transactions.
    index('import_identities_of_import')
      .on(table.importId)
      .where(sql`added IS NOT NULL OR transaction_id IS NULL`),
  ],
)

/** The ways to read files of one shape. */
export const importProfiles = sqliteTable(
  'import_profiles',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    /** Null where it is for any account. */
    accountId: text('account_id'),
    format: text('format').notNull(),
    /** JSON. */
    mapping: text('mapping').notNull(),
    /** JSON list. */
    shape: text('shape').notNull(),
    ...stamps,
  },
  (table) => [
    uniqueIndex('import_profiles_name').on(table.ownerId, table.nameKey),
    index('import_profiles_of_owner').on(table.ownerId, table.id),
  ],
)
