import { accountIsSeenBy, viewerOf } from '../../areas/identity/access/access.public.ts'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { entries as entriesTable, transactions } from '../../../drizzle/schema/ledger.ts'
import { transactionPayees } from '../../../drizzle/schema/payees.ts'
import { transactionTags } from '../../../drizzle/schema/tags.ts'
import { isSameInPlace } from '../../domain/comparing.ts'
import { flowOf } from '../../domain/account-flows.ts'
import { addressOf } from '../../domain/ledger-ids.ts'
import { type Entry, lacksCategory } from '../../domain/ledger.ts'
import { memoized } from '../../domain/memoized.ts'
import { searchKey } from '../../domain/search-key.ts'
import type { Context, SignedIn } from '../../platform/context.ts'
import { inserterInto } from '../../platform/database/bulk-inserts.ts'
import { refuseIf, requireChanged } from '../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../platform/database/refusals.ts'
import {
  among,
  db,
  inParameters,
  itemsOf,
  nothing,
  prepared,
  type Statement,
} from '../../platform/database/statements.ts'
import {
  columnsFor,
  type Header,
  type LedgerRow,
  searchTextOf,
  seenBy,
  upToLines,
} from '../rows/rows.queries.ts'
import { entriesOf, headerOf } from '../rows/images.queries.ts'
import {
  externalScopeOf,
  isLineOf,
  mustBalanceWhere,
  type OwnedTransaction,
} from './lines.queries.ts'
import type { Labels } from '../labels/labels.rules.ts'

// Finders and statements of any number of transactions: a handful of statements whatever their number. What writes is for
// the journal.

/**
 * The account lines that these ids address, as far as the caller sees their accounts, in no order. They stop behind the
 * transaction with which they have more than `lines` entries together.
 */
export const ledgerRowsByIds = (ctx: SignedIn, ids: string[], lines: number) => {
  const wanted = ids.map(addressOf).map(({ transactionId, line }) => [transactionId, line])
  const found = sql`SELECT e.transaction_id, e.line FROM json_each(${JSON.stringify(wanted)}) wanted
    CROSS JOIN entries e ON e.transaction_id = wanted.value->>0 AND e.line = wanted.value->>1
    JOIN transactions t ON t.id = e.transaction_id WHERE ${seenBy(ctx)}`
  return wholeRowsAmong(ctx, upToLines(found, lines))
}

/**
 * All account lines of these transactions and transfers, by the ids of their headers, as far as the caller sees their
 * accounts, in no order. They stop as `ledgerRowsByIds` does.
 */
export const ledgerSidesOf = (ctx: SignedIn, headerIds: string[], lines: number) => {
  const found = sql`SELECT e.transaction_id, e.line FROM json_each(${JSON.stringify(headerIds)}) wanted
    CROSS JOIN entries e ON e.transaction_id = wanted.value
    JOIN transactions t ON t.id = e.transaction_id WHERE ${seenBy(ctx)}`
  return wholeRowsAmong(ctx, upToLines(found, lines))
}

/** The first account line that the caller sees of each of these transactions, by a SELECT of the `id` of their headers. */
export const firstSidesOf = (ctx: SignedIn, headers: SQL, lines: number) => {
  const found = sql`SELECT e.transaction_id, min(e.line) AS line FROM (${headers}) wanted
    CROSS JOIN entries e ON e.transaction_id = wanted.id
    JOIN transactions t ON t.id = e.transaction_id WHERE ${seenBy(ctx)} GROUP BY e.transaction_id`
  return wholeRowsAmong(ctx, upToLines(found, lines))
}

/**
 * These account lines, in no order, with however many lines their transactions have.
 * @param found SELECTs `transaction_id` and `line` of lines that the caller sees
 */
export const wholeRowsAmong = (ctx: SignedIn, found: SQL) =>
  db.all<LedgerRow>(
    sql`SELECT ${columnsFor(ctx)} FROM (${found}) page
      CROSS JOIN entries e ON e.transaction_id = page.transaction_id AND e.line = page.line
      JOIN transactions t ON t.id = e.transaction_id`,
  )

/** External ids, as pairs with the account. */
type ExternalIds = [accountId: string, externalId: string][]

/** External ids with the key of the account's name. */
type ExternalIdsOnNamed = [accountKey: string, externalId: string][]

/** Pairs of account and external id; a name stands for all accounts of that name that the caller can see. */
const pairsOf = (ctx: SignedIn, pairs: ExternalIds, onNamed: ExternalIdsOnNamed): SQL =>
  onNamed.length === 0
    ? sql`${JSON.stringify(pairs)}`
    : sql`(SELECT json_group_array(json_array(p.account, p.external)) FROM (
        SELECT value->>0 AS account, value->>1 AS external FROM json_each(${JSON.stringify(pairs)})
        UNION ALL SELECT accounts.id, n.value->>1 FROM json_each(${JSON.stringify(onNamed)}) n
          CROSS JOIN accounts ON accounts.name_key = n.value->>0 WHERE ${accountIsSeenBy(viewerOf(ctx))}) p)`

const withExternalIds = (
  ctx: SignedIn,
  pairs: ExternalIds,
  onNamed: ExternalIdsOnNamed = [],
): SQL =>
  sql`FROM json_each(${pairsOf(ctx, pairs, onNamed)}) wanted
    CROSS JOIN entries e ON e.account_id = wanted.value->>0 AND e.external_id = wanted.value->>1
    JOIN transactions t ON t.id = e.transaction_id WHERE ${seenBy(ctx)}`

/**
 * The account lines with these external ids, as far as the caller sees them. Of several with the same one those that the
 * caller has private are first, and then those that all see.
 */
export const ledgerRowsByExternalIds = (
  ctx: SignedIn,
  pairs: ExternalIds,
  onNamed: ExternalIdsOnNamed = [],
) =>
  pairs.length + onNamed.length === 0
    ? nothing<LedgerRow>()
    : db.all<LedgerRow>(
        sql`SELECT ${columnsFor(ctx)} ${withExternalIds(ctx, pairs, onNamed)}
          ORDER BY e.external_scope <> ${ctx.caller.userId}, e.external_scope`,
      )

/** Refuses when the caller sees a line with one of these external ids; a line that the caller does not see is no reason. */
export const mustBeFreeExternalIds = (
  ctx: SignedIn,
  pairs: ExternalIds,
  taken: Refusal,
): Statement[] =>
  pairs.length === 0 ? [] : [refuseIf(sql`EXISTS (SELECT 1 ${withExternalIds(ctx, pairs)})`, taken)]

/** Stores headers with their entries and labels; refuses unless each sums to zero per currency. */
export const insertTransactions = (
  all: { header: Header; entries: Entry[]; labels: Labels }[],
): Statement[] => [
  ...insertHeaders(all.map(({ header }) => header)),
  ...insertEntriesOf(all.map(({ header: { id }, entries }) => ({ id, entries }))),
  ...insertLabelsOf(all.map(({ header: { id }, labels }) => ({ id, labels }))),
]

const json = sql.placeholder('json')

const HEADER = Object.entries(getTableColumns(transactions)).map(
  ([key, { name }]) => [key as keyof Header, name] as const,
)

const insertHeaders = inserterInto<Header>(
  transactions,
  HEADER.map(([key, name]) => [name, key]),
)

const valueOf = (key: string): SQL => sql.raw(`value->>'${key}'`)

/** A change of a stored transaction; without entries, and without labels, those that are stored stay. */
export interface Replacement {
  row: LedgerRow
  /** The changed columns. */
  columns: Partial<Header>
  entries?: Entry[] | undefined
  labels?: Labels | undefined
}

/**
 * Returns the stored values of columns that change only in other rows, because one statement writes these columns in
 * all rows.
 */
function storedColumns(row: LedgerRow, own: object, changing: string[]): Partial<Header> {
  const kept = changing.filter((name) => !(name in own))
  const stored = kept.length === 0 ? {} : headerOf(row)
  return Object.fromEntries(Object.entries(stored).filter(([name]) => kept.includes(name)))
}

/** Changes transactions; refuses unless each still has the version that was read. */
export function replaceTransactions(ctx: Context, all: Replacement[]): Statement[] {
  const changing = [...new Set(all.flatMap(({ columns }) => Object.keys(columns)))]
  // All of them may get the same words, which may be long.
  const fold = memoized(searchKey)
  const headers = all.map(({ row, columns }) => {
    const searchText = searchTextOf({ ...row, ...columns }, fold)
    const { transactionId: id, version: seen, ownerId: owner } = row
    return { ...storedColumns(row, columns, changing), ...columns, searchText, id, seen, owner }
  })
  const sent = HEADER.filter(([key]) => key !== 'id' && headers.some((header) => key in header))
  const parameters = inParameters(headers)
  const changed = all.flatMap(({ row, entries }) =>
    entries ? [{ ...ownedFrom(row), before: entriesOf(row), entries }] : [],
  )
  const rebooked = changed.filter(({ before, entries }) => !isSameInPlace(before, entries))
  const kept = changed.filter((one) => !rebooked.includes(one))
  const shownOrHidden = all.filter(
    ({ row, columns }) => columns.private !== undefined && columns.private !== (row.private === 1),
  )
  const relabelled = all.flatMap(({ row, labels }) =>
    labels ? [{ id: row.transactionId, labels }] : [],
  )
  return [
    ...(parameters.length > 1 ? [mustBeAsRead(headers)] : []),
    ...parameters.flatMap(({ json, count }) => [
      db.run(sql`UPDATE transactions SET ${sql.join(
        sent.map(([key, name]) => sql`${sql.identifier(name)} = ${valueOf(key)}`),
        sql`, `,
      )}, version = version + 1, updated_at = ${ctx.now} ${rebooked.length === 0 ? sql`` : sql`, ${KEEPS_LAST_LINE}`}
        FROM ${itemsOf(json)} AS sent
        WHERE transactions.id = sent.value->>'id' AND version = sent.value->>'seen' AND owner_id = sent.value->>'owner'
          AND deleted_at IS NULL`),
      ...(parameters.length > 1 ? [] : [requireChanged(count, changedMeanwhile)]),
    ]),
    ...(rebooked.length === 0
      ? []
      : [
          db.run(sql`DELETE FROM entries WHERE ${isLineOf(rebooked)}`),
          ...insertEntriesOf(rebooked),
        ]),
    ...inParameters(
      kept.flatMap(({ id, entries }) => entries.map((entry) => ({ id, ...entry }))),
    ).map(updateEntries),
    ...(shownOrHidden.length === 0
      ? []
      : [rescope(shownOrHidden.map(({ row }) => ownedFrom(row)))]),
    ...(relabelled.length === 0 ? [] : replaceLabels(relabelled)),
  ]
}

const ownedFrom = ({ transactionId: id, ownerId }: LedgerRow): OwnedTransaction => ({ id, ownerId })

/** Before lines go: no part gets the number of one that is dropped. */
const KEEPS_LAST_LINE = sql.raw(`last_line = max(last_line, ifnull(
  (SELECT max(e.line) FROM entries e WHERE e.transaction_id = transactions.id), 0))`)

/** One premise for however many parameters: a commit has room for few. */
const mustBeAsRead = (headers: { id: string; seen: number }[]): Statement =>
  refuseIf(
    sql`(SELECT count(*) FROM json_each(${JSON.stringify(headers.map(({ id, seen }) => [id, seen]))}) r
      JOIN transactions t ON t.id = r.value->>0 AND t.version = r.value->>1 AND t.deleted_at IS NULL)
      <> CAST(${headers.length} AS INTEGER)`,
    changedMeanwhile,
  )

/** Puts these labels in the place of those that are stored. */
export const replaceLabels = (all: { id: string; labels: Labels }[]): Statement[] => [
  db.run(sql`DELETE FROM transaction_payees WHERE transaction_id IN ${idsOf(all)}`),
  db.run(sql`DELETE FROM transaction_tags WHERE transaction_id IN ${idsOf(all)}`),
  ...insertLabelsOf(all),
]

const idsOf = (all: { id: string }[]) => among(all.map(({ id }) => id))

/** Updates the fields of lines that can change in place. Triggers update the projections. */
const updateEntries = prepared<{ json: string }, unknown>(() =>
  db.run(sql`UPDATE entries
    SET status = sent.value->>'status', side = sent.value->>'side', category_id = sent.value->>'categoryId',
      note = sent.value->>'note', payee_raw = sent.value->>'payeeRaw'
    FROM json_each(${json}) AS sent
    WHERE transaction_id = sent.value->>'id' AND line = sent.value->>'line' AND owner_id = sent.value->>'ownerId'`),
)

/** After a transaction has become private, or is no more. */
const rescope = (all: OwnedTransaction[]): Statement =>
  db.run(sql`UPDATE entries SET external_scope = ${externalScopeOf(sql`transaction_id`, sql`external_id`)}
    WHERE ${isLineOf(all)} AND external_id IS NOT NULL`)

/**
 * Finds the transactions that may not become private, or public, because another line has their external id in the
 * new scope, where it is unique. If two of these transactions would share an id, the second one is found.
 */
export const takenOnceRescoped = (ids: string[], isPrivate: boolean) =>
  db.all<{ id: string }>(
    sql`WITH own AS MATERIALIZED (SELECT e.transaction_id AS id, e.account_id, e.external_id, e.external_scope AS was,
        ${isPrivate ? sql`t.created_by` : sql`''`} AS scope
      FROM entries e JOIN transactions t ON t.id = e.transaction_id
      WHERE e.transaction_id IN ${among(ids)} AND e.external_id IS NOT NULL)
    SELECT DISTINCT own.id FROM own WHERE own.scope <> own.was AND (
      EXISTS (SELECT 1 FROM entries o WHERE o.account_id = own.account_id AND o.external_id = own.external_id
        AND o.external_scope = own.scope)
      OR EXISTS (SELECT 1 FROM own one WHERE one.account_id = own.account_id AND one.external_id = own.external_id
        AND one.scope = own.scope AND one.id < own.id))`,
  )

/** Stores the entries of transactions that have none; refuses unless each is balanced. */
export const insertEntriesOf = (all: { id: string; entries: Entry[] }[]): Statement[] => [
  ...insertEntries(
    all.flatMap(({ id, entries }) =>
      entries.map((entry) => ({
        id,
        ...entry,
        ...flowOf(entries, entry),
        uncategorised: entry.side === 'account' && lacksCategory(entries, entry.accountId),
      })),
    ),
  ),
  mustBalance(all.map(({ id }) => id)),
]

type NewEntry = Entry & ReturnType<typeof flowOf> & { id: string; uncategorised: boolean }

const insertEntries = inserterInto<NewEntry>(entriesTable, [
  ['transaction_id', 'id'],
  ['line', 'line'],
  ['owner_id', 'ownerId'],
  ['account_id', 'accountId'],
  ['side', 'side'],
  ['date', 'date'],
  ['amount_minor', 'amountMinor'],
  ['currency', 'currency'],
  ['status', 'status'],
  ['category_id', 'categoryId'],
  ['note', 'note'],
  ['external_id', 'externalId'],
  ['pair', 'pair'],
  ['payee_raw', 'payeeRaw'],
  ['uncategorised', 'uncategorised'],
  ['external_scope', (value) => externalScopeOf(value('id'), value('externalId'))],
  ['counter_account_id', 'counterAccountId'],
  ['flow_minor', 'flowMinor'],
])

/** Refuses unless each of these transactions is balanced. */
const mustBalance = (ids: string[]): Statement => balanced({ ids: JSON.stringify(ids) })

const balanced = prepared<{ ids: string }, unknown>(() =>
  mustBalanceWhere(sql`transaction_id IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`),
)

const insertLabelsOf = (all: { id: string; labels: Labels }[]): Statement[] => [
  ...insertPayees(all.flatMap(({ id, labels }) => labels.payees.map((one) => ({ id, ...one })))),
  ...insertTags(all.flatMap(({ id, labels }) => labels.tags.map((one) => ({ id, ...one })))),
]

const insertPayees = inserterInto<Labels['payees'][number] & { id: string }>(transactionPayees, [
  ['transaction_id', 'id'],
  ['line', 'line'],
  ['payee_id', 'payeeId'],
])

const insertTags = inserterInto<Labels['tags'][number] & { id: string }>(transactionTags, [
  ['transaction_id', 'id'],
  ['line', 'line'],
  ['tag_id', 'tagId'],
])
