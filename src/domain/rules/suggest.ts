import { CONDITION_LIMITS, type Comparison, type Condition } from '../conditions/conditions.ts'
import { cutText } from '../text.ts'

/** Bounds of suggestions. */
export const SUGGESTION_BOUNDS = {
  days: 400,
  rows: 20_000,
  /** Of these rows, the newest without payee, as their texts take long to compare. */
  rowsOfTexts: 5000,
  /** The newest rows of a payee or of a text that count. */
  ofGroup: 10,
  fewest: 3,
  /** The least share of them that must agree. */
  percent: 80,
  /** The groups that are looked at, those with the newest rows first, and the suggestions of one answer. */
  groups: 1000,
  suggestions: 100,
} as const

/** The value that enough rows have. */
export interface Agreement<Row> {
  /** The newest row that has it. */
  row: Row
  /** The number of rows that have it, and of those that count. */
  agreeing: number
  counted: number
}

/**
 * Finds the category that the newest rows of a payee, or of a text, agree on.
 * @param rows newest first, each with its category
 */
export function agreedCategory<Row extends { categoryId: string }>(
  rows: readonly Row[],
): Agreement<Row> | undefined {
  const { ofGroup, fewest, percent } = SUGGESTION_BOUNDS
  const newest = rows.slice(0, ofGroup)
  const [most = []] = [...Map.groupBy(newest, ({ categoryId }) => categoryId).values()].toSorted(
    (one, other) => other.length - one.length,
  )
  const [row] = most
  return row && newest.length >= fewest && most.length * 100 >= newest.length * percent
    ? { row, agreeing: most.length, counted: newest.length }
    : undefined
}

const { text: LONGEST, asterisks: MOST_ASTERISKS } = CONDITION_LIMITS

/** Numbers in a key, as many as follow each other. */
const NUMBERS = /[0-9]+(?: [0-9]+)*/g

/**
 * The condition that all of these texts meet, which differ in their numbers alone.
 * @param texts their keys
 */
export function conditionOfTexts(
  field: 'payeeRaw' | 'description',
  texts: readonly string[],
): Condition {
  const patterns = new Set(texts.map((text) => patternWithin(text.replaceAll(NUMBERS, '*'))))
  const comparisons = [...patterns].map((value): Comparison => ({
    field,
    op: value.includes('*') ? 'like' : 'is',
    value,
  }))
  return comparisons.length === 1 ? (comparisons[0] as Comparison) : { any: comparisons }
}

/** A pattern that a condition takes: its beginning, where it is too long. */
const patternWithin = (pattern: string): string =>
  pattern.length <= LONGEST && pattern.split('*').length - 1 <= MOST_ASTERISKS
    ? pattern
    : `${cutText(pattern, LONGEST - 1)
        .split('*')
        .slice(0, MOST_ASTERISKS)
        .join('*')}*`
