import { addDays, type CalendarDate, dateInZone, daysBetween } from '../../domain/calendar.ts'
import { foldKey } from '../../domain/text.ts'
import { pairErrors } from './pairs.errors.ts'

const USUAL_DAYS = 90
const MOST_DAYS = 366

/** The days in which both rows of a pair lie. */
export interface Window {
  from: CalendarDate
  to: CalendarDate
}

/**
 * Returns the requested period, or the last 90 days. It ends tomorrow by default, as the user may be in a time zone
 * ahead.
 */
export function windowOf(
  asked: Partial<Record<keyof Window, string | undefined>>,
  now: number,
): Window {
  const to = asked.to ?? addDays(dateInZone(now, 'UTC'), 1)
  const from = asked.from ?? addDays(to, -USUAL_DAYS)
  const days = daysBetween(from, to)
  if (days < 0 || days > MOST_DAYS) {
    throw pairErrors.window({ field: asked.from === undefined ? 'to' : 'from' })
  }
  return { from, to }
}

/** Returns the texts of a row, case-folded. */
export const textsOf = ({
  description,
  payeeRaw,
}: {
  description: string
  payeeRaw: string | null
}): string[] => [description, payeeRaw ?? ''].map(foldKey).filter((text) => text !== '')

/** How far apart two rows are. */
export const gapOf = (one: { date: string }, other: { date: string }): number =>
  Math.abs(daysBetween(one.date, other.date))

/** Returns the weight of the days between two rows: 0.2 on the same day, falling to nearly zero at 14 days. */
export const closenessOf = (gap: number): number => 0.2 * (1 - gap / 15)

/** From 0 to 1, the sum of what its reasons weigh. */
export const scoreOf = (weights: number[]): number =>
  Math.round(100 * weights.reduce((sum, weight) => sum + weight, 0)) / 100

/** The pairs that a search found, and whether a bound has ended it. */
export interface FoundPairs<Row> {
  /** The two rows of each pair, in the order in which they were found. */
  pairs: [Row, Row][]
  truncated: boolean
}

/** @param found the rows of pairs, or a single one without a pair */
export function pairsOf<Row extends { pairNumber: number }>(
  found: ((Row | { pairNumber: null }) & { isTruncated: 0 | 1 })[],
): FoundPairs<Row> {
  const rows = found.filter((row): row is Row & { isTruncated: 0 | 1 } => row.pairNumber !== null)
  const pairs = [...Map.groupBy(rows, ({ pairNumber }) => pairNumber).values()]
  return {
    pairs: pairs.flatMap(([one, other]) =>
      one && other ? [[one, other] satisfies [Row, Row]] : [],
    ),
    truncated: found[0]?.isTruncated === 1,
  }
}
