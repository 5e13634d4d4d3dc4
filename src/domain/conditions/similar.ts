/** The most similar names in an error. */
const MOST_SIMILAR = 3

/** The words of a name that are looked at: names of many short words would take long. */
const MOST_WORDS = 8

/** A name with its search key. */
interface KeyedName {
  name: string
  key: string
}

/** The most letters that may differ: none of one letter, one of two to four letters, and three at most. */
const mostEdits = (key: string): number => Math.min(3, Math.floor((key.length + 1) / 3))

/**
 * The names that somebody may have meant, the most similar first: those in which a word and what follows begins like the key, but
 * for a few letters.
 */
export function similarNames(names: readonly KeyedName[], key: string): string[] {
  const most = mostEdits(key)
  const near = names
    .map(({ name, key: other }) => ({ name, edits: editsToBeginning(key, other, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted(
      (a, b) => a.edits - b.edits || a.name.length - b.name.length || (a.name < b.name ? -1 : 1),
    )
  return [...new Set(near.map(({ name }) => name))].slice(0, MOST_SIMILAR)
}

/** The fewest edits from any word of the other key on; more than `most` where there are more. */
function editsToBeginning(key: string, other: string, most: number): number {
  const starts = [0, ...Array.from(other.matchAll(/ /g), ({ index }) => index + 1)].slice(
    0,
    MOST_WORDS,
  )
  const edits = starts
    .filter((start) => other.length - start >= key.length - most)
    .map((start) => editsFrom(key, other.slice(start, start + key.length + most), most))
  return Math.min(most + 1, ...edits)
}

/**
 * The fewest letters to insert, delete, replace or exchange with their neighbours until the key is a beginning of the text. This is
 * the distance of Damerau and Levenshtein (optimal string alignment), only near the diagonal, so that it takes linear time.
 */
function editsFrom(key: string, text: string, most: number): number {
  // Cells far from the diagonal stay empty.
  const cellIn = (cells: number[], j: number) => cells[j] ?? Infinity
  let beforeLast: number[] = []
  let last = Array.from({ length: text.length + 1 }, (_, j) => j)
  for (let i = 1; i <= key.length; i += 1) {
    const row = [i]
    for (let j = Math.max(1, i - most); j <= Math.min(text.length, i + most); j += 1) {
      const isSame = key[i - 1] === text[j - 1]
      const isExchanged = key[i - 1] === text[j - 2] && key[i - 2] === text[j - 1]
      row[j] = Math.min(
        cellIn(last, j) + 1,
        cellIn(row, j - 1) + 1,
        cellIn(last, j - 1) + (isSame ? 0 : 1),
        isExchanged ? cellIn(beforeLast, j - 2) + 1 : Infinity,
      )
    }
    if (row.every((edits) => edits > most)) {
      return most + 1
    }
    beforeLast = last
    last = row
  }
  return last.reduce((fewest, edits) => Math.min(fewest, edits))
}
