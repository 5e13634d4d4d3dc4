import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { db } from '../../../../platform/statements.ts'
import { type WideSum, wideSum } from '../../../../platform/wide-sums.ts'
import { isNotPrivateEntry, visibleAccountIds } from '../../../identity/access/access.public.ts'
import { ledgerRowsAmong, wholeRowsAmong } from '../../../../ledger/ledger.public.ts'
import { isTick, ON_OFFER } from '../ticks/ticks.queries.ts'

export interface RowsFilter {
  ticked?: boolean | undefined
  /** Days after the statement date. */
  later: number
}

/** Whether a line `e` has a row in a session `s`. */
const hasRow = sql.raw(`EXISTS (SELECT 1 FROM reconciliation_rows k WHERE k.reconciliation_id = s.id
  AND k.transaction_id = e.transaction_id AND k.line = e.line)`)

/** The lines of the account of an open session `s` that are on offer, or ticked; of one that is not, those that are in it. */
const linesOf = (ctx: SignedIn, id: string, { ticked, later }: RowsFilter, columns: SQL): SQL => {
  const session = sql`FROM reconciliations s CROSS JOIN`
  const isThis = sql`s.id = ${id} AND s.account_id IN (${visibleAccountIds(ctx)})`
  const isOffered = sql`s.state = 'open' AND e.status IN ${ON_OFFER}
    AND e.date <= date(s.statement_date, ${`+${later} days`})`
  const untick = sql`SELECT ${columns}, 0 AS ticked ${session} entries e
      ON e.account_id = s.account_id AND e.side = 'account' AND ${isOffered}
    WHERE ${isThis} AND NOT (${hasRow} AND e.status <> 'pending') AND ${isNotPrivateEntry(ctx)}`
  const tick = sql`SELECT ${columns}, 1 AS ticked ${session} reconciliation_rows k ON k.reconciliation_id = s.id
      CROSS JOIN entries e ON e.transaction_id = k.transaction_id AND e.line = k.line AND e.side = 'account'
        AND e.account_id = s.account_id AND (s.state <> 'open' OR ${isTick('s')})
    WHERE ${isThis} AND ${isNotPrivateEntry(ctx)}`
  if (ticked !== undefined) {
    return ticked ? tick : untick
  }
  return sql`${tick} UNION ALL ${untick}`
}

const PLACE = sql.raw('e.date, e.transaction_id, e.line')

/** In the order of their days, one row more than the page. A position is `[date, transactionId, line]`. */
export const pageOfRows = (
  ctx: SignedIn,
  id: string,
  filter: RowsFilter,
  { after, limit }: PageRequest,
) =>
  ledgerRowsAmong(
    ctx,
    sql`SELECT date, transaction_id, line, ticked AS mark FROM (${linesOf(ctx, id, filter, PLACE)})
      ${after ? sql`WHERE (date, transaction_id, line) > (${after[0]}, ${after[1]}, CAST(${after[2]} AS INTEGER))` : sql``}
      ORDER BY date, transaction_id, line LIMIT ${limit + 1}`,
  )

/** How many rows there are, and what those sum up to that are ticked and stand before a page. */
export const rowsBefore = (
  ctx: SignedIn,
  id: string,
  filter: RowsFilter,
  { after = ['', '', '0'] }: PageRequest,
) =>
  db.all<{ count: number; before: WideSum }>(
    sql`SELECT count(*) AS count, ${wideSum(
      sql`iif(ticked = 1 AND (date, transaction_id, line) <= (${after[0]}, ${after[1]}, CAST(${after[2]} AS INTEGER)), amount_minor, 0)`,
    )} AS before
      FROM (${linesOf(ctx, id, filter, sql.raw('e.date, e.transaction_id, e.line, e.amount_minor'))})`,
  )

/** Ticked rows of one statement, as each brings all of its lines. */
const ROWS_PER_STATEMENT = 500

/** The ticked rows of an open session, or all that are in another one, in several statements of one trip. */
export const rowsOfSession = (ctx: SignedIn, id: string, most: number) =>
  Array.from({ length: Math.ceil(most / ROWS_PER_STATEMENT) }, (_, at) =>
    wholeRowsAmong(
      ctx,
      sql`SELECT transaction_id, line FROM (${linesOf(ctx, id, { ticked: true, later: 0 }, PLACE)})
        ORDER BY transaction_id, line LIMIT ${sql.raw(`${ROWS_PER_STATEMENT} OFFSET ${at * ROWS_PER_STATEMENT}`)}`,
    ),
  )
