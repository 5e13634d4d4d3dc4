import { foldKey } from '../../../../domain/text.ts'

/** Rows of one query of a plan. */
export const ROWS_PER_LOOK = 2000
/** Tables with things that are in the trash as rows of their own. */
export const LABELS = ['categories', 'payees', 'tags']
export const DEEPEST_CATEGORY = 5

/** The numbers of rows of a table that a merge adds, maps and skips. */
export interface MergedCount {
  added: number
  /** A row of the same name stands for them. */
  mapped: number
  /** They are there already, or left out. */
  skipped: number
}

/** The decisions of a merge, as they are stored in JSON before any row. */
export interface StoredMerge {
  /** Whether the user had no data. */
  isFresh: boolean
  /** Fields that rows get in place of their own, by their ids. */
  changed: Record<string, Record<string, string | number | null>>
  /** What was there, by table: the sum of its rows. */
  before: Record<string, string>
}

const MOST_OF_NAME = 80

/** A name that nobody has yet: with a number behind it. */
export function freeName(name: string, taken: Set<string>): { name: string; name_key: string } {
  const begin = [...name].slice(0, MOST_OF_NAME).join('').trimEnd()
  for (let number = 2; ; number++) {
    const next = `${begin} (${number})`
    const key = foldKey(next)
    if (!taken.has(key)) {
      taken.add(key)
      return { name: next, name_key: key }
    }
  }
}

/** The text of a sum is so long. */
const SUM_DIGITS = 32
const SUM_BITS = (1n << 128n) - 1n

/** A sum of rows that does not depend on their order, as hexadecimal digits. */
export const addToSum = (sum: string, hash: string): string =>
  ((BigInt(`0x${sum}`) + BigInt(`0x${hash.slice(0, SUM_DIGITS)}`)) & SUM_BITS)
    .toString(16)
    .padStart(SUM_DIGITS, '0')

export const NO_SUM = '0'.repeat(SUM_DIGITS)
