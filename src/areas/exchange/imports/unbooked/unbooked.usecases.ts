import type { SignedIn } from '../../../../platform/context.ts'
import type { StoredChunk, StoredNote } from '../imports.queries.ts'
import { rowIdOf } from '../imports.rules.ts'
import { settledRow } from '../rows/pieces.rules.ts'
import { readPiece } from '../rows/pieces.usecases.ts'

/** A row of a file that was not booked. */
export interface UnbookedRow {
  /** The id of the row. */
  id: string
  accountId: string | null
  /** Null where the file does not say it. */
  date: string | null
  minor: number
  text: string
}

const NOT_BOOKED: ReadonlySet<string> = new Set(['error', 'ignored', 'skipped'])

/** The rows of pieces that were not booked, but for those whose amount the file does not say. */
export async function unbookedRows(
  ctx: SignedIn,
  pieces: StoredChunk[],
  notes: StoredNote[],
): Promise<UnbookedRow[]> {
  const found = await Promise.all(
    pieces.map(async (piece) => {
      const byRow = new Map(
        notes.filter(({ importId }) => importId === piece.importId).map((note) => [note.row, note]),
      )
      return (await readPiece(ctx, piece))
        .map((one) => settledRow(one, byRow.get(one.row.at + 1)))
        .filter(({ verdict }) => NOT_BOOKED.has(verdict))
        .flatMap(({ read: { row } }): UnbookedRow[] =>
          row.minor === undefined
            ? []
            : [
                {
                  id: rowIdOf(piece.importId, row.at + 1),
                  accountId: row.accountId ?? null,
                  date: row.date ?? null,
                  minor: row.minor,
                  text: row.source.description ?? row.source.payeeRaw ?? '',
                },
              ],
        )
    }),
  )
  return found.flat()
}
