/** The most entries in one part. */
const PART_ENTRIES = 50_000

/**
 * A map of very many entries, for what asks, adds and seldom deletes. A `Map` is copied as a whole whenever it has to grow, which takes
 * a tenth of a second and more beyond a hundred thousand entries, and nothing can be done meanwhile. This one grows by parts.
 */
export class LargeMap<Key, Value> {
  readonly #full: Map<Key, Value>[] = []
  #open = new Map<Key, Value>()

  get size(): number {
    return this.#full.reduce((sum, part) => sum + part.size, this.#open.size)
  }

  has(key: Key): boolean {
    return this.#partWith(key) !== undefined
  }

  get(key: Key): Value | undefined {
    return this.#partWith(key)?.get(key)
  }

  set(key: Key, value: Value): void {
    const known = this.#partWith(key)
    if (known === undefined && this.#open.size === PART_ENTRIES) {
      this.#full.push(this.#open)
      this.#open = new Map()
    }
    const part = known ?? this.#open
    part.set(key, value)
  }

  delete(key: Key): void {
    this.#partWith(key)?.delete(key)
  }

  /** In the order in which their keys came. */
  *values(): Generator<Value> {
    for (const part of [...this.#full, this.#open]) {
      yield* part.values()
    }
  }

  *keys(): Generator<Key> {
    for (const part of [...this.#full, this.#open]) {
      yield* part.keys()
    }
  }

  #partWith(key: Key): Map<Key, Value> | undefined {
    return this.#open.has(key) ? this.#open : this.#full.find((part) => part.has(key))
  }
}

/** A set of very many items, which grows in the same way. */
export class LargeSet<Item> {
  readonly #items = new LargeMap<Item, true>()

  get size(): number {
    return this.#items.size
  }

  has(item: Item): boolean {
    return this.#items.has(item)
  }

  add(item: Item): void {
    this.#items.set(item, true)
  }

  /** In the order in which they came. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#items.keys()
  }
}
