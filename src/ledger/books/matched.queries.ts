import { and, eq, sql } from 'drizzle-orm'
import { transactions } from '../../../drizzle/schema/ledger.ts'
import type { Entry, EntrySide, Leg, PartTransfer } from '../../domain/ledger.ts'
import type { Context, SignedIn } from '../../platform/context.ts'
import { requireChanged, requireChangedOne } from '../../platform/database/premises.ts'
import { changedMeanwhile } from '../../platform/database/refusals.ts'
import { db, type Statement } from '../../platform/database/statements.ts'
import { isNotPrivateTo } from '../../areas/identity/access/access.public.ts'
import { ATTACHMENTS, refundsFor } from '../rows/attached.queries.ts'
import { columnsFrom, type Header, type LedgerRow, searchTextOf } from '../rows/rows.queries.ts'
import {
  deactivateEntries,
  isLineOf,
  type OwnedTransaction,
  removeUnbooked,
} from './lines.queries.ts'
import { insertEntriesOf, insertTransactions, replaceLabels } from './books.queries.ts'
import type { Labels } from '../labels/labels.rules.ts'

/** A transaction with all that is stored of it. */
export interface Whole {
  header: Header
  entries: Entry[]
  labels: Labels
}

/** A transaction that is new. */
export interface NewWhole extends Whole {
  /** Labels that no person chose: one that was archived meanwhile stays all the same. */
  suggested?: ReadonlySet<string>
  /** Facts for its events. */
  facts?: Record<string, unknown> | undefined
}

/**
 * Books transfers in the place of rows, which are put away. Refuses unless
 * each is as it was read.
 */
export const matchTransactions = (
  ctx: Context,
  all: { rows: RowAsRead[]; transfer: Whole }[],
): Statement[] => [
  ...deactivateEntries(
    all.flatMap(({ rows }) => rows.map(ownedFrom)),
    'match',
  ),
  ...insertTransactions(all.map(({ transfer }) => transfer)),
  ...stampMatched(
    ctx,
    all.flatMap(({ rows, transfer }) => rows.map((row) => ({ row, into: transfer.header.id }))),
    null,
  ),
]

/** A row as it was read. */
type RowAsRead = Pick<LedgerRow, 'transactionId' | 'version' | 'ownerId'>

const ownedFrom = ({ transactionId: id, ownerId }: RowAsRead): OwnedTransaction => ({ id, ownerId })

/** @param all rows with the transactions that take their places */
function stampMatched(
  { now }: Context,
  all: { row: RowAsRead; into: string }[],
  part: string | null,
): Statement[] {
  const seen = JSON.stringify(
    all.map(({ row: { transactionId, version, ownerId }, into }) => [
      transactionId,
      version,
      into,
      ownerId,
    ]),
  )
  return [
    db.run(sql`UPDATE transactions SET matched_into = seen.value->>2, matched_part = ${part}, version = version + 1, updated_at = ${now}
      FROM json_each(${seen}) seen WHERE transactions.id = seen.value->>0 AND version = seen.value->>1
        AND owner_id = seen.value->>3 AND deleted_at IS NULL AND matched_into IS NULL`),
    requireChanged(all.length, changedMeanwhile),
  ]
}

/** The part that a row is the other side of, and what that part was before. */
export interface MatchedPart {
  line: number
  side: EntrySide
  /** The category of the part, as are the following labels. */
  categoryId: string | null
  payeeId: string | null
  /** The date of the whole transaction. */
  date: string
  /** The other side, where it was a transfer already. */
  leg: (Pick<PartTransfer, 'amountMinor' | 'payeeRaw'> & Pick<Leg, 'status' | 'externalId'>) | null
}

/**
 * Puts a row away of which a part takes the place. The part is booked in between, as an external id goes over to it. Refuses unless
 * the row is as it was read.
 */
export const matchIntoPart = (
  ctx: Context,
  row: RowAsRead,
  { into, part }: { into: string; part: MatchedPart },
  booked: Statement[],
): Statement[] => [
  ...deactivateEntries([ownedFrom(row)], 'match'),
  ...booked,
  ...stampMatched(ctx, [{ row, into }], JSON.stringify(part)),
]

/** Books a row that was matched into a part of a transaction, as it was read, after that is booked without it. */
export const takeFromPart = (
  ctx: Context,
  from: string,
  part: Part & Required<Pick<Part, 'returning'>>,
  booked: Statement[],
): Statement[] => [...booked, ...bringBack(ctx, from, part, part.returning)]

/** Rows that were matched into parts of one transaction are those of parts of another one, by the lines of both. */
export const moveMatched = (
  { now }: Context,
  from: OwnedTransaction,
  to: { id: string; date: string },
  lines: [from: number, to: number][],
): Statement =>
  db.run(sql`UPDATE transactions SET matched_into = ${to.id}, version = version + 1, updated_at = ${now},
      matched_part = json_set(matched_part, '$.date', ${to.date}, '$.line', (SELECT l.value->>1 FROM json_each(${JSON.stringify(lines)}) l
        WHERE l.value->>0 = matched_part->>'line'))
    WHERE matched_into = ${from.id} AND matched_part IS NOT NULL AND +owner_id = ${from.ownerId}`)

/** A row that is put away. */
export interface MatchedRow extends LedgerRow {
  /** JSON of `MatchedPart`, where a part took its place. */
  matchedPart: string | null
  /** 1 if the category or the payee of the part still exists. */
  hasCategory: number
  hasPayee: number
  /** 1 if the caller sees the row although it is private, or it is not private. */
  isSeen: number
}

/**
 * The rows that a transfer, or parts of a transaction, took the place of, as they were; for a read that shows that the caller sees
 * all of it. They are its owner's, and so are the labels that they bring back.
 */
export const matchedRows = (ctx: SignedIn, transferId: string) =>
  db.all<MatchedRow>(
    sql`SELECT t.matched_part AS matchedPart, ${isNotPrivateTo(ctx)} AS isSeen, ${ATTACHMENTS},
        EXISTS (SELECT 1 FROM categories c WHERE c.id = t.matched_part->>'categoryId' AND c.owner_id = t.owner_id) AS hasCategory,
        EXISTS (SELECT 1 FROM payees p WHERE p.id = t.matched_part->>'payeeId' AND p.owner_id = t.owner_id) AS hasPayee, ${columnsFrom('unbooked_entries')}, ${refundsFor(ctx, sql`t.matched_into = ${transferId}`)}
      FROM transactions t JOIN unbooked_entries e ON e.transaction_id = t.id
      WHERE t.matched_into = ${transferId} AND e.side = 'account'
        AND t.owner_id = (SELECT w.owner_id FROM transactions w WHERE w.id = ${transferId})`,
  )

/** A row that is booked in the place of a leg. */
export interface Part extends Whole {
  /** For a transaction that was matched before: its version as read, and the header fields that change. */
  returning?: { version: number; changed: Partial<Header> }
}

/**
 * Takes the lines of a transfer back, and books a row in the place of each leg that stays: one that was matched, as it was read, or
 * a new one. The header stays until what hangs on it has moved.
 */
export const takeParts = (ctx: Context, transfer: OwnedTransaction, parts: Part[]): Statement[] => [
  db.run(sql`DELETE FROM entries WHERE ${isLineOf([transfer])}`),
  ...parts.flatMap((part) =>
    part.returning ? bringBack(ctx, transfer.id, part, part.returning) : insertTransactions([part]),
  ),
]

function bringBack(
  ctx: Context,
  transferId: string,
  { header, entries, labels }: Whole,
  { version, changed }: NonNullable<Part['returning']>,
): Statement[] {
  const { id, ownerId } = header
  return [
    db
      .update(transactions)
      .set({
        ...changed,
        searchText: searchTextOf(header),
        matchedInto: null,
        matchedPart: null,
        version: sql`${transactions.version} + 1`,
        updatedAt: ctx.now,
      })
      .where(
        and(
          eq(transactions.id, id),
          eq(transactions.ownerId, ownerId),
          eq(transactions.version, version),
          eq(transactions.matchedInto, transferId),
        ),
      ),
    requireChangedOne(changedMeanwhile),
    ...insertEntriesOf([{ id, entries }]),
    removeUnbooked([header]),
    ...replaceLabels([{ id, labels }]),
  ]
}
