import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db } from '../../../platform/statements.ts'
import { type WideSum, wideSum } from '../../../platform/wide-sums.ts'
import { isNotPrivateEntry, visibleAccountIds } from '../../identity/access/access.public.ts'
import { ledgerRowsAmong, wholeRowsAmong } from '../../../ledger/ledger.public.ts'
import { isTick, ON_OFFER } from './ticks.queries.ts'

export interface RowsFilter {
  ticked?: boolean | undefined
  /** Days after the statement date. */
  later: number
}

/** SQL that is true if a line `e` is ticked in a session `s`. A pending line is never ticked. */
const IS_TICKED = sql.raw(`(e.status <> 'pending' AND EXISTS (SELECT 1 FROM reconciliation_rows k
  WHERE k.reconciliation_id = s.id AND k.transaction_id = e.transaction_id AND k.line = e.line))`)

const isSession = (ctx: SignedIn, id: string): SQL =>
  sql`s.id = ${id} AND s.account_id IN (${visibleAccountIds(ctx)})`

/** The ticked lines of an open session, or all that are in another one. */
const tickedLines = (ctx: SignedIn, id: string, columns: SQL): SQL =>
  sql`SELECT ${columns} FROM reconciliations s CROSS JOIN reconciliation_rows k ON k.reconciliation_id = s.id
      CROSS JOIN entries e ON e.transaction_id = k.transaction_id AND e.line = k.line AND e.side = 'account'
        AND e.account_id = s.account_id AND (s.state <> 'open' OR ${isTick('s')})
    WHERE ${isSession(ctx, id)} AND ${isNotPrivateEntry(ctx)}`

/** The lines on offer in an open session that are not ticked, through so many days after the statement. */
const untickedLines = (ctx: SignedIn, id: string, later: number, columns: SQL): SQL =>
  sql`SELECT ${columns} FROM reconciliations s CROSS JOIN entries e ON e.account_id = s.account_id AND e.side = 'account'
      AND e.date <= date(s.statement_date, ${`+${later} days`}) AND e.status IN ${ON_OFFER}
    WHERE ${isSession(ctx, id)} AND s.state = 'open' AND NOT ${IS_TICKED} AND ${isNotPrivateEntry(ctx)}`

const PLACE = sql.raw('e.date, e.transaction_id, e.line')

/** In the order of their days, one row more than the page. A position is `[date, transactionId, line]`. */
export function pageOfRows(
  ctx: SignedIn,
  id: string,
  { ticked, later }: RowsFilter,
  { after, limit }: PageRequest,
) {
  const follows = after
    ? sql`AND e.date >= ${after[0]} AND (${PLACE}) > (${after[0]}, ${after[1]}, CAST(${after[2]} AS INTEGER))`
    : sql``
  // Each list is read in its order, no further than the page needs.
  const first = (lines: SQL, mark: 0 | 1) =>
    sql`SELECT *, ${sql.raw(String(mark))} AS mark FROM (${lines} ${follows} ORDER BY ${PLACE} LIMIT ${limit + 1})`
  const lists = [
    ...(ticked === false ? [] : [first(tickedLines(ctx, id, PLACE), 1)]),
    ...(ticked === true ? [] : [first(untickedLines(ctx, id, later, PLACE), 0)]),
  ]
  return ledgerRowsAmong(
    ctx,
    sql`SELECT date, transaction_id, line, mark FROM (${sql.join(lists, sql` UNION ALL `)})
      ORDER BY date, transaction_id, line LIMIT ${limit + 1}`,
  )
}

/** Sums the ticked rows before a page, and counts the unticked rows that are dated after the statement. */
export const rowsBefore = (
  ctx: SignedIn,
  id: string,
  { later }: RowsFilter,
  { after = ['', '', '0'] }: PageRequest,
) =>
  db.all<{ before: WideSum; late: number }>(
    sql`SELECT ${wideSum(
      sql`iif((date, transaction_id, line) <= (${after[0]}, ${after[1]}, CAST(${after[2]} AS INTEGER)), amount_minor, 0)`,
    )} AS before,
      (SELECT count(*) FROM (${untickedLines(ctx, id, later, PLACE)} AND e.date > s.statement_date)) AS late
      FROM (${tickedLines(ctx, id, sql.raw('e.date, e.transaction_id, e.line, e.amount_minor'))})`,
  )

/** Ticked rows of one statement, as each brings all of its lines. */
const ROWS_PER_STATEMENT = 500

/** The ticked rows of an open session, or all that are in another one, in several statements of one trip. */
export const rowsOfSession = (ctx: SignedIn, id: string, most: number) =>
  Array.from({ length: Math.ceil(most / ROWS_PER_STATEMENT) }, (_, at) =>
    wholeRowsAmong(
      ctx,
      sql`SELECT transaction_id, line FROM (${tickedLines(ctx, id, PLACE)})
        ORDER BY transaction_id, line LIMIT ${sql.raw(`${ROWS_PER_STATEMENT} OFFSET ${at * ROWS_PER_STATEMENT}`)}`,
    ),
  )
