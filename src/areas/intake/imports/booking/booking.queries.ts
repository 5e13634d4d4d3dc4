import { eq, sql, type SQL } from 'drizzle-orm'
import { importChunks, imports } from '../../../../../drizzle/schema/imports.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/database/premises.ts'
import { conflicting, type Refusal } from '../../../../platform/database/refusals.ts'
import { countAttemptsAnew } from '../../../../platform/work/task-rows.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import type { RowCounts } from '../../../../domain/imports/counts.ts'
import { sumAtEnd } from '../../../../ledger/search/search.public.ts'
import type { WideSum } from '../../../../platform/database/wide-sums.ts'
import { annotatedOwnerIds, ownedBy, viewerOf } from '../../../identity/access/access.public.ts'
import { importErrors } from '../imports.errors.ts'
import { isSeen, type StoredChunk, type StoredNote } from '../imports.queries.ts'
import type { OwnedCategory } from './making.rules.ts'
import type { ImportOutcome } from './outcomes.rules.ts'

/**
 * Takes the next piece, unless it was taken already or the import was called off. Nobody else changes its outcome. A task that
 * gets so far is not given up for the attempts that it took.
 */
export const takePiece = (
  ctx: SignedIn,
  { id, nextChunk, became }: { id: string; nextChunk: number; became?: ImportOutcome },
  state: 'committing' | 'reverting',
  rowsDone: number,
  taken: Refusal = conflicting,
  by = 1,
): Statement[] => [
  db
    .update(imports)
    .set({
      nextChunk: nextChunk + by,
      ...(became === undefined ? {} : { outcome: JSON.stringify(became) }),
      rowsDone: sql`${imports.rowsDone} + CAST(${rowsDone} AS INTEGER)`,
    })
    .where(
      sql`${imports.id} = ${id} AND ${ownedBy(ctx.caller, imports.ownerId)} AND ${imports.nextChunk} = CAST(${nextChunk} AS INTEGER) AND ${imports.state} = ${state}`,
    ),
  requireChangedOne(taken),
  ...countAttemptsAnew(ctx),
]

/** Refuses where the import was called off. */
export const mustBeCommitting = (importId: string): Statement[] => [
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM imports WHERE id = ${importId} AND state = 'committing')`,
    importErrors.stopped,
  ),
]

/** Refuses where a piece was booked meanwhile. */
export const mustBeAt = ({ id, nextChunk }: { id: string; nextChunk: number }): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM imports WHERE id = ${id} AND next_chunk <> CAST(${nextChunk} AS INTEGER))`,
    importErrors.changedMeanwhile,
  ),
]

/** Stores the outcome of the rows of a piece. */
export const saveOutcome = (importId: string, chunk: number, counts: RowCounts): Statement =>
  db
    .update(importChunks)
    .set({ counts: JSON.stringify(counts) })
    .where(
      sql`${importChunks.importId} = ${importId} AND ${importChunks.number} = CAST(${chunk} AS INTEGER)`,
    )

export const saveOutcomes = (
  importId: string,
  chunks: { number: number; counts: RowCounts }[],
): Statement[] => chunks.map(({ number, counts }) => saveOutcome(importId, number, counts))

/** Categories of the owners of accounts that the caller may book on. */
export const categoriesOfOwners = (ctx: SignedIn) =>
  db.all<OwnedCategory>(
    sql`SELECT id, parent_id AS parentId, name, kind, owner_id AS ownerId FROM categories
      WHERE owner_id IN (${annotatedOwnerIds(viewerOf(ctx))}) AND archived = 0`,
  )

export const setCounts = (importId: string, counts: RowCounts): Statement =>
  db
    .update(imports)
    .set({ counts: JSON.stringify(counts) })
    .where(eq(imports.id, importId))

/** The balance that a statement gives for an account that opens with nothing. */
export interface StatedOpening {
  accountId: string
  currency: string
  /** The day before which the account held the balance. */
  date: string
  /** The day on which the account opens so far. */
  openingDate: string
  balanceMinor: number
  /** The sum of the account's transactions before that day. */
  heldBefore: WideSum
}

/** The balances of a file on own open accounts that another import created and that have no opening balance, the earliest first. */
export const balancesOfUnopened = (importId: string): Statement<StatedOpening[]> =>
  db.all(sql`SELECT a.id AS accountId, a.currency, s.from_date AS "date", a.opening_date AS openingDate,
      ifnull(s.opening_minor, s.content->>'derivedMinor') AS balanceMinor,
      ${sumAtEnd(sql`a.id`, sql`date(s.from_date, '-1 day')`, sql`'balance'`)} AS heldBefore
    FROM imports i JOIN import_statements s ON s.import_id = i.id
    JOIN accounts a ON a.id = s.account_id AND a.owner_id = i.owner_id AND a.status = 'open'
    WHERE i.id = ${importId} AND s.from_date IS NOT NULL AND NOT s.content->>'isInterim'
      AND ifnull(s.opening_minor, s.content->>'derivedMinor') IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.id = 'txn_' || substr(a.id, 5))
      AND EXISTS (SELECT 1 FROM imports m, json_each(m.made, '$.accounts') made
        WHERE m.owner_id = a.owner_id AND m.id <> i.id AND made.value = a.id)
    ORDER BY s.from_date, s.place`)

/** The days of an account, after the one and through the other, as SQL. */
export interface AccountSpan {
  accountId: SQL
  after: SQL
  through: SQL
}

/** Pieces that are looked at. */
const MOST_PIECES = sql.raw('2')

/** The newest pieces of own imports of an account in which some rows were not booked, by SQL of columns of `c`. */
const piecesWith = (ctx: SignedIn, { accountId, after, through }: AccountSpan, columns: SQL): SQL =>
  sql`SELECT ${columns} FROM imports JOIN import_chunks c ON c.import_id = imports.id
    WHERE ${isSeen(ctx)} AND imports.state = 'done' AND imports.object_key IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each(imports.accounts) f WHERE f.value->>'accountId' = ${accountId})
      AND (c.counts->>'error' > 0 OR c.counts->>'ignored' > 0)
      AND ifnull(c.newest, '9') > ${after} AND ifnull(c.oldest, '') <= ${through}
    ORDER BY imports.id DESC, c.number DESC LIMIT ${MOST_PIECES}`

export const unbookedPieces = (ctx: SignedIn, span: AccountSpan) =>
  db.all<StoredChunk>(
    piecesWith(
      ctx,
      span,
      sql.raw(`c.import_id AS importId, c.number, c.object_key AS objectKey, c.offset, c.length, c.first_row AS firstRow,
        c.rows, c.first_line AS firstLine, c.counts, c.oldest, c.newest`),
    ),
  )

/** Reads the notes on the rows of these pieces. */
export const notesOfPieces = (ctx: SignedIn, span: AccountSpan) =>
  db.all<StoredNote>(
    sql`SELECT n.import_id AS importId, n."row", n.decision, n.once, n.match_id AS matchId, n.overrides, n.found
      FROM (${piecesWith(ctx, span, sql.raw('c.import_id, c.first_row, c.rows'))}) piece
        JOIN import_row_notes n ON n.import_id = piece.import_id
          AND n."row" BETWEEN piece.first_row AND piece.first_row + piece.rows - 1`,
  )
