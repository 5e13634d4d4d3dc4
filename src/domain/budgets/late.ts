import { figureKey, splitKey } from './counting.ts'
import { OUTSIDE } from './flows.ts'
import { addSums, type StoredSums } from './policies.ts'

/** The lines of a period, and those that took over from ended ones. */
interface LinesOfPeriod {
  lines: readonly { id: string }[]
  paymentLines: readonly { id: string; accountId: string }[]
  /** The line that takes over from an ended line, by the ended line; the pool does where none is named. */
  carriedInto: Readonly<Record<string, string>>
}

/** Finds the line that an amount of a line counts on: the line itself, or the one that takes over from it. */
export function successorIn(
  lines: readonly { id: string }[],
  carriedInto: LinesOfPeriod['carriedInto'],
): (lineId: string) => string | undefined {
  const there = new Set(lines.map(({ id }) => id))
  return (lineId) => [lineId, carriedInto[lineId] ?? ''].find((id) => there.has(id))
}

/** The figures that the pool takes in full, on cash accounts and on cards. */
export const POOL_FIGURES: readonly string[] = [
  'opening',
  'income',
  'deferred',
  'adjustments',
  ...OUTSIDE,
]
const FIGURES = new Set([...POOL_FIGURES, 'payments', 'pending'])

/** Late amounts where they count now: those of ended lines on their successors, or uncovered. */
export function lateIn(
  late: StoredSums,
  { lines, carriedInto }: Pick<LinesOfPeriod, 'lines' | 'carriedInto'>,
): StoredSums {
  const successorOf = successorIn(lines, carriedInto)
  const here = Object.entries(late).map(([key, minor]) => {
    const [name, card] = splitKey(key)
    const nameHere = FIGURES.has(name) ? name : (successorOf(name) ?? 'uncovered')
    return [figureKey(nameHere, card), minor] as const
  })
  return Object.fromEntries(addSums({}, here))
}

/** The cards of late amounts that have no payment line any more. */
export function cardsGone(
  late: StoredSums,
  { paymentLines }: Pick<LinesOfPeriod, 'paymentLines'>,
): string[] {
  const there = new Set(['', ...paymentLines.map(({ accountId }) => accountId)])
  const named = Object.keys(late).map((key) => splitKey(key)[1])
  return [...new Set(named)].filter((card) => !there.has(card))
}
