import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { db } from '../../../platform/statements.ts'
import { isSeen, type StoredChunk, type StoredNote } from './imports.queries.ts'

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
