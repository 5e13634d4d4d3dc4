import { type SQL, sql } from 'drizzle-orm'
import { formatMoney } from '../../domain/money.ts'
import type { SignedIn } from '../../platform/context.ts'
import type { PageRequest, Position } from '../../platform/database/paging.ts'
import { db } from '../../platform/database/statements.ts'
import {
  columnsFor,
  FROM,
  HEADERS,
  type LedgerRow,
  upToLines,
  upToPage,
} from '../rows/rows.queries.ts'
import {
  headersFor,
  isByPeriod,
  isInOrder,
  isLarge,
  isWalk,
  ledgerCount,
  ledgerTotals,
  matching,
  matchingLines,
  ofOwnAccounts,
  ofReceived,
  receivedAccounts,
  tablesFor,
} from './filters.queries.ts'
import { byDigits } from './comparisons.queries.ts'
import { inPieces } from './pieces.queries.ts'
import { comparePositions, type LedgerFilter } from './search.rules.ts'

/** The most minor digits that a currency has. */
const DIGITS = 4

/**
 * The sort keys of rows, without those that separate equal rows. Amounts are sorted by the number that is shown,
 * whatever the currency: its whole part, then its decimals brought to four digits. Their product with a power of ten
 * might not fit into 64 bits.
 */
const KEYS = {
  date: {
    columns: [sql`e.date`],
    of: ({ date }: LedgerRow) => [date],
  },
  amount: {
    columns: [
      sql`abs(e.amount_minor) / (${byDigits((digits) => 10 ** digits)})`,
      sql`abs(e.amount_minor) % (${byDigits((digits) => 10 ** digits)}) * (${byDigits((digits) => 10 ** (DIGITS - digits))})`,
    ],
    of: ({ amountMinor, currency }: LedgerRow) => {
      const [whole = '', decimals = ''] = formatMoney(Math.abs(amountMinor), currency).split('.')
      return [whole, decimals.padEnd(DIGITS, '0')]
    },
  },
  createdAt: {
    columns: [sql`t.created_at`],
    of: ({ createdAt }: LedgerRow) => [String(createdAt)],
  },
}

export const SORTS = ['-date', 'date', '-amount', 'amount', '-createdAt', 'createdAt'] as const

/** Ascending, or with a minus descending. */
export type Sort = (typeof SORTS)[number]

const keyOf = (sort: Sort) => sort.replace('-', '') as keyof typeof KEYS

const columnsOf = (sort: Sort) => [...KEYS[keyOf(sort)].columns, sql`e.transaction_id`, sql`e.line`]

/** Returns the position of a page's last row: its sort value, its transaction and its line. */
export const positionOf = (row: LedgerRow, sort: Sort = '-date'): Position => [
  ...KEYS[keyOf(sort)].of(row),
  row.transactionId,
  String(row.line),
]

/** One row more than the page, which ends early where its rows are long. */
export function ledgerRows(
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort = '-date',
) {
  const order = inOrder(columnsOf(sort), sort)
  // Days lead to these rows and to no others, so they are shown as they are found.
  const isStraight = isByPeriod(filter) && keyOf(sort) === 'date'
  return db.all<LedgerRow>(
    isStraight
      ? sql`WITH ${tablesFor(ctx, filter)} ${upToPage(rowsOfPage(ctx, filter, page, sort))}`
      : sql`WITH ${tablesFor(ctx, filter)} ${upToPage(sql`SELECT ${columnsFor(ctx)}
          FROM (${linesOfPage(ctx, filter, page, sort)}) page ${OF_PAGE} ORDER BY ${order}`)}`,
  )
}

function rowsOfPage(ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL {
  const rows = (scope?: SQL) =>
    sql`SELECT ${columnsFor(ctx)} ${FROM} WHERE ${matchingAfter(ctx, filter, page, sort, scope)}`
  const limit = sql`LIMIT ${page.limit + 1}`
  if (filter.accountId !== undefined) {
    return sql`${rows()} ORDER BY ${inOrder(columnsOf(sort), sort)} ${limit}`
  }
  // Both sides of the union come in order, so each is read no further than the page needs.
  const others = sql`UNION ALL SELECT ${columnsFor(ctx)}
    FROM (${linesReceived(ctx, filter, page, sort)}) page ${OF_PAGE}`
  return sql`${rows(ofOwnAccounts(ctx))} ${others}
    ORDER BY ${inOrder([sql`date`, sql`transactionId`, sql`line`], sort)} ${limit}`
}

/**
 * Selects the lines of a page. In the order of days, all of the caller's own lines stand together, and no more lines
 * of each received account are read than fit on the page.
 */
function linesOfPage(ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL {
  if (!isWalk(filter)) {
    return firstLines(ctx, filter, page, sort, sql.join(columnsOf(sort), sql`, `))
  }
  if (keyOf(sort) !== 'date') {
    return linesByOtherKey(ctx, filter, page, sort)
  }
  const keys = sql`e.date, e.transaction_id, e.line`
  return sql`SELECT * FROM (${firstLines(ctx, filter, page, sort, keys, ofOwnAccounts(ctx))})
    UNION ALL ${linesReceived(ctx, filter, page, sort)}
    ORDER BY ${inOrder([sql`1`, sql`2`, sql`3`], sort)} LIMIT ${page.limit + 1}`
}

/** No index has them in this order, so all that match are looked at. */
const linesByOtherKey = (ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL =>
  sql`${allLines(ctx, filter, page, sort)} ORDER BY ${inOrder(placesOf(sort), sort)} LIMIT ${page.limit + 1}`

/** The sort columns of the lines, as positions in their SELECT. */
const placesOf = (sort: Sort) => columnsOf(sort).map((_, at) => sql.raw(String(at + 1)))

/** All that match, each with what it is sorted by: own ones in the order of their days. */
function allLines(ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL {
  const keys = columnsOf(sort)
  const lines = (from: SQL, scope?: SQL) =>
    sql`SELECT ${sql.join(keys, sql`, `)} FROM ${from} ${headersOf(ctx, filter, sort)}
      WHERE ${matchingAfter(ctx, filter, page, sort, scope)}`
  if (!isWalk(filter)) {
    return lines(sql`entries e`)
  }
  return sql`${lines(sql`entries e`, ofOwnAccounts(ctx))}
    UNION ALL ${lines(
      sql`${receivedAccounts(ctx)} CROSS JOIN entries e`,
      ofReceived(ctx, sql`received.id`),
    )}`
}

const linesReceived = (ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL =>
  sql`SELECT p.date, p.transaction_id, p.line
    FROM ${receivedAccounts(ctx)} CROSS JOIN entries p
    ON (p.transaction_id, p.line) IN (
      ${firstLines(ctx, filter, page, sort, sql`e.transaction_id, e.line`, ofReceived(ctx, sql`received.id`))})`

const firstLines = (
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort,
  columns: SQL,
  scope?: SQL,
): SQL =>
  sql`SELECT ${columns} FROM entries e ${headersOf(ctx, filter, sort)} WHERE ${matchingAfter(ctx, filter, page, sort, scope)}
    ORDER BY ${inOrder(columnsOf(sort), sort)} LIMIT ${page.limit + 1}`

/** The rows of a first page, each with how many match: those of each piece of the lines, which `asOnePage` joins. */
export const firstRows = (ctx: SignedIn, filter: LedgerFilter, limit: number, sort: Sort) =>
  piecesOf(filter, keyOf(sort) !== 'date').map((piece) => firstRowsOf(ctx, piece, limit, sort))

const piecesOf = (filter: LedgerFilter, isSorted: boolean): LedgerFilter[] =>
  isInOrder(filter) ? inPieces(filter, isSorted) : [filter]

/** How many match in each piece of the lines. */
export const countsInPieces = (ctx: SignedIn, filter: LedgerFilter) =>
  piecesOf(filter, false).map((piece) => ledgerCount(ctx, piece))

/** The sums by currency of each piece of the lines; adding up takes as long as sorting. */
export const totalsInPieces = (ctx: SignedIn, filter: LedgerFilter) =>
  piecesOf(filter, true).map((piece) => ledgerTotals(ctx, piece))

/** Joins the rows of pieces, in the order of the page, with how many match in all. */
export function asOnePage(pieces: FirstRow[][], sort: Sort): { rows: LedgerRow[]; count: number } {
  const direction = sort.startsWith('-') ? -1 : 1
  const placed = pieces.flat().map((row) => ({ row, position: positionOf(row, sort) }))
  return {
    rows: placed
      .toSorted((one, other) => direction * comparePositions(one.position, other.position))
      .map(({ row }) => row),
    count: pieces.reduce((sum, [first]) => sum + (first?.matches ?? 0), 0),
  }
}

export type FirstRow = LedgerRow & { matches: number }

/**
 * The rows of a first page, each with how many match. In the order of days each line is looked at but once: what the page does not
 * reach is counted behind it. In another order all that match are found, and by a large condition, which may not stand in a statement
 * more often. Tables are joined rather than asked in expressions: SQLite adds up the levels of expressions that stand in each other,
 * and D1 takes no more than a hundred.
 */
export function firstRowsOf(ctx: SignedIn, filter: LedgerFilter, limit: number, sort: Sort) {
  const isStopped = keyOf(sort) === 'date' && isInOrder(filter) && !isLarge(filter)
  const page = { limit, after: undefined }
  const found = isStopped ? linesOfPage(ctx, filter, page, sort) : allLines(ctx, filter, page, sort)
  const behind = isStopped
    ? sql`SELECT count(*) AS lines FROM (${matchingLines(ctx, filter, sql`1`, {
        ...{ leftOut: boundOf(sort), beside: sql`last CROSS JOIN`, more: behindLast(sort) },
      })})`
    : sql`SELECT 0 AS lines`
  const order = inOrder(placesOf(sort), sort)
  return db.all<FirstRow>(
    sql`WITH ${tablesFor(ctx, filter)}, found AS MATERIALIZED (${found}),
      last AS MATERIALIZED (SELECT * FROM found ORDER BY ${order} LIMIT 1 OFFSET CAST(${limit} AS INTEGER)),
      counted AS MATERIALIZED (SELECT page.lines + behind.lines AS matches
        FROM (SELECT count(*) AS lines FROM found) page CROSS JOIN (${behind}) behind)
      ${upToPage(sql`SELECT ${columnsFor(ctx)}, counted.matches
        FROM counted CROSS JOIN (SELECT * FROM found ORDER BY ${order} LIMIT ${limit + 1}) page
        ${OF_PAGE} ORDER BY ${inOrder(columnsOf(sort), sort)}`)}`,
  )
}

/** Whatever stands behind the row `last` of a page in the order of days; nothing where the page has no such row. */
const behindLast = (sort: Sort): SQL => {
  const side = sql.raw(sort.startsWith('-') ? '<' : '>')
  return sql`AND e.date ${side}= last.date
    AND (e.date, e.transaction_id, e.line) ${side} (last.date, last.transaction_id, last.line)`
}

// All that is shown is read of the rows of the page only, not of those that are looked at for it.
const OF_PAGE = sql`CROSS JOIN entries e ON e.transaction_id = page.transaction_id AND e.line = page.line
  JOIN transactions t ON t.id = e.transaction_id`

/**
 * The newest lines that match, one more than `limit`. They stop behind the transaction with which they have more than
 * `lines` entries together: what is refused for that need not be read.
 */
export const newestRows = (
  ctx: SignedIn,
  filter: LedgerFilter,
  { limit, lines }: { limit: number; lines: number },
) =>
  db.all<LedgerRow>(
    sql`WITH ${tablesFor(ctx, filter)} SELECT ${columnsFor(ctx)}
      FROM (${upToLines(linesOfPage(ctx, filter, { limit, after: undefined }, '-date'), lines)}) page
      ${OF_PAGE} ORDER BY ${inOrder(columnsOf('-date'), '-date')}`,
  )

const inOrder = (columns: SQL[], sort: Sort): SQL => {
  const direction = sql.raw(sort.startsWith('-') ? 'DESC' : 'ASC')
  return sql.join(
    columns.map((column) => sql`${column} ${direction}`),
    sql`, `,
  )
}

/** Chooses the headers that are read for the given sort order. */
const headersOf = (ctx: SignedIn, filter: LedgerFilter, sort: Sort) =>
  keyOf(sort) === 'createdAt' ? HEADERS : headersFor(filter)

/** Finds the matches after the last row of the previous page. */
export function matchingAfter(
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort = '-date',
  scope?: SQL,
): SQL {
  // The index starts at that row only where no other bound on the same side stands beside it; and a row that
  // matched was within that bound.
  const isByDate = page.after !== undefined && keyOf(sort) === 'date'
  const leftOut = isByDate ? boundOf(sort) : undefined
  return sql`${matching(ctx, filter, scope, leftOut)} ${afterPosition(page, sort)}`
}

/** The bound of days on the side where the order begins. */
const boundOf = (sort: Sort) => (sort.startsWith('-') ? 'to' : 'from')

/** Numbers travel as text. */
function afterPosition({ after }: PageRequest, sort: Sort): SQL {
  if (after === undefined) {
    return sql``
  }
  const values = after.map((value) =>
    /^\d+$/.test(value) ? sql`CAST(${value} AS INTEGER)` : sql`${value}`,
  )
  const side = sql.raw(sort.startsWith('-') ? '<' : '>')
  return sql`AND (${sql.join(columnsOf(sort), sql`, `)}) ${side} (${sql.join(values, sql`, `)})`
}
