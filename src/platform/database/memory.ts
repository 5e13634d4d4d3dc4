/**
 * The values that an isolate remembers between requests; the oldest is forgotten first. It may hold only values that
 * every use proves again: a token's times and session, an account and the meaning of a payee text, which the commit
 * asserts.
 */
export class Memory<Value> {
  readonly #values = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: Value): void {
    const [oldest] = this.#values.size >= this.#most ? this.#values.keys() : []
    if (oldest !== undefined && !this.#values.has(key)) {
      this.#values.delete(oldest)
    }
    this.#values.set(key, value)
  }

  forget(key: string): void {
    this.#values.delete(key)
  }
}
