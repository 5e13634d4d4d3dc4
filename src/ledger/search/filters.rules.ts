import { MAX_MINOR } from '../../domain/money.ts'
import { foldKey } from '../../domain/text.ts'

/** How many words a search looks for at most: each is a condition of its own. */
export const MOST_WORDS = 10

/** The words of a search, folded as what they are looked for in. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    foldKey(text)
      .split(' ')
      .filter((word) => word !== ''),
  ),
]

export function isSearchable(text: string): boolean {
  const { length } = wordsOf(text)
  return length >= 1 && length <= MOST_WORDS
}

/**
 * A bound in minor units, for amounts that have none of its surplus decimals: what is at least 12.345 is in
 * euro at least 12.35, and what is at most 12.345 is at most 12.34.
 */
export function boundIn(digits: number, text: string, side: 'least' | 'most'): bigint {
  const [whole = '', decimals = ''] = text.split('.')
  const units = BigInt(whole + decimals.slice(0, digits).padEnd(digits, '0'))
  const isCut = /[1-9]/.test(decimals.slice(digits))
  const bound = side === 'least' && isCut ? units + 1n : units
  const beyond = BigInt(MAX_MINOR) + 1n
  return bound < beyond ? bound : beyond
}
