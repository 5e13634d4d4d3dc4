/** Returns the same function with a memory: it finds the result for each key only once, for as long as it lives. */
export function memoized<Key, Result>(find: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) {
      return found
    }
    const made = find(key)
    known.set(key, made)
    return made
  }
}

const MAX_REMEMBERED = 4_000

/** Wraps a function so that it remembers its last few thousand results, for cells and days that occur often. */
export function remembering<Result, Key = string>(
  find: (key: Key) => Result,
): (key: Key) => Result {
  const known = new Map<Key, Result>()
  return (key) => {
    const remembered = known.get(key)
    if (remembered !== undefined || known.has(key)) {
      return remembered as Result
    }
    if (known.size >= MAX_REMEMBERED) {
      known.clear()
    }
    const found = find(key)
    known.set(key, found)
    return found
  }
}

/** Makes something at its first use: tables that few requests need do not hold up the start. */
export function lazily<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
