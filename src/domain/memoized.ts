/** The same function, which finds the result for each key only once. It lives as long as what it was made for. */
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
