import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { refuseIf } from '../../../platform/premises.ts'
import { db, nothing, type Statement } from '../../../platform/statements.ts'
import {
  isNotPrivateEntry,
  visibleAccountIds,
  withSeen,
} from '../../identity/access/access.public.ts'
import { type LedgerFilter, matchingLines } from '../../../ledger/search/search.public.ts'
import { reconciliationErrors } from './reconciliations.errors.ts'
import {
  MOST_LATER,
  MOST_TICKS,
  type ReconciliationRow,
  type MovedLine,
} from './reconciliations.rules.ts'

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
      ? [
          db.run(sql`INSERT OR IGNORE INTO reconciliation_rows (reconciliation_id, transaction_id, line)
          SELECT ${id}, transaction_id, line FROM (WITH ${withSeen(ctx)} ${matchingLines(
            ctx,
            { ...tickWhere, accountId },
            sql.raw('e.transaction_id, e.line, e.status, e.date'),
          )}) found WHERE found.status IN ${TICKABLE} AND found.date <= ${statementDate}`),
        ]
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
