import { and, eq, gte, isNull, type SQL, sql } from 'drizzle-orm'
import { entries as entriesTable, transactions } from '../../../drizzle/schema/ledger.ts'
import { accountBalances } from '../../../drizzle/schema/projections.ts'
import { addressOf } from '../../domain/ledger-ids.ts'
import type { Exchange } from '../../domain/exchange.ts'
import type { Entry, Kind, Status } from '../../domain/ledger.ts'
import { searchKey } from '../../domain/search-key.ts'
import type { SignedIn } from '../../platform/context.ts'
import { requireChangedOne } from '../../platform/database/premises.ts'
import { changedMeanwhile } from '../../platform/database/refusals.ts'
import { db, type Statement, upToBytes } from '../../platform/database/statements.ts'
import {
  accountIdsWithHistory,
  isNotPrivateTo,
  ownedBy,
  accessLevelOfEntry,
  visibleAccountIds,
} from '../../areas/identity/access/access.public.ts'
import type { Computed } from '../../platform/log/events.ts'
import { ATTACHMENTS, refundsFor } from './attached.queries.ts'
import type { LineTable } from '../books/lines.queries.ts'
import { LABEL_COLUMNS } from '../labels/labels.queries.ts'

export type Header = typeof transactions.$inferSelect

/** A line of the same transaction, other than the one that is looked at. */
export type OtherLine = Omit<Entry, 'date'>

/** A transaction as one of its accounts sees it: its account line, its header, and its other lines. */
export interface LedgerRow {
  transactionId: string
  line: number
  accountId: string
  ownerId: string
  date: string
  amountMinor: number
  currency: string
  status: Status
  externalId: string | null
  /** The line of the part, for the other side of a part. */
  pair: number | null
  /** The other party as the bank of this account wrote it, for the other side of a part. */
  linePayeeRaw: string | null
  /** The kind as the account sees it: the other side of a part is a transfer. */
  kind: Kind
  /** The kind of the transaction. The following fields are those of the transaction, too. */
  headerKind: Kind
  time: string | null
  description: string
  payeeRaw: string | null
  originalAmountMinor: number | null
  originalCurrency: string | null
  rate: string | null
  reviewed: number
  private: number
  excludeFromReports: number
  source: 'user' | 'import' | 'rule' | 'recurring' | 'api'
  note: string | null
  /** JSON. */
  location: string | null
  /** JSON. */
  metadata: string | null
  createdBy: string
  version: number
  createdAt: number
  updatedAt: number
  /** The highest number that a line had before the last change of lines. */
  lastLine: number
  /** The import that booked it. */
  importId: string | null
  /** The recurring item whose occurrence it is. */
  recurringId: string | null
  /** The nominal date of that occurrence. */
  recurringDate: string | null
  /** JSON of `OtherLine[]`. */
  others: string
  /** JSON of `Labels['payees']`. */
  payees: string
  /** JSON of `Labels['tags']`. */
  tags: string
  /** The caller's access level on the account: a rank of domain/sharing.ts. */
  rank?: number
  /** JSON of the other accounts of the transaction that the caller does not see; null or not said where there are none. */
  hiddenAccountIds?: string | null
  /** JSON of the ids of its files; none where it is not said. */
  attachmentIds?: string
  /** JSON of what is given back of it, or by it; null or not said where it has no such links. */
  refunds?: string | null
  /** The conversion of its amount; not said where nobody asked for one. */
  exchange?: Exchange
}

// Most lines are the first of their transaction: their others are found without reading the line itself again.
const others = (table: LineTable, than: '>' | '<>') => `(
  SELECT json_group_array(json_object('line', o.line, 'side', o.side, 'accountId', o.account_id,
      'ownerId', o.owner_id, 'amountMinor', o.amount_minor, 'currency', o.currency, 'status', o.status,
      'categoryId', o.category_id, 'note', o.note, 'externalId', o.external_id, 'pair', o.pair,
      'payeeRaw', o.payee_raw))
    FROM ${table} o WHERE o.transaction_id = e.transaction_id AND o.line ${than} e.line)`

/** A `LedgerRow` of an account line `e` of that table and its header `t`. */
export const columnsFrom = (table: LineTable): SQL =>
  sql.raw(`
  e.transaction_id AS transactionId, e.line AS line, e.account_id AS accountId, e.owner_id AS ownerId,
  e.date AS date,
  e.amount_minor AS amountMinor, e.currency, e.status, e.external_id AS externalId, e.pair, e.payee_raw AS linePayeeRaw,
  iif(e.line > 2, 'transfer', t.kind) AS kind, t.kind AS headerKind, t.time, t.description, t.payee_raw AS payeeRaw,
  t.original_amount_minor AS originalAmountMinor, t.original_currency AS originalCurrency, t.rate,
  t.reviewed, t.private, t.exclude_from_reports AS excludeFromReports, t.source, t.note, t.location, t.metadata, t.created_by AS createdBy,
  t.version, t.created_at AS createdAt, t.updated_at AS updatedAt, t.last_line AS lastLine, t.import_id AS importId,
  t.recurring_id AS recurringId, t.recurring_date AS recurringDate,
  CASE e.line WHEN 1 THEN ${others(table, '>')} ELSE ${others(table, '<>')} END AS others, ${LABEL_COLUMNS}`)

const COLUMNS = columnsFrom('entries')

/** True if the caller knows of all accounts of an entry `e`'s owner. */
const knowsAll = ({ caller }: SignedIn): SQL =>
  caller.tokenHash === null ? ownedBy(caller, 'e.owner_id') : sql`FALSE`

/** The columns for a caller, with their access level and what other accounts of the transaction they do not see. */
export const columnsFor = (ctx: SignedIn): SQL =>
  sql`${COLUMNS}, ${ATTACHMENTS}, ${refundsFor(ctx)}, CASE WHEN ${knowsAll(ctx)} THEN NULL ELSE
    (SELECT json_group_array(c.account_id) FROM entries c WHERE c.transaction_id = e.transaction_id AND c.side = 'account'
      AND c.line <> e.line AND c.account_id NOT IN (${accountIdsWithHistory(ctx)})) END AS hiddenAccountIds,
    ${accessLevelOfEntry(ctx)} AS rank`

/** The headers `t` of entries `e`. */
export const HEADERS = sql`JOIN transactions t ON t.id = e.transaction_id`

export const FROM = sql`FROM entries e ${HEADERS}`

export const seenBy = (ctx: SignedIn) =>
  sql`e.side = 'account' AND e.account_id IN (${visibleAccountIds(ctx)}) AND ${isNotPrivateTo(ctx)}`

/** Takes lines in order until their transactions have more than `most` entries in total. */
export const upToLines = (lines: SQL, most: number): SQL =>
  sql`SELECT transaction_id, line FROM (SELECT found.transaction_id, found.line,
      sum((SELECT count(*) FROM entries n WHERE n.transaction_id = found.transaction_id))
        OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (${lines}) found) WHERE ifnull(before, 0) <= ${most}`

/** Takes ordered `LedgerRow`s as far as they fit on a page, since a split can have a hundred parts with notes. */
export const upToPage = (rows: SQL): SQL =>
  upToBytes(
    rows,
    sql.raw(`octet_length(others) + octet_length(payees) + octet_length(tags) + octet_length(attachmentIds)
      + ifnull(octet_length(refunds), 0) + octet_length(description) + ifnull(octet_length(note), 0) + ifnull(octet_length(metadata), 0)`),
  )

/**
 * These lines in the order of their days, as far as they fit on a page. Another query of the same read, or the SQL itself, shows
 * that they are seen.
 * @param lines SELECTs `transaction_id`, `line`, and `mark`, which each row is given
 */
export const ledgerRowsAmong = (ctx: SignedIn, lines: SQL) =>
  db.all<LedgerRow & { mark: number }>(
    upToPage(sql`SELECT ${columnsFor(ctx)}, page.mark FROM (${lines}) page
      CROSS JOIN entries e ON e.transaction_id = page.transaction_id AND e.line = page.line
      JOIN transactions t ON t.id = e.transaction_id
    ORDER BY e.date, e.transaction_id, e.line`),
  )

/** The account line that an id addresses, if the caller sees its account. */
export function ledgerRowById(ctx: SignedIn, id: string) {
  const { transactionId, line } = addressOf(id)
  return db.all<LedgerRow>(
    sql`SELECT ${columnsFor(ctx)} ${FROM} WHERE e.transaction_id = ${transactionId} AND e.line = ${line} AND ${seenBy(ctx)}`,
  )
}

/** The account lines that ids address, as far as the caller sees them and they fit on a page: in the order of the ids, with the place among them as `mark`. */
export const ledgerRowsInOrder = (ctx: SignedIn, ids: string[]) => {
  const wanted = ids.map(addressOf).map(({ transactionId, line }) => [transactionId, line])
  return db.all<LedgerRow & { mark: number }>(
    upToPage(sql`SELECT ${columnsFor(ctx)}, wanted.key AS mark FROM json_each(${JSON.stringify(wanted)}) wanted
      CROSS JOIN entries e ON e.transaction_id = wanted.value->>0 AND e.line = wanted.value->>1
      JOIN transactions t ON t.id = e.transaction_id WHERE ${seenBy(ctx)} ORDER BY wanted.key`),
  )
}

/**
 * The account's side of each of these transactions of one account, as far as the caller sees that: bookings of what is
 * said of the account. Private ones, too, follow from that; none of their content is shown.
 */
export const ledgerRowsIn = (ctx: SignedIn, transactionIds: SQL) =>
  db.all<LedgerRow>(
    sql`SELECT ${columnsFor(ctx)} ${FROM} WHERE e.transaction_id IN (${transactionIds}) AND e.line = 1
      AND e.side = 'account' AND e.account_id IN (${visibleAccountIds(ctx)})`,
  )

/** The legs of these transfers, newest transfer first, as far as the caller sees their accounts. */
export const legsOf = (ctx: SignedIn, transferIds: SQL) =>
  db.all<LedgerRow>(
    sql`SELECT ${columnsFor(ctx)} ${FROM} WHERE e.transaction_id IN (${transferIds}) AND t.kind = 'transfer'
      AND ${seenBy(ctx)} ORDER BY e.date DESC, e.transaction_id DESC, e.line`,
  )

type RowAsRead = Pick<LedgerRow, 'transactionId' | 'version' | 'ownerId'>

const isAsRead = ({ transactionId, version, ownerId }: RowAsRead) =>
  and(
    eq(transactions.id, transactionId),
    eq(transactions.ownerId, ownerId),
    eq(transactions.version, version),
    isNull(transactions.deletedAt),
  )

/** Takes a transaction back without a trace but the log: an opening whose balance became zero. */
export const removeTransaction = (row: RowAsRead): Statement[] => [
  db
    .delete(entriesTable)
    .where(
      and(eq(entriesTable.transactionId, row.transactionId), eq(entriesTable.ownerId, row.ownerId)),
    ),
  db.delete(transactions).where(isAsRead(row)),
  requireChangedOne(changedMeanwhile),
]

/** Hands the transactions of a recurring item, from a nominal date on, to the item that goes on. */
export const moveRecurringLinks = (
  { id, ownerId }: { id: string; ownerId: string },
  to: string,
  from: string,
): Statement =>
  db
    .update(transactions)
    .set({ recurringId: to })
    .where(
      and(
        eq(transactions.recurringId, id),
        eq(transactions.ownerId, ownerId),
        gte(transactions.recurringDate, from),
      ),
    )

/** Takes the rows that a transaction stands for off an item: their link counts for the transaction. */
export const releaseRecurring = (
  { transactionId, ownerId }: Pick<LedgerRow, 'transactionId' | 'ownerId'>,
  recurringId: string,
): Statement =>
  db
    .update(transactions)
    .set({ recurringId: null, recurringDate: null })
    .where(
      and(
        eq(transactions.matchedInto, transactionId),
        eq(transactions.ownerId, ownerId),
        eq(transactions.recurringId, recurringId),
      ),
    )

/** The row for the balances of a new account, which triggers keep from then on. */
export const openBalance = (accountId: string): Statement =>
  db.insert(accountBalances).values({ accountId })

/** Adds the rows for the balances of restored accounts that have none yet. */
export const openBalances = (accountIds: string[]): Statement =>
  db.run(sql`INSERT INTO account_balances (account_id) SELECT value FROM json_each(${JSON.stringify(accountIds)})
    WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = value)
      AND NOT EXISTS (SELECT 1 FROM account_balances b WHERE b.account_id = value)`)

type NewHeader = Partial<Header> & Pick<Header, 'id' | 'ownerId' | 'kind' | 'date'>

/** The header of a new transaction of the caller; what is not said of it is empty. */
export const newHeader = (ctx: SignedIn, fields: NewHeader): Header =>
  headerBy(ctx.caller.userId, ctx.now, fields)

/** The header of a transaction that somebody recorded; what is not said of it is empty. */
export const headerBy = (createdBy: string, now: number, fields: NewHeader): Header => ({
  searchText: searchTextOf(fields),
  time: null,
  description: '',
  payeeRaw: null,
  originalAmountMinor: null,
  originalCurrency: null,
  rate: null,
  reviewed: false,
  private: false,
  excludeFromReports: false,
  source: 'user',
  note: null,
  location: null,
  metadata: null,
  createdBy,
  version: 1,
  createdAt: now,
  updatedAt: now,
  deletedAt: null,
  matchedInto: null,
  matchedPart: null,
  lastLine: 0,
  importId: null,
  recurringId: null,
  recurringDate: null,
  ...fields,
})

type Words = Pick<Header, 'description' | 'payeeRaw' | 'note'>

/**
 * Returns the text that is searched: the keys of the description, of the bank's text and of the note, a line each. It is written
 * again whenever one of the fields changes.
 * @param fold `searchKey`, memoized where many rows get the same words
 */
export const searchTextOf = (
  { description, payeeRaw, note }: Partial<Words>,
  fold: (text: string) => string = searchKey,
): string => [description, payeeRaw, note].map((text) => fold(text ?? '')).join('\n')

/** The facts of an event that the history of an account shows. */
export interface HistoryFacts {
  /** Calendar date that the event counts for. */
  date: string
  changeMinor: number
  /** The change of the account by later facts of the same commit. */
  laterMinor?: number
  transactionId: string | null
}

const WITH_BALANCE = sql`(SELECT json_object('date', value->'history'->>'date', 'currency', a.currency,
    'changeMinor', value->'history'->'changeMinor',
    'balanceAfterMinor', b.balance_minor - ifnull(value->'history'->>'laterMinor', 0),
    'transactionId', value->'history'->>'transactionId')
  FROM accounts a JOIN account_balances b ON b.account_id = a.id WHERE a.id = value->>'accountId')`

/** Adds to the facts the balance of the account after the writes of the commit. */
export const historyFacts = (values: HistoryFacts): Computed => ({ values, sql: WITH_BALANCE })
