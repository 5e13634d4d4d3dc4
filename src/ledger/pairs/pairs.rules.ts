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

/** What was asked for, else the last 90 days; it may be tomorrow already where the user is. */
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

/** What a row says, folded. */
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

/** What days weigh: 0.2 on the same one, the less the more there are between, and next to nothing at 14. */
export const closenessOf = (gap: number): number => 0.2 * (1 - gap / 15)

/** From 0 to 1, the sum of what its reasons weigh. */
export const scoreOf = (weights: number[]): number =>
  Math.round(100 * weights.reduce((sum, weight) => sum + weight, 0)) / 100

/** The two rows of each pair, in the order in which they were found. */
export const pairsOf = <Row extends { pair: number }>(rows: Row[]): [Row, Row][] =>
  [...Map.groupBy(rows, ({ pair }) => pair).values()].flatMap(([one, other]) =>
    one && other ? [[one, other] satisfies [Row, Row]] : [],
  )
