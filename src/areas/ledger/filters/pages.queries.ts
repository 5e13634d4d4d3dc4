import { type SQL, sql } from 'drizzle-orm'
import { formatMoney } from '../../../domain/money.ts'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest, Position } from '../../../platform/paging.ts'
import { db } from '../../../platform/statements.ts'
import { COLUMNS, FROM, type LedgerRow } from '../ledger.queries.ts'
import { byDigits, isByPeriod, type LedgerFilter, linesFor, matching } from './filters.queries.ts'

/** The most minor digits that a currency has. */
const DIGITS = 4

/**
 * What rows are ordered by, before what tells equal ones apart. Amounts go by the number that is shown,
 * whatever the currency: its whole part, then its decimals brought to four digits. Their product with a power
 * of ten might be more than 64 bits hold.
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

/** Where a page ends that a row is the last of: what it is ordered by, its transaction, its line. */
export const positionOf = (row: LedgerRow, sort: Sort = '-date'): Position => [
  ...KEYS[keyOf(sort)].of(row),
  row.transactionId,
  String(row.line),
]

/** One row more than the page. */
export function ledgerRows(
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort = '-date',
) {
  const order = inOrder(columnsOf(sort), sort)
  const paged = sql`WHERE ${matchingAfter(ctx, filter, page, sort)}
    ORDER BY ${order} LIMIT ${page.limit + 1}`
  return db.all<LedgerRow>(
    isByPeriod(ctx, filter) && keyOf(sort) === 'date'
      ? sql`SELECT ${COLUMNS} ${FROM} ${paged}`
      : sql`SELECT ${COLUMNS} FROM (SELECT e.transaction_id, e.line ${fromFor(ctx, filter, sort)} ${paged}) page
          ${OF_PAGE} ORDER BY ${order}`,
  )
}

/**
 * The rows of a first page, each with how many match: where all of them fit on it they are not counted once
 * more, as looking for few among many takes as long as counting them.
 */
export function firstRows(ctx: SignedIn, filter: LedgerFilter, limit: number, sort: Sort) {
  const columns = columnsOf(sort)
  const names = columns.map((_, at) => sql.raw(`key${at}`))
  const keys = columns.map((column, at) => sql`${column} AS ${names[at]}`)
  return db.all<LedgerRow & { matches: number }>(
    sql`WITH found AS NOT MATERIALIZED (SELECT e.transaction_id, e.line, ${sql.join(keys, sql`, `)}
          ${fromFor(ctx, filter, sort)} WHERE ${matching(ctx, filter)}),
        page AS MATERIALIZED (SELECT transaction_id, line FROM found
          ORDER BY ${inOrder(names, sort)} LIMIT ${limit + 1})
      SELECT ${COLUMNS}, (SELECT CASE WHEN count(*) > ${limit} THEN (SELECT count(*) FROM found) ELSE count(*) END
          FROM page) AS matches
        FROM page ${OF_PAGE} ORDER BY ${inOrder(columns, sort)}`,
  )
}

// All that is shown is read of the rows of the page only, not of those that are looked at for it.
const OF_PAGE = sql`CROSS JOIN entries e ON e.transaction_id = page.transaction_id AND e.line = page.line
  JOIN transactions t ON t.id = e.transaction_id`

const inOrder = (columns: SQL[], sort: Sort): SQL => {
  const direction = sql.raw(sort.startsWith('-') ? 'DESC' : 'ASC')
  return sql.join(
    columns.map((column) => sql`${column} ${direction}`),
    sql`, `,
  )
}

/** The header is needed for some filters only; the others are answered by entries. */
const fromFor = (ctx: SignedIn, filter: LedgerFilter, sort: Sort) =>
  keyOf(sort) === 'createdAt' ? FROM : linesFor(ctx, filter)

/** What matches behind the last row of the page before. */
export function matchingAfter(
  ctx: SignedIn,
  filter: LedgerFilter,
  page: PageRequest,
  sort: Sort = '-date',
): SQL {
  // The index starts at that row only where no other bound on the same side stands beside it; and a row that
  // matched was within that bound.
  const isByDate = page.after !== undefined && keyOf(sort) === 'date'
  const bound = sort.startsWith('-') ? { to: undefined } : { from: undefined }
  const rest = isByDate ? { ...filter, ...bound } : filter
  return sql`${matching(ctx, rest)} ${afterPosition(page, sort)}`
}

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
