import { addCounts, noRows, type RowCounts } from '../../../../domain/imports/counts.ts'
import type { Verdict } from '../../../../domain/imports/verdicts.ts'
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

/** The counts of a commit that was cancelled. */
export interface Stopped {
  counts: RowCounts
  /** The pieces that were not booked. Pieces are booked in the order of the file, or from its end. */
  untouched: { number: number; counts: RowCounts }[]
}

export function countsOfStopped(
  { nextChunk, backwards }: { nextChunk: number; backwards: boolean },
  chunks: Piece[],
): Stopped {
  const isDone = ({ number }: Piece) =>
    backwards ? number >= chunks.length - nextChunk : number < nextChunk
  const left = chunks
    .filter((chunk) => !isDone(chunk))
    .map(({ number, counts }) => ({ number, counts: untouched(countsFrom(counts)) }))
  const done = chunks.filter(isDone).map(({ counts }) => countsFrom(counts))
  return {
    counts: [...done, ...left.map(({ counts }) => counts)].reduce(addCounts, noRows()),
    untouched: left,
  }
}

/** Tells whether a row was to be booked, but the commit was cancelled before: its piece counts no such row any more. */
export const isStopped = (state: string, verdict: Verdict, counts: RowCounts): boolean =>
  STOPPED.has(state) && WANTED.some((wanted) => wanted === verdict) && counts[verdict] === 0

/** The states of an import that was cancelled, or taken back after that. */
const STOPPED: ReadonlySet<string> = new Set(['cancelled', 'reverting', 'reverted'])
