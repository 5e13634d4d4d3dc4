import { type SQL, sql } from 'drizzle-orm'
import { formatMoney } from '../../domain/money.ts'
import type { SignedIn } from '../../platform/context.ts'
import type { PageRequest, Position } from '../../platform/database/paging.ts'
import { db, joined, type Statement, wrapped } from '../../platform/database/statements.ts'
import { columnsFor, type LedgerRow, upToLines, upToPage } from '../rows/rows.queries.ts'
import {
  countIn,
  isByPeriod,
  isInOrder,
  isLarge,
  isWalk,
  ledgerCount,
  type LedgerTotals,
  ledgerTotals,
  linesOf,
  matchingLines,
  OF_RECEIVED,
  ofOwnAccounts,
  piecesOf,
  receivedAccounts,
  tablesFor,
} from './filters.queries.ts'
import { byDigits } from './comparisons.queries.ts'
import type { LeftOut } from './pieces.queries.ts'
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

/** A page of rows, and the number of all that match, with their sums where asked for. */
export interface LedgerPage {
  rows: LedgerRow[]
  count: number
  totals?: LedgerTotals[]
}

/**
 * One row more than the page, which ends early where its rows are long.
 * @param wrap adds columns to the rows
 */
export const ledgerRows = (
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort = '-date',
  wrap?: (rows: SQL) => SQL,
): Statement<LedgerRow[]> =>
  joined(
    piecesOfPage(filter, page, sort).map((piece) => rowsOf(ctx, piece, page, sort, wrap)),
    (found) => inPlace(found, sort),
  )

/**
 * `ledgerRows` for a long page, to be asked one after the other until a page is full: most are with what stands in the first piece of
 * the lines, and of others all pieces are read on one snapshot.
 */
export const longPage = (
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort = '-date',
): Statement<LedgerRow[]>[] => {
  const [first = filter, ...others] = piecesOfPage(filter, page, sort)
  const all = others.length === 0 ? [] : [ledgerRows(ctx, filter, page, sort)]
  return [rowsOf(ctx, first, page, sort), ...all]
}

/** The rows of a page in one piece of the lines. */
export const rowsOf = (
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort,
  wrap = (rows: SQL): SQL => rows,
) =>
  db.all<LedgerRow>(
    sql`WITH ${tablesFor(ctx, filter)} ${wrap(
      upToPage(
        isByPeriod(filter) && isByDay(sort)
          ? rowsInPlace(ctx, filter, page, sort)
          : sql`SELECT ${columnsFor(ctx)} FROM (${linesOfPage(ctx, filter, page, sort)}) page
        ${OF_PAGE} ORDER BY ${inOrder(columnsOf(sort), sort)}`,
      ),
    )}`,
  )

/** Days lead to these rows and to no others, so they are shown as they are found. */
function rowsInPlace(ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL {
  const taken = { ...after(filter, page, sort), columns: columnsFor(ctx), withHeaders: true }
  return filter.accountId === undefined
    ? // Both sides of the union come in order, so each is read no further than the page needs.
      sql`${linesOf(filter, taken, ofOwnAccounts(ctx))}
        UNION ALL SELECT ${columnsFor(ctx)} FROM (${linesReceived(ctx, filter, page, sort)}) page ${OF_PAGE}
        ${upTo(page, sort, [sql`date`, sql`transactionId`, sql`line`])}`
    : linesOf(filter, {
        ...taken,
        upTo: upTo(page, sort, columnsOf(sort)),
      })
}

/**
 * `ledgerRows` with the number of all that match.
 * @param wrap adds columns to the rows
 */
export function ledgerPage(
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort,
  { withTotals, wrap }: { withTotals: boolean; wrap?: ((rows: SQL) => SQL) | undefined },
): Statement<LedgerPage> {
  const paged = ledgerRows(ctx, filter, page, sort, wrap)
  if (withTotals) {
    const parts = [paged, ledgerTotals(ctx, filter)] as const
    return joined(parts, ([rows, totals]) => ({ rows, count: countIn(totals), totals }))
  }
  if (page.after !== undefined || isByPeriod(filter)) {
    const parts = [paged, ledgerCount(ctx, filter)] as const
    return joined(parts, ([rows, count]) => ({ rows, count }))
  }
  return joined(
    piecesOfPage(filter, page, sort).map((piece) => {
      const counted = countedRowsOf(ctx, piece, page, sort)
      return wrap ? wrapped(counted, wrap) : counted
    }),
    (found) => ({
      rows: inPlace(found, sort),
      count: found.reduce((sum, [first]) => sum + (first?.matches ?? 0), 0),
    }),
  )
}

const isByDay = (sort: Sort): boolean => keyOf(sort) === 'date'

const piecesOfPage = (filter: LedgerFilter, { after }: PageRequest, sort: Sort): LedgerFilter[] =>
  isByDay(sort)
    ? piecesOf(filter, false, sort === 'date' ? 'oldestFirst' : 'newestFirst', after?.[0])
    : piecesOf(filter, true)

/** The rows of all pieces in the order of the page. */
export function inPlace<Row extends LedgerRow>(pieces: Row[][], sort: Sort): Row[] {
  const direction = sort.startsWith('-') ? -1 : 1
  const placed = pieces.flat().map((row) => ({ row, position: positionOf(row, sort) }))
  return placed
    .toSorted((one, other) => direction * comparePositions(one.position, other.position))
    .map(({ row }) => row)
}

/** The lines of a page. Without an index that has them in this order, all that match are looked at. */
function linesOfPage(ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL {
  if (!isWalk(filter) || !isByDay(sort)) {
    return sql`${allLines(ctx, filter, page, sort)} ${upTo(page, sort, placesOf(sort))}`
  }
  // In the order of days, all own lines stand together.
  const taken = { ...after(filter, page, sort), upTo: upTo(page, sort, columnsOf(sort)) }
  const columns = sql`e.date, e.transaction_id, e.line`
  return sql`SELECT * FROM (${linesOf(filter, { ...taken, columns }, ofOwnAccounts(ctx))})
    UNION ALL ${linesReceived(ctx, filter, page, sort)} ${upTo(page, sort, placesOf(sort))}`
}

const upTo = ({ limit }: PageRequest, sort: Sort, columns: SQL[]): SQL =>
  sql`ORDER BY ${inOrder(columns, sort)} LIMIT ${limit + 1}`

/** In the order of days, no more lines of each received account are read than fit on the page. */
const linesReceived = (ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL =>
  sql`SELECT p.date, p.transaction_id, p.line FROM ${receivedAccounts(ctx)} CROSS JOIN entries p
    ON (p.transaction_id, p.line) IN (${linesOf(
      filter,
      {
        ...after(filter, page, sort),
        columns: sql`e.transaction_id, e.line`,
        upTo: upTo(page, sort, columnsOf(sort)),
      },
      OF_RECEIVED,
    )})`

/** All that match, each with what it is sorted by: own ones in the order of their days. */
const allLines = (ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort): SQL =>
  matchingLines(ctx, filter, {
    ...after(filter, page, sort),
    columns: sql.join(columnsOf(sort), sql`, `),
    withHeaders: keyOf(sort) === 'createdAt',
  })

/** The sort columns of the lines, as positions in their SELECT. */
const placesOf = (sort: Sort) => columnsOf(sort).map((_, at) => sql.raw(String(at + 1)))

/**
 * The rows of a first page, each with how many match. In the order of days each line is looked at but once: what the page does not
 * reach is counted behind it. In another order all that match are found, and by a large condition, which may not stand in a statement
 * more often. Tables are joined rather than asked in expressions: SQLite adds up the levels of expressions that stand in each other,
 * and D1 takes no more than a hundred.
 */
export function countedRowsOf(ctx: SignedIn, filter: LedgerFilter, page: PageRequest, sort: Sort) {
  const isStopped = isByDay(sort) && isInOrder(filter) && !isLarge(filter)
  const found = (isStopped ? linesOfPage : allLines)(ctx, filter, page, sort)
  const behind = isStopped
    ? sql`SELECT count(*) AS lines FROM (${matchingLines(ctx, filter, {
        ...{ columns: sql`1`, leftOut: boundOf(sort) },
        ...{ beside: sql`last CROSS JOIN`, more: behindLast(sort) },
      })})`
    : sql`SELECT 0 AS lines`
  const order = inOrder(placesOf(sort), sort)
  return db.all<LedgerRow & { matches: number }>(
    sql`WITH ${tablesFor(ctx, filter)}, found AS MATERIALIZED (${found}),
      last AS MATERIALIZED (SELECT * FROM found ORDER BY ${order} LIMIT 1 OFFSET CAST(${page.limit} AS INTEGER)),
      counted AS MATERIALIZED (SELECT page.lines + behind.lines AS matches
        FROM (SELECT count(*) AS lines FROM found) page CROSS JOIN (${behind}) behind)
      ${upToPage(sql`SELECT ${columnsFor(ctx)}, counted.matches
        FROM counted CROSS JOIN (SELECT * FROM found ORDER BY ${order} LIMIT ${page.limit + 1}) page
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
): Statement<LedgerRow[]> => {
  const page = { limit, after: undefined }
  return joined(
    piecesOfPage(filter, page, '-date').map((piece) =>
      db.all<LedgerRow>(
        sql`WITH ${tablesFor(ctx, piece)} SELECT ${columnsFor(ctx)}
          FROM (${upToLines(linesOfPage(ctx, piece, page, '-date'), lines)}) page
          ${OF_PAGE} ORDER BY ${inOrder(columnsOf('-date'), '-date')}`,
      ),
    ),
    (found) => found.flat(),
  )
}

const inOrder = (columns: SQL[], sort: Sort): SQL => {
  const direction = sql.raw(sort.startsWith('-') ? 'DESC' : 'ASC')
  return sql.join(
    columns.map((column) => sql`${column} ${direction}`),
    sql`, `,
  )
}

/** The bound of days on the side where the order begins. */
const boundOf = (sort: Sort) => (sort.startsWith('-') ? 'to' : 'from')

/** The lines behind the last row of the previous page. Numbers travel as text. */
function after(
  { piece }: LedgerFilter,
  { after: position }: PageRequest,
  sort: Sort,
): { leftOut?: LeftOut; more?: SQL } {
  // In the order of days the first piece begins at that row, and the others behind it.
  if (position === undefined || (isByDay(sort) && piece && piece.skipped > 0)) {
    return {}
  }
  const values = position.map((value) =>
    /^\d+$/.test(value) ? sql`CAST(${value} AS INTEGER)` : sql`${value}`,
  )
  const side = sql.raw(sort.startsWith('-') ? '<' : '>')
  return {
    // The index starts at that row only where no other bound on the same side stands beside it; and a row that
    // matched was within that bound.
    leftOut: isByDay(sort) ? boundOf(sort) : undefined,
    more: sql`AND (${sql.join(columnsOf(sort), sql`, `)}) ${side} (${sql.join(values, sql`, `)})`,
  }
}
