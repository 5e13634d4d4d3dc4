import { and, eq, sql } from 'drizzle-orm'
import { transactions } from '../../../drizzle/schema/ledger.ts'
import type { Entry } from '../../domain/ledger.ts'
import type { Context, SignedIn } from '../../platform/context.ts'
import { requireChanged, requireChangedOne } from '../../platform/premises.ts'
import { changedMeanwhile } from '../../platform/refusals.ts'
import { db, type Statement } from '../../platform/statements.ts'
import { refundsFor } from '../rows/refunds.queries.ts'
import { columnsFrom, type Header, type LedgerRow, searchTextOf } from '../rows/rows.queries.ts'
import { deactivateEntries, removeUnbooked } from './lines.queries.ts'
import { insertEntriesOf, insertTransactions, replaceLabels } from './books.queries.ts'
import type { Labels } from '../labels/labels.rules.ts'

/** A transaction with all that is stored of it. */
export interface Whole {
  header: Header
  entries: Entry[]
  labels: Labels
}

/**
 * Books a transfer in the place of rows, which are put away. Refuses unless
 * each is as it was read.
 */
export function matchTransactions(
  { now }: Context,
  rows: { transactionId: string; version: number }[],
  { header, entries, labels }: Whole,
): Statement[] {
  const seen = JSON.stringify(rows.map(({ transactionId, version }) => [transactionId, version]))
  return [
    ...deactivateEntries(
      rows.map(({ transactionId }) => transactionId),
      'match',
    ),
    ...insertTransactions([{ header, entries, labels }]),
    db.run(sql`UPDATE transactions SET matched_into = ${header.id}, version = version + 1, updated_at = ${now}
      FROM json_each(${seen}) seen WHERE transactions.id = seen.value->>0 AND version = seen.value->>1
        AND deleted_at IS NULL AND matched_into IS NULL`),
    requireChanged(rows.length, changedMeanwhile),
  ]
}

/** The rows that a transfer took the place of, as they were; for a read that shows that the caller sees all of it. */
export const matchedRows = (ctx: SignedIn, transferId: string) =>
  db.all<LedgerRow>(
    sql`SELECT ${columnsFrom('unbooked_entries')}, ${refundsFor(ctx, sql`t.matched_into = ${transferId}`)}
      FROM transactions t JOIN unbooked_entries e ON e.transaction_id = t.id
      WHERE t.matched_into = ${transferId} AND e.side = 'account'`,
  )

/** A row that is booked in the place of a leg. */
export interface Part extends Whole {
  /** For a transaction that was matched before: its version as read, and the header fields that change. */
  returning?: { version: number; changed: Partial<Header> }
}

/**
 * Takes the lines of a transfer back, and books a row in the place of each leg: one that was matched, as it was read, or a new
 * one. The header stays until what hangs on it has moved.
 */
export const takeParts = (
  ctx: Context,
  transactionId: string,
  parts: [Part, Part],
): Statement[] => [
  db.run(sql`DELETE FROM entries WHERE transaction_id = ${transactionId}`),
  ...parts.flatMap((part) =>
    part.returning
      ? bringBack(ctx, transactionId, part, part.returning)
      : insertTransactions([part]),
  ),
]

function bringBack(
  ctx: Context,
  transferId: string,
  { header, entries, labels }: Whole,
  { version, changed }: NonNullable<Part['returning']>,
): Statement[] {
  const { id } = header
  return [
    db
      .update(transactions)
      .set({
        ...changed,
        searchText: searchTextOf(header),
        matchedInto: null,
        version: sql`${transactions.version} + 1`,
        updatedAt: ctx.now,
      })
      .where(
        and(
          eq(transactions.id, id),
          eq(transactions.version, version),
          eq(transactions.matchedInto, transferId),
        ),
      ),
    requireChangedOne(changedMeanwhile),
    ...insertEntriesOf([{ id, entries }]),
    removeUnbooked([id]),
    ...replaceLabels([{ id, labels }]),
  ]
}
