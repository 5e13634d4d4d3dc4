import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, nothing, type Statement } from '../../../platform/database/statements.ts'
import { type WideSum, wideSum } from '../../../platform/database/wide-sums.ts'
import { isNotPrivateEntry, visibleAccountIds } from '../../identity/access/access.public.ts'
import { ledgerRowsAmong, wholeRowsAmong } from '../../../ledger/ledger.public.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { type LedgerFilter, linesInPieces } from '../../../ledger/search/search.public.ts'
import { reconciliationErrors } from './reconciliations.errors.ts'
import {
  MOST_LATER,
  MOST_TICKS,
  type ReconciliationRow,
  type MovedLine,
} from './reconciliations.rules.ts'

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
export function pageOfSessionRows(
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

const LATEST = sql.raw(`'+${MOST_LATER} days'`)

/** Statuses of which a row can be ticked. */
export const TICKABLE = sql.raw(`('uncleared', 'cleared')`)

/** Statuses of rows on offer: one that is pending is shown, but cannot be ticked. */
export const ON_OFFER = sql.raw(`('pending', 'uncleared', 'cleared')`)

/**
 * SQL that is true if an account line `e` can be ticked in a session `s`. A stored tick of a line that cannot be ticked
 * any more does not count.
 */
export const isTick = (s: 's' | 'picked'): SQL => {
  const of = (column: string) => sql.raw(`${s}.${column}`)
  return sql`e.account_id = ${of('account_id')} AND e.side = 'account' AND e.status IN ${TICKABLE}
    AND e.date <= date(${of('statement_date')}, ${LATEST})`
}

export const mostTicks = (id: string): Statement =>
  refuseIf(
    sql`(SELECT count(*) FROM reconciliation_rows WHERE reconciliation_id = ${id}) > ${sql.raw(String(MOST_TICKS))}`,
    reconciliationErrors.tooManyRows,
  )

export const insertTicks = (lines: SQL): Statement =>
  db.run(
    sql`INSERT OR IGNORE INTO reconciliation_rows (reconciliation_id, transaction_id, line) ${lines}`,
  )

/** The id under which the line of a row is addressed, by the name that a statement gives the row. */
export const addressOfRow = (row: string): SQL =>
  sql.raw(`iif(${row}.line > 2 OR substr(${row}.transaction_id, 1, 4) = 'trf_',
    'txn_' || substr(${row}.transaction_id, 5) || '-' || ${row}.line, ${row}.transaction_id)`)

/** A line that a request names, as far as it can be ticked. */
export interface NamedLine {
  transactionId: string
  line: number
  status: string
  /** 1 where it can be ticked but for its status. */
  isOnOffer: number
}

/** The lines of these addresses, with whether they are on offer in a session, as far as the caller sees them. */
export const linesNamed = (
  ctx: SignedIn,
  id: string,
  wanted: { transactionId: string; line: number }[],
  statementDate: string | undefined,
) =>
  wanted.length === 0
    ? nothing<NamedLine>()
    : db.all<NamedLine>(
        sql`SELECT e.transaction_id AS transactionId, e.line, e.status,
            e.account_id = s.account_id AND e.status IN ${ON_OFFER} AND e.date <= date(ifnull(${statementDate ?? null}, s.statement_date), ${LATEST}) AS isOnOffer
          FROM reconciliations s CROSS JOIN json_each(${JSON.stringify(wanted)}) w
            CROSS JOIN entries e ON e.transaction_id = w.value->>'transactionId' AND e.line = w.value->>'line'
              AND e.side = 'account' AND e.account_id IN (${visibleAccountIds(ctx)})
          WHERE s.id = ${id} AND ${isNotPrivateEntry(ctx)}`,
      )

/** A change of what is ticked. */
export interface Ticking {
  tick: { transactionId: string; line: number }[]
  untick: { transactionId: string; line: number }[]
  tickWhere: LedgerFilter | undefined
}

/** Ticks and unticks rows of an open session. */
export const changeTicks = (
  ctx: SignedIn,
  session: Pick<ReconciliationRow, 'id' | 'ownerId' | 'accountId' | 'statementDate'>,
  { tick, untick, tickWhere }: Ticking,
): Statement[] => {
  const { id, accountId, statementDate } = session
  return [
    ...(tickWhere
      ? linesInPieces(
          ctx,
          { ...tickWhere, accountId },
          sql.raw('e.transaction_id, e.line, e.status, e.date'),
        ).map((lines) =>
          db.run(sql`INSERT OR IGNORE INTO reconciliation_rows (reconciliation_id, transaction_id, line)
          SELECT ${id}, transaction_id, line FROM (${lines}) found
          WHERE found.status IN ${TICKABLE} AND found.date <= ${statementDate}`),
        )
      : []),
    ...(tick.length === 0
      ? []
      : [
          insertTicks(
            sql`SELECT ${id}, value->>'transactionId', value->>'line' FROM json_each(${JSON.stringify(tick)}) WHERE true`,
          ),
        ]),
    ...(untick.length === 0
      ? []
      : [
          db.run(sql`DELETE FROM reconciliation_rows WHERE reconciliation_id = ${itself(session)} AND (transaction_id, line) IN (
          SELECT e.transaction_id, e.line FROM json_each(${JSON.stringify(untick)}) w CROSS JOIN entries e
            ON e.transaction_id = w.value->>'transactionId' AND e.line = w.value->>'line'
          WHERE ${isNotPrivateEntry(ctx)})`),
        ]),
    ...(tickWhere || tick.length > 0 ? [mostTicks(id)] : []),
  ]
}

/** Forgets what is ticked in a session. */
export const deleteTicks = (session: Pick<ReconciliationRow, 'id' | 'ownerId'>): Statement =>
  db.run(sql`DELETE FROM reconciliation_rows WHERE reconciliation_id = ${itself(session)}`)

const itself = ({ id, ownerId }: Pick<ReconciliationRow, 'id' | 'ownerId'>): SQL =>
  sql`(SELECT s.id FROM reconciliations s WHERE s.id = ${id} AND s.owner_id = ${ownerId})`

/**
 * Lets lines be ticked, and be reconciled, in the place of others. One that is in the session already stays as it is. A
 * finished session knows the new one by its own day: what is the same money is no drift.
 */
export const moveTicks = (moved: MovedLine[]): Statement[] =>
  moved.length === 0
    ? []
    : [
        db.run(sql`UPDATE OR IGNORE reconciliation_rows
          SET transaction_id = moved.value->>'toId', line = moved.value->>'toLine',
            date = iif(reconciliation_rows.date IS NULL, NULL, ifnull((SELECT e.date FROM entries e
              WHERE e.transaction_id = moved.value->>'toId' AND e.line = moved.value->>'toLine'), reconciliation_rows.date))
          FROM json_each(${JSON.stringify(moved)}) moved
          WHERE transaction_id = moved.value->>'fromId' AND line = moved.value->>'fromLine'`),
      ]
