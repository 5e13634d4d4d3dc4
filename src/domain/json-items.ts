/** Called with each item of an array, and of each other value, with the names that lead to it. */
export type TakeJson = (path: string, value: unknown) => void

export interface JsonItemsOptions {
  /** Names of objects that are looked into, as the root is. */
  wrappers: readonly string[]
  take: TakeJson
  /** Makes the error that is thrown. Cut short is what could be the beginning of a good document. */
  refuse(reason: string, isCutShort: boolean): Error
}

/** Characters of one item. */
const MAX_ITEM = 1024 * 1024
/** Objects and arrays within each other. */
const MAX_DEPTH = 64

const SPACES = /[ \t\r\n]*/y
const OUTSIDE = /["{}[\]]/g
const INSIDE = /["\\]/g
const SCALAR_END = /[ \t\r\n,\]}]/g

interface Container {
  kind: 'object' | 'array'
  path: string
}

/**
 * Reads an object of JSON that comes in pieces: the items of its arrays, one by one, so that no more than one is in
 * memory. What an item is, `JSON.parse` says.
 */
export class JsonItems {
  readonly #options: JsonItemsOptions
  readonly #open: Container[] = []
  #rest = ''
  #at = 0
  #key = ''
  #expects: 'value' | 'item' | 'key' | 'name' | 'colon' | 'comma' | 'nothing' = 'value'
  /** The progress of the scan through the present value. */
  #scan: { at: number; depth: number; isInText: boolean } | undefined

  constructor(options: JsonItemsOptions) {
    this.#options = options
  }

  push(piece: string): void {
    this.#rest += piece
    while (this.#skipSpaces() && this.#step()) {
      // Each step moves on.
    }
    this.#rest = this.#rest.slice(this.#at)
    if (this.#scan) {
      this.#scan.at -= this.#at
    }
    this.#at = 0
    if (this.#rest.length > MAX_ITEM) {
      throw this.#options.refuse('a value is too long', false)
    }
  }

  /** The document must be complete. */
  end(): void {
    if (this.#expects !== 'nothing') {
      throw this.#options.refuse('it does not end', true)
    }
  }

  #skipSpaces(): boolean {
    if (this.#scan === undefined) {
      SPACES.lastIndex = this.#at
      SPACES.test(this.#rest)
      this.#at = SPACES.lastIndex
    }
    return this.#at < this.#rest.length
  }

  /** True if a complete token was there, and it is read. */
  #step(): boolean {
    const letter = this.#rest[this.#at] as string
    if (this.#expects === 'nothing') {
      throw this.#malformed()
    }
    if (this.#expects === 'colon') {
      return this.#punctuation(letter === ':', 'value')
    }
    if (this.#expects === 'comma') {
      return this.#comma(letter)
    }
    const isName = this.#expects === 'key' || this.#expects === 'name'
    return isName ? this.#name(letter) : this.#value(letter)
  }

  #punctuation(isGood: boolean, next: 'value' | 'item' | 'name'): boolean {
    if (!isGood) {
      throw this.#malformed()
    }
    this.#at += 1
    this.#expects = next
    return true
  }

  #comma(letter: string): boolean {
    const { kind } = this.#open.at(-1) as Container
    if (letter === (kind === 'array' ? ']' : '}')) {
      return this.#closed()
    }
    return this.#punctuation(letter === ',', kind === 'array' ? 'value' : 'name')
  }

  #closed(): boolean {
    this.#at += 1
    this.#open.pop()
    this.#expects = this.#open.length === 0 ? 'nothing' : 'comma'
    return true
  }

  #name(letter: string): boolean {
    if (letter === '}' && this.#expects === 'key') {
      return this.#closed()
    }
    if (letter !== '"') {
      throw this.#malformed()
    }
    const name = this.#whole(letter)
    if (name === undefined) {
      return false
    }
    this.#key = String(this.#parsed(name))
    this.#expects = 'colon'
    return true
  }

  #value(letter: string): boolean {
    const container = this.#open.at(-1)
    const path = this.#path(container)
    if (container === undefined || container.kind === 'object') {
      const isLookedInto = container === undefined || this.#options.wrappers.includes(this.#key)
      if (letter === '{' && isLookedInto) {
        return this.#opened({ kind: 'object', path })
      }
      if (container === undefined) {
        throw this.#malformed()
      }
      if (letter === '[') {
        return this.#opened({ kind: 'array', path })
      }
    } else if (letter === ']' && this.#expects === 'item') {
      return this.#closed()
    }
    const written = this.#whole(letter)
    if (written === undefined) {
      return false
    }
    this.#options.take(path, this.#parsed(written))
    this.#expects = 'comma'
    return true
  }

  #path(container: Container | undefined): string {
    if (container === undefined || container.kind === 'array') {
      return container?.path ?? ''
    }
    return container.path === '' ? this.#key : `${container.path}.${this.#key}`
  }

  #opened(container: Container): boolean {
    this.#at += 1
    this.#open.push(container)
    this.#requireDepth(this.#open.length)
    this.#expects = container.kind === 'array' ? 'item' : 'key'
    return true
  }

  /** The text of the value that begins here, if it is all there. */
  #whole(letter: string): string | undefined {
    const end = '"{['.includes(letter) ? this.#endOfNested() : this.#endOfScalar()
    if (end === -1) {
      return undefined
    }
    const written = this.#rest.slice(this.#at, end)
    this.#at = end
    this.#scan = undefined
    return written
  }

  #endOfScalar(): number {
    SCALAR_END.lastIndex = this.#at
    return SCALAR_END.exec(this.#rest)?.index ?? -1
  }

  /** Goes on where it ended when there was no more. */
  #endOfNested(): number {
    const scan = (this.#scan ??= { at: this.#at, depth: 0, isInText: false })
    for (;;) {
      const pattern = scan.isInText ? INSIDE : OUTSIDE
      pattern.lastIndex = scan.at
      const found = pattern.exec(this.#rest)
      if (!found) {
        scan.at = Math.max(scan.at, this.#rest.length)
        return -1
      }
      const [letter] = found
      // The character after a backslash may not have arrived yet.
      scan.at = found.index + (letter === '\\' ? 2 : 1)
      if (letter === '"') {
        scan.isInText = !scan.isInText
      } else if (letter === '{' || letter === '[') {
        scan.depth += 1
        this.#requireDepth(this.#open.length + scan.depth)
      } else if (letter !== '\\') {
        scan.depth -= 1
      }
      if (scan.depth <= 0 && !scan.isInText) {
        return scan.at
      }
    }
  }

  #requireDepth(depth: number): void {
    if (depth > MAX_DEPTH) {
      throw this.#options.refuse(`more than ${MAX_DEPTH} values are within each other`, false)
    }
  }

  #parsed(written: string): unknown {
    try {
      return JSON.parse(written)
    } catch {
      throw this.#malformed()
    }
  }

  #malformed(): Error {
    return this.#options.refuse('it is no JSON', false)
  }
}
