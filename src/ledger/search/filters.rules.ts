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
