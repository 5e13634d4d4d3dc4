/** Words that banks write where there is no reference. */
const NO_IDS = new Set(['', 'NOTPROVIDED', 'NONREF', 'NOREF'])

export const isBankId = (text: string) => !NO_IDS.has(text.toUpperCase())

/**
 * Tells ids of banks that name one booking from references that several have. That is known only of a whole file,
 * so the survey collects the repeated ones, and passes them to the reading.
 */
export class BankIds {
  /** Hashes: parts of a text would keep all of it in memory. Two ids with one hash would only cost their trust. */
  readonly #seen = new Set<number>()
  readonly #repeated: Set<string>
  readonly #isSurvey: boolean

  constructor(repeated?: readonly string[]) {
    this.#repeated = new Set(repeated)
    this.#isSurvey = repeated === undefined
  }

  /**
   * The first of the ids of one booking that no other booking has, the best first.
   *
   * @param scope ids may come again in another one
   */
  choose(candidates: readonly (string | undefined)[], scope = ''): string | undefined {
    const ids = candidates.filter((id) => id !== undefined).filter(isBankId)
    if (this.#isSurvey) {
      for (const id of new Set(ids)) {
        this.#note(id, scope)
      }
    }
    return ids.find((id) => !this.#repeated.has(id))
  }

  #note(id: string, scope: string): void {
    const hash = hashOf(scope + id)
    if (this.#seen.has(hash)) {
      this.#repeated.add(id)
    }
    this.#seen.add(hash)
  }

  /** From here on, the ids so far may come again. */
  startScope(): void {
    this.#seen.clear()
  }

  repeated(): string[] {
    return [...this.#repeated]
  }
}

/** 53 bits, as cyrb53 mixes them (public domain). */
export function hashOf(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}
