import { addCounts, noRows, type RowCounts } from '../../../../domain/imports/counts.ts'
import { countsFrom } from '../imports.rules.ts'

/** The verdicts of rows that a commit books or changes. */
const WANTED = ['new', 'matched', 'updated', 'transfer'] as const

/** A piece with the stored counts of its rows. */
interface Piece {
  number: number
  counts: string
}

/** The rows of a piece that was not booked: what was to be done with them is skipped. */
function untouched(counts: RowCounts): RowCounts {
  const next = { ...counts }
  for (const verdict of WANTED) {
    next.skipped += next[verdict]
    next[verdict] = 0
  }
  return next
}

/** Counts the rows of a commit that was cancelled. Pieces are booked in the order of the file, or from its end. */
export function countsOfStopped(
  { nextChunk, backwards }: { nextChunk: number; backwards: boolean },
  chunks: Piece[],
): RowCounts {
  const isDone = ({ number }: Piece) =>
    backwards ? number >= chunks.length - nextChunk : number < nextChunk
  return chunks
    .map((chunk) =>
      isDone(chunk) ? countsFrom(chunk.counts) : untouched(countsFrom(chunk.counts)),
    )
    .reduce(addCounts, noRows())
}
