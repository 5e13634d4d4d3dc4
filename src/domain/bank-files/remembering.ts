const MAX_REMEMBERED = 4_000

/** The same function, which remembers its last few thousand results: for cells that come again and again. */
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
