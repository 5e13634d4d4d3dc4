import { bankFileErrors } from '../bank-files/format.ts'

// Reads tables of a database file of SQLite, by its published format: https://www.sqlite.org/fileformat.html

export type SqliteValue = string | number | null

/** A row by the names of its columns. */
export type SqliteRow = Record<string, SqliteValue>

const MAGIC = 'SQLite format 3\u0000'
const HEADER = 100
/** Types of pages. */
const [INTERIOR, LEAF] = [0x05, 0x0d]
const MAX_DEPTH = 20
/** Bytes of a row. */
const MAX_PAYLOAD = 1024 * 1024
const MAX_COLUMNS = 200
/** Characters of the statement that made a table. */
const MAX_SQL = 65_536
/** The most times that a file may be read. Reading several tables takes a few passes. */
const MOST_READ = 16
const ENCODINGS = ['utf-8', 'utf-8', 'utf-16le', 'utf-16be']
/** A name in quotes, or up to a space. */
const NAME = /^(?:["'`[]([^"'`\]]*)["'`\]]|([^\s(]*))/
/** Matches the first word of a table's constraint; anything else is a column. */
const CONSTRAINT = /^(?:constraint|primary|unique|check|foreign)\b/i

const broken = (reason: string) => bankFileErrors.malformed({ format: 'SQLite', reason })

export class SqliteFile {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #pageSize: number
  /** Bytes of a page that hold content. */
  readonly #usable: number
  readonly #decoder: TextDecoder
  /** Bytes of rows that were read so far. */
  #read = 0

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.length < HEADER || latin(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
      throw broken('it is no database')
    }
    const said = view.getUint16(16)
    const pageSize = said === 1 ? 65_536 : said
    this.#usable = pageSize - view.getUint8(20)
    const isSized = pageSize >= 512 && (pageSize & (pageSize - 1)) === 0 && this.#usable >= 480
    if (!isSized) {
      throw broken('its pages have no size')
    }
    const pages = view.getUint32(28)
    if (bytes.length < pages * pageSize) {
      throw bankFileErrors.truncated()
    }
    this.#bytes = bytes
    this.#view = view
    this.#pageSize = pageSize
    this.#decoder = new TextDecoder(ENCODINGS[view.getUint32(56)] ?? 'utf-8')
  }

  /**
   * The rows of a table, in the order of the file; none where there is no such table. A column that was added after a row
   * is null. Undefined after each part of the work that finds no row.
   */
  *rows(table: string): Generator<SqliteRow | undefined> {
    for (const record of this.#records(1)) {
      const [type, name, , root, sql] = record ?? []
      if (type === 'table' && name === table) {
        const columns = columnsIn(String(sql))
        for (const values of this.#records(Number(root))) {
          yield (
            values && Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null]))
          )
        }
        return
      }
      yield
    }
  }

  /** The records of a tree, and undefined after each of its pages, which may be there once. */
  *#records(root: number): Generator<SqliteValue[] | undefined> {
    const seen = new Set<number>()
    const open: [page: number, depth: number][] = [[root, 0]]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [page, depth] = next
      const start = this.#startOf(page, seen)
      const header = start + (page === 1 ? HEADER : 0)
      const type = this.#view.getUint8(header)
      if ((type !== LEAF && type !== INTERIOR) || depth > MAX_DEPTH) {
        throw broken('a page is no part of a table')
      }
      const count = this.#view.getUint16(header + 3)
      const pointers = header + (type === LEAF ? 8 : 12)
      if (pointers + 2 * count > start + this.#usable) {
        throw broken('a page has too many cells')
      }
      const cells = Array.from(
        { length: count },
        (_, at) => start + this.#view.getUint16(pointers + 2 * at),
      )
      if (type === LEAF) {
        for (const cell of cells) {
          yield this.#recordAt(cell, start + this.#usable)
        }
      } else {
        const children = cells.map((cell) => this.#pageAt(cell, start + this.#usable))
        children.push(this.#view.getUint32(header + 8))
        open.push(...children.toReversed().map((child): [number, number] => [child, depth + 1]))
      }
      yield
    }
  }

  #startOf(page: number, seen: Set<number>): number {
    const start = (page - 1) * this.#pageSize
    if (page < 1 || start + this.#pageSize > this.#bytes.length) {
      throw broken('a page is not there')
    }
    if (seen.has(page)) {
      throw broken('a page is there twice')
    }
    seen.add(page)
    return start
  }

  #pageAt(at: number, end: number): number {
    if (at + 4 > end) {
      throw broken('a cell leaves its page')
    }
    return this.#view.getUint32(at)
  }

  #recordAt(cell: number, end: number): SqliteValue[] {
    const [length, afterLength] = this.#varint(cell, end)
    const [, begin] = this.#varint(afterLength, end)
    this.#read += length
    // Cells of a page may overlap, and share what they go on with.
    if (length > MAX_PAYLOAD || this.#read > MOST_READ * this.#bytes.length) {
      throw broken('its rows are too long')
    }
    const here = this.#localOf(length)
    if (begin + here > end) {
      throw broken('a cell leaves its page')
    }
    if (here === length) {
      return this.#valuesOf(this.#bytes.subarray(begin, begin + length))
    }
    const payload = new Uint8Array(length)
    payload.set(this.#bytes.subarray(begin, begin + here))
    this.#readOverflow(payload, here, this.#pageAt(begin + here, end))
    return this.#valuesOf(payload)
  }

  /** Returns the bytes of a payload that are on the page of its cell. */
  #localOf(length: number): number {
    const most = this.#usable - 35
    if (length <= most) {
      return length
    }
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23
    const here = least + ((length - least) % (this.#usable - 4))
    return here <= most ? here : least
  }

  /** The rest of a payload, from pages that are linked. */
  #readOverflow(payload: Uint8Array, from: number, first: number): void {
    const seen = new Set<number>()
    let page = first
    for (let at = from; at < payload.length; at += this.#usable - 4) {
      const start = this.#startOf(page, seen)
      const some = this.#bytes.subarray(start + 4, start + this.#usable)
      payload.set(some.subarray(0, payload.length - at), at)
      page = this.#view.getUint32(start)
    }
  }

  #valuesOf(payload: Uint8Array): SqliteValue[] {
    const [headerLength, first] = varintIn(payload, 0, payload.length)
    const values: SqliteValue[] = []
    let body = headerLength
    for (let at = first; at < headerLength && values.length < MAX_COLUMNS;) {
      const [type, next] = varintIn(payload, at, payload.length)
      const size = sizeOf(type)
      if (body + size > payload.length) {
        throw broken('a value leaves its row')
      }
      values.push(this.#valueOf(type, payload.subarray(body, body + size)))
      body += size
      at = next
    }
    return values
  }

  #valueOf(type: number, bytes: Uint8Array): SqliteValue {
    if (type >= 13 && type % 2 === 1) {
      return this.#decoder.decode(bytes)
    }
    if (type === 8 || type === 9) {
      return type - 8
    }
    if (type === 7) {
      return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0)
    }
    return type >= 1 && type <= 6 ? integerIn(bytes) : null
  }

  #varint(at: number, end: number): [value: number, next: number] {
    return varintIn(this.#bytes, at, end)
  }
}

const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes)

/** Bytes of the values that are not texts or blobs, by their type. */
const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0]

const sizeOf = (type: number): number => SIZES[type] ?? (type - 12 - (type % 2)) / 2

/** Up to nine bytes with seven bits each, but eight in the last. What is no safe number is too large for anything here. */
function varintIn(bytes: Uint8Array, from: number, end: number): [value: number, next: number] {
  let value = 0
  for (let at = from; at < Math.min(end, from + 9); at += 1) {
    const byte = bytes[at] as number
    if (at === from + 8) {
      return [value * 256 + byte, at + 1]
    }
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      return [value, at + 1]
    }
  }
  throw broken('a number leaves its page')
}

/** Two's complement, the first byte first. */
const integerIn = (bytes: Uint8Array): number => {
  const unsigned = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return Number(BigInt.asIntN(8 * bytes.length, unsigned))
}

/** The names of a table's columns, in order, of the statement that made it. */
function columnsIn(sql: string): string[] {
  const names: string[] = []
  let depth = 0
  let part = ''
  for (const [token] of sql
    .slice(0, MAX_SQL)
    .matchAll(/"[^"]*"|'[^']*'|`[^`]*`|[(),]|[^"'`(),]+|["'`]/g)) {
    depth += token === '(' ? 1 : token === ')' ? -1 : 0
    const isEnd = (depth === 1 && token === ',') || (depth === 0 && token === ')')
    if (isEnd) {
      names.push(...nameOf(part))
      part = ''
    } else if (depth > 0 && !(depth === 1 && token === '(')) {
      part += token
    }
  }
  return names
}

function nameOf(definition: string): string[] {
  const text = definition.trim()
  const [, quoted, plain] = NAME.exec(text) as RegExpExecArray
  return CONSTRAINT.test(text) ? [] : [quoted ?? (plain as string)]
}
