const MAX_REMEMBERED = 4_000

/** Wraps a function so that it remembers its last few thousand results, for cells that occur often. */
export function remembering<Result>(find: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    if (known.has(text)) {
      return known.get(text) as Result
    }
    if (known.size >= MAX_REMEMBERED) {
      known.clear()
    }
    const found = find(text)
    known.set(text, found)
    return found
  }
}
