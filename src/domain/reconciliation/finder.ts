import { addDays } from '../calendar.ts'
import { REACH } from '../matching/weights.ts'
import { isShifted, isTransposed } from './amounts.ts'
import { byAmount, exchangesOf, pairsWithSum, triplesOf } from './subsets.ts'

// Suggestions that make the difference of a reconciliation zero, the likeliest first.

/** The likelihood of each kind of explanation. */
export const SCORES = {
  bankSays: 0.95,
  notBooked: 0.9,
  drift: 0.9,
  tick: 0.85,
  untick: 0.8,
  duplicate: 0.8,
  sign: 0.75,
  transposed: 0.7,
  shifted: 0.65,
  status: 0.6,
  otherAccount: 0.55,
  pair: 0.5,
  all: 0.45,
  triple: 0.35,
  age: 0.2,
} as const

export type SuggestionKind = keyof typeof SCORES

/** The likelihood that an amount is mistyped although a file of the bank has the same. */
const SCORES_OF_CONFIRMED = { sign: 0.3, transposed: 0.25, shifted: 0.2 } as const

/** A row that may explain a difference. */
export interface CandidateRow {
  id: string
  date: string
  minor: number
}

/** The rows of a session and its account. Lists of rows are newest first. */
export interface Books {
  /** The balance of the statement minus that of the books. */
  difference: number
  ticked: readonly CandidateRow[]
  unticked: readonly CandidateRow[]
  /** Rows that are void, or dated after the statement. */
  aside: readonly CandidateRow[]
  /** Ticked rows whose amount is not what the bank said. */
  misstated: readonly (CandidateRow & { bankMinor: number })[]
  /** Rows of files of the bank that were not booked, or are in the trash. */
  notBooked: readonly CandidateRow[]
  /** Reconciled rows that are not as they were, with what that moved. */
  drift: readonly CandidateRow[]
  /** Rows of this account's bank that are booked on another account. */
  elsewhere: readonly CandidateRow[]
  /** Pairs of rows, each as two ids in order, that are known to be no duplicates. */
  distinct: ReadonlySet<string>
  /** The ids of rows that are in files of the bank: two of them are two things. */
  imported: ReadonlySet<string>
  /** The ids of rows that have the same amount as in a file of the bank. */
  confirmed: ReadonlySet<string>
  /** The earliest day on which the account is known to be wrong. */
  wrongSince: string | undefined
}

/** Something that makes the difference zero. */
export interface DifferenceSuggestion {
  kind: SuggestionKind
  rows: CandidateRow[]
  /** The rows among them that are ticked, and would not be. */
  unticked: CandidateRow[]
  /** The ticked row that the one to untick repeats. */
  keeps: CandidateRow | undefined
  /** The other correction that is needed, where all rows are ticked. */
  beside: DifferenceSuggestion | undefined
  /** The amount that the row should have had. */
  toMinor: number | undefined
  /** The day from which on the account is wrong. */
  date: string | undefined
  effect: number
  score: number
  /** The number of other choices of rows with equal amounts. */
  others: number
  /** For how many of its rows more speaks than their amounts. Of equal scores, the most comes first. */
  evidence: number
}

/** The most rows that are looked at, and among which triples are looked for. */
const MOST_ROWS = 300
const MOST_OF_TRIPLES = 120
const MOST_SUGGESTIONS = 20

export const distinctKey = (one: string, other: string): string => [one, other].toSorted().join(' ')

/** Rows with equal amounts are shown once. */
function onceEach<Row extends CandidateRow>(
  rows: readonly Row[],
  make: (row: Row) => Partial<DifferenceSuggestion>,
): Partial<DifferenceSuggestion>[] {
  return [...byAmount(rows).values()].flatMap((same) =>
    same.slice(0, 1).map((row) => ({ rows: [row], others: same.length - 1, ...make(row) })),
  )
}

/** The newest rows of both lists together. */
function newest({ ticked, unticked }: Books): Pick<Books, 'ticked' | 'unticked'> {
  const oldest = [...ticked, ...unticked]
    .map(({ date }) => date)
    .toSorted()
    .at(-MOST_ROWS)
  const isNew = ({ date }: CandidateRow) => oldest === undefined || date >= oldest
  return {
    ticked: ticked.filter(isNew).slice(0, MOST_ROWS),
    unticked: unticked.filter(isNew).slice(0, MOST_ROWS),
  }
}

/** Ticked rows that an earlier one has already, by their ids, with that one. */
function repeatsIn(
  ticked: readonly CandidateRow[],
  { distinct, imported }: Pick<Books, 'distinct' | 'imported'>,
): Map<string, CandidateRow> {
  const repeats = new Map<string, CandidateRow>()
  for (const same of byAmount(ticked).values()) {
    for (const [at, later] of same.entries()) {
      const since = addDays(later.date, -REACH.duplicates)
      const earlier = same
        .slice(at + 1)
        .find(
          ({ id, date }) =>
            date >= since &&
            !(imported.has(id) && imported.has(later.id)) &&
            !distinct.has(distinctKey(id, later.id)),
        )
      if (earlier) {
        repeats.set(later.id, earlier)
      }
    }
  }
  return repeats
}

type MistypedKind = keyof typeof SCORES_OF_CONFIRMED

/** Tells whether an amount was mistyped, by the amount that it should have been. */
const IS_MISTYPED: Record<MistypedKind, (was: number, is: number) => boolean> = {
  sign: (was, is) => is === -was,
  transposed: isTransposed,
  shifted: isShifted,
}

/** Ticked rows with a mistyped amount. Rows for which the bank stated the same amount are unlikely to be wrong. */
function mistyped(
  kind: MistypedKind,
  ticked: readonly CandidateRow[],
  { difference, confirmed }: Books,
): Partial<DifferenceSuggestion>[] {
  const wrong = ticked.filter(({ minor }) => IS_MISTYPED[kind](minor, minor + difference))
  const isConfirmed = ({ id }: CandidateRow) => confirmed.has(id)
  const found = (rows: readonly CandidateRow[], score: number) =>
    onceEach(rows, ({ minor }) => ({ toMinor: minor + difference, score }))
  return [
    ...found(
      wrong.filter((row) => !isConfirmed(row)),
      SCORES[kind],
    ),
    ...found(wrong.filter(isConfirmed), SCORES_OF_CONFIRMED[kind]),
  ]
}

/** @returns by kind what is found */
function allOf(books: Books): Partial<Record<SuggestionKind, Partial<DifferenceSuggestion>[]>> {
  const { difference, aside, misstated, drift, elsewhere } = books
  const { ticked, unticked } = newest(books)
  const notBooked = books.notBooked.slice(0, MOST_ROWS)
  const repeats = repeatsIn(ticked, books)
  const isRepeat = ({ id }: CandidateRow) => repeats.has(id)
  const isMissing = ({ minor }: CandidateRow) => minor === difference
  const isTooMuch = ({ minor }: CandidateRow) => minor === -difference
  const one = (rows: readonly CandidateRow[]) => onceEach(rows, () => ({}))
  const missing = [...notBooked, ...unticked]
  const tooMany = [...ticked.filter(isRepeat), ...ticked.filter((row) => !isRepeat(row))]
  const moved = drift.reduce((sum, { minor }) => sum + minor, 0)
  return {
    bankSays: misstated
      .filter(({ minor, bankMinor }) => bankMinor - minor === difference)
      .map((row) => ({ rows: [row], toMinor: row.bankMinor })),
    notBooked: one(notBooked.filter(isMissing)),
    drift: [
      ...drift.filter(isTooMuch).map((row) => ({ rows: [row] })),
      ...(drift.length > 1 && moved === -difference ? [{ rows: [...drift] }] : []),
    ],
    tick: one(unticked.filter(isMissing)),
    duplicate: ticked.filter(isTooMuch).flatMap((row) => {
      const earlier = repeats.get(row.id)
      return earlier ? [{ rows: [earlier, row], evidence: 1 }] : []
    }),
    untick: onceEach(ticked.filter(isTooMuch), (row) => ({ unticked: [row] })),
    sign: mistyped('sign', ticked, books),
    transposed: difference % 9 === 0 ? mistyped('transposed', ticked, books) : [],
    shifted: mistyped('shifted', ticked, books),
    status: one(aside.filter(isMissing)),
    otherAccount: one(elsewhere.filter(isMissing)),
    pair: [
      ...pairsWithSum(missing, difference).map((pair) => ({
        ...pair,
        evidence: pair.rows.filter((row) => notBooked.includes(row)).length,
      })),
      ...exchangesOf(missing, tooMany, difference).map(({ taken, left, others }) => ({
        ...{ rows: [taken, left], unticked: [left], keeps: repeats.get(left.id), others },
        evidence: Number(notBooked.includes(taken)) + Number(isRepeat(left)),
      })),
    ],
    triple: triplesOf(unticked.slice(0, MOST_OF_TRIPLES), difference),
  }
}

/** Corrections that are looked for beside ticking all rows, the first of which make a `pair` with a single row. */
const OF_PAIRS: SuggestionKind[] = ['notBooked', 'duplicate', 'untick']
const OTHERS: SuggestionKind[] = ['bankSays', 'drift', 'sign', 'transposed', 'shifted']

/** Ticks all rows, by itself where they are more than a triple, or with another correction that is half as likely then. */
function allTicked(books: Books): Partial<DifferenceSuggestion>[] {
  const { unticked, difference, confirmed } = books
  const isCut = unticked.length >= MOST_ROWS || newest(books).unticked.length < unticked.length
  if (unticked.length === 0 || isCut) {
    return []
  }
  const left = unticked.reduce((rest, { minor }) => rest - minor, difference)
  if (left === 0) {
    return unticked.length > 3 ? [{ rows: [...unticked] }] : []
  }
  const kinds = unticked.length === 1 ? OTHERS : [...OF_PAIRS, ...OTHERS]
  return completed(allOf({ ...books, unticked: [], difference: left }), left)
    .filter(({ kind, rows, toMinor }) => {
      const isUnlikely = kind !== 'bankSays' && toMinor !== undefined
      return kinds.includes(kind) && !(isUnlikely && rows.some(({ id }) => confirmed.has(id)))
    })
    .map((beside) => ({
      ...{ beside, rows: [...beside.rows, ...unticked], unticked: beside.unticked },
      ...{ toMinor: beside.toMinor, others: beside.others, score: beside.score / 2 },
    }))
}

/** Completes the found suggestions of each kind with the fields that all suggestions have. */
const completed = (
  found: Partial<Record<SuggestionKind, Partial<DifferenceSuggestion>[]>>,
  effect: number,
): DifferenceSuggestion[] =>
  Object.entries(found).flatMap(([name, some]) => {
    const kind = name as SuggestionKind
    return some.map((one): DifferenceSuggestion => ({
      ...{ rows: [], unticked: [], keeps: undefined, beside: undefined, toMinor: undefined },
      ...{ date: undefined, others: 0, evidence: 0, score: SCORES[kind] },
      ...one,
      ...{ kind, effect },
    }))
  })

const lastDay = ({ rows }: DifferenceSuggestion): string =>
  rows.reduce((day, { date }) => (date > day ? date : day), '')

/** The latest first. */
const byDay = (one: DifferenceSuggestion, other: DifferenceSuggestion): number =>
  lastDay(other).localeCompare(lastDay(one))

/**
 * Returns the suggestions that make the difference zero, best first. If there are none, returns the day since which the
 * account is known to be wrong.
 */
export function suggestionsFor(books: Books): DifferenceSuggestion[] {
  const { difference, wrongSince } = books
  if (difference === 0) {
    return []
  }
  const found = completed({ ...allOf(books), all: allTicked(books) }, difference)
  if (found.length === 0 && wrongSince !== undefined) {
    return completed({ age: [{ date: wrongSince }] }, 0)
  }
  return found
    .toSorted(
      (one, other) => other.score - one.score || other.evidence - one.evidence || byDay(one, other),
    )
    .slice(0, MOST_SUGGESTIONS)
}
