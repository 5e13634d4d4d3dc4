import { daysBetween } from '../calendar.ts'

/** The uses: rows of a file and stored ones, halves of transfers in files, suggested transfers, and duplicates. */
const USES = ['rows', 'halves', 'suggestions', 'duplicates'] as const
export type Use = (typeof USES)[number]

/**
 * The weight of each fact about two rows in each use, in thousandths, in the order in which reasons are listed; 0
 * where the use does not ask. `sameText` counts by the share of words. `eachDay` counts for each day between, and
 * `sameSource` takes that part of the sum of all before. docs/internals/matching.md explains the numbers.
 */
const TABLE = [
  ['sameAmount', 400, 400, 400, 300],
  ['days', 250, 200, 200, 200],
  ['eachDay', -30, -13, -40 / 3, -40 / 3],
  ['sameText', 200, 0, 0, 0],
  ['sameDescription', 0, 0, 0, 200],
  ['samePayee', 150, 0, 0, 100],
  ['sameNumber', 150, 0, 0, 0],
  ['renamed', 100, 0, 0, 0],
  ['otherSource', 0, 0, 0, 200],
  ['sameSource', 0, 0, 0, -500],
  ['mentionsTransfer', 150, 150, 150, 0],
  ['mentionsAccount', 150, 150, 150, 0],
  ['mentionsEachOther', 0, 250, 250, 0],
  ['mentionsThird', 0, -400, -400, 0],
  ['uncategorised', 100, 100, 100, 0],
  ['counterIban', 300, 300, 0, 0],
] as const

/** The steps to which scores are rounded. */
const UNITS: Record<Use, number> = { rows: 1, halves: 1, suggestions: 10, duplicates: 10 }

/** The scores from which on a use takes a pair, suggests it, or takes another one for its rival. */
export const THRESHOLDS = {
  rows: { usual: 700, strict: 850, suggested: 500, margin: 100, halfOfWords: 100 },
  halves: { likely: 600, sure: 850 },
} as const

/** The most days between two rows; for stored rows, the days before and after the row of the file. */
export const REACH = {
  typed: { before: 10, after: 3 },
  pending: { before: 10, after: 1 },
  booked: { before: 3, after: 3 },
  halves: 14,
  /** By default; a request may say otherwise. */
  suggestions: 5,
  duplicates: 3,
  /** The reach of one booking: the same id and amount further apart are two bookings. */
  sameId: 10,
  /** Equal ids and amounts are one booking whose date the bank changed, whatever their texts say. */
  movedId: 3,
} as const

/** Days further apart weigh without a reason. */
const CLOSE = 2

type Fact = (typeof TABLE)[number][0]
export type MatchReason =
  | Exclude<Fact, 'days' | 'eachDay' | 'mentionsEachOther' | 'mentionsThird'>
  | ('sameDay' | 'closeDays')

/** The facts about two rows: true or false, or the part to which one holds. */
export type Facts = Partial<Record<Exclude<Fact, 'days' | 'eachDay'>, boolean | number>>

/** A weight in thousandths, with the reason that it is listed under. */
export type Weight = [reason: MatchReason | undefined, thousandths: number]

const COLUMNS = Object.fromEntries(
  USES.map((use, at) => [
    use,
    TABLE.map(([fact, ...weights]) => [fact, weights[at]] as [Fact, number]).filter(
      ([, weight]) => weight !== 0,
    ),
  ]),
) as Record<Use, [Fact, number][]>

function listedReason(fact: Fact, days: number): MatchReason | undefined {
  if (fact === 'days') {
    return days === 0 ? 'sameDay' : days <= CLOSE ? 'closeDays' : undefined
  }
  const isUnlisted = fact === 'eachDay' || fact === 'mentionsThird'
  return isUnlisted ? undefined : fact === 'mentionsEachOther' ? 'mentionsAccount' : fact
}

/** All reasons that a use has, in the order in which they are listed. */
export const reasonsFor = (use: Use): MatchReason[] => [
  ...new Set(
    COLUMNS[use].flatMap(([fact]) => [0, 1].flatMap((days) => listedReason(fact, days) ?? [])),
  ),
]

/** Weighs how likely two rows belong together, by the facts that hold. */
export function weightsOf(use: Use, days: number, facts: Facts): Weight[] {
  const weights: Weight[] = []
  for (const [fact, weight] of COLUMNS[use]) {
    const share = fact === 'days' ? 1 : fact === 'eachDay' ? days : Number(facts[fact] ?? 0)
    const whole = fact === 'sameSource' ? sumOf(weights) / 1000 : 1
    if (share !== 0) {
      weights.push([listedReason(fact, days), weight * share * whole])
    }
  }
  return weights
}

const sumOf = (weights: readonly Weight[]): number =>
  weights.reduce((sum, [, weight]) => sum + weight, 0)

/** The score in thousandths. Of halves and suggestions it may exceed 1000, which still puts one before the other. */
export function scoreOf(use: Use, weights: readonly Weight[]): number {
  const score = Math.round(sumOf(weights) / UNITS[use]) * UNITS[use]
  return use === 'rows' ? Math.min(1000, score) : score
}

export const reasonsOf = (weights: readonly Weight[]): MatchReason[] =>
  weights.flatMap(([reason]) => reason ?? [])

/** The score from 0 to 1, or beyond where `scoreOf` is, and the reasons. */
export const scoreAndReasons = (use: Use, weights: readonly Weight[]) => ({
  score: scoreOf(use, weights) / 1000,
  reasons: reasonsOf(weights),
})

/** The number of days between two rows. */
export const daysApart = (one: { date: string }, other: { date: string }): number =>
  Math.abs(daysBetween(one.date, other.date))
