import { type SQL, sql } from 'drizzle-orm'
import { formatMoney } from '../../../domain/money.ts'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest, Position } from '../../../platform/paging.ts'
import { db } from '../../../platform/statements.ts'
import { COLUMNS, FROM, type LedgerRow } from '../ledger.queries.ts'
import { byDigits, fromFor, isByPeriod, type LedgerFilter, matching } from './filters.queries.ts'

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
  const direction = sql.raw(sort.startsWith('-') ? 'DESC' : 'ASC')
  const order = columnsOf(sort).map((column) => sql`${column} ${direction}`)
  const paged = sql`WHERE ${matching(ctx, filter)} ${afterPosition(page, sort)}
    ORDER BY ${sql.join(order, sql`, `)} LIMIT ${page.limit + 1}`
  if (isByPeriod(ctx, filter) && keyOf(sort) === 'date') {
    return db.all<LedgerRow>(sql`SELECT ${COLUMNS} ${FROM} ${paged}`)
  }
  // All that is shown is read of the rows of the page only, not of those that are looked at for it.
  const from = keyOf(sort) === 'createdAt' ? FROM : fromFor(ctx, filter)
  return db.all<LedgerRow>(
    sql`SELECT ${COLUMNS} FROM (SELECT e.transaction_id, e.line ${from} ${paged}) page
      CROSS JOIN entries e ON e.transaction_id = page.transaction_id AND e.line = page.line
      JOIN transactions t ON t.id = e.transaction_id ORDER BY ${sql.join(order, sql`, `)}`,
  )
}

/** Behind the last row of the page before; numbers travel as text. */
export function afterPosition({ after }: PageRequest, sort: Sort = '-date'): SQL {
  if (after === undefined) {
    return sql``
  }
  const values = after.map((value) =>
    /^\d+$/.test(value) ? sql`CAST(${value} AS INTEGER)` : sql`${value}`,
  )
  const side = sql.raw(sort.startsWith('-') ? '<' : '>')
  // By itself the comparison of rows does not make the index start at the day.
  const seek = keyOf(sort) === 'date' ? sql`AND e.date ${side}= ${after[0]}` : sql``
  return sql`${seek} AND (${sql.join(columnsOf(sort), sql`, `)}) ${side} (${sql.join(values, sql`, `)})`
}
