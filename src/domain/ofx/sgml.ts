import type { XmlHandler } from '../xml-reader.ts'

/** Elements that have a value: without one they are absent, and do not begin an aggregate. */
const VALUES = new Set([
  ...['TRNTYPE', 'DTPOSTED', 'DTUSER', 'DTAVAIL', 'DTTRAN', 'DTEXPIRE', 'TRNAMT', 'FITID'],
  ...['CORRECTFITID', 'CORRECTACTION', 'SRVRTID', 'CHECKNUM', 'REFNUM', 'SIC', 'PAYEEID'],
  ...['NAME', 'EXTDNAME', 'MEMO', 'ADDR1', 'ADDR2', 'ADDR3', 'CITY', 'STATE', 'POSTALCODE'],
  ...['COUNTRY', 'PHONE', 'CURRATE', 'CURSYM', 'CURDEF', 'BANKID', 'BRANCHID', 'ACCTID'],
  ...['ACCTTYPE', 'ACCTKEY', 'BROKERID', 'BALAMT', 'DTASOF', 'DTSTART', 'DTEND', 'TRNUID'],
  ...['CODE', 'SEVERITY', 'MESSAGE', 'DTSERVER', 'LANGUAGE', 'DTPROFUP', 'DTACCTUP', 'ORG'],
  ...['FID', 'CLTCOOKIE', 'MKTGINFO', 'INTU.BID', 'INTU.USERID', 'INTU.ORG', 'SUBACCTFUND'],
])

const FIRST_VALUE = new RegExp(`<(${[...VALUES].join('|')})>[^<]*<(/\\1>)?`, 'i')

/** Tells whether the first value has no end tag, as in SGML alone. */
export function hasOpenValues(text: string): boolean {
  const found = FIRST_VALUE.exec(text)
  return found !== null && found[2] === undefined
}

const TAG = /<(\/?)([A-Za-z][\w.-]{0,64})[ \t]{0,8}>/y
/** Matches text that could become a tag when more arrives. */
const PART_OF_TAG = /<\/?(?:[A-Za-z][\w.-]{0,64}[ \t]{0,8})?$/y
const ENTITY = /&(?:(amp|lt|gt|nbsp|quot|apos)|#([0-9]{1,6}));/gi
const CHARACTERS: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  apos: "'",
}

/** Characters of a value. */
const MAX_VALUE = 65_536
const NONE: ReadonlyMap<string, string> = new Map()

export interface SgmlOptions {
  maxDepth: number
  /** Makes the error that is thrown. Cut short is what could be the beginning of a good file. */
  refuse(reason: string, isCutShort: boolean): Error
}

/**
 * Reads the SGML of OFX 1.x that comes in pieces: a tag with text behind it has a value that ends with the line or
 * at the next tag, any other tag is an aggregate. End tags of values are not needed; those of aggregates also
 * close what is open within them. The handler gets names in capitals.
 */
export class SgmlReader {
  readonly #handler: XmlHandler
  readonly #options: SgmlOptions
  readonly #open: string[] = []
  #rest = ''
  /** The tag whose value is not known yet, and what stands behind it so far. */
  #tag: string | undefined
  #value = ''
  #isComplete = false

  constructor(handler: XmlHandler, options: SgmlOptions) {
    this.#handler = handler
    this.#options = options
  }

  push(piece: string): void {
    this.#rest += piece
    let at = 0
    let next = this.#rest.indexOf('<')
    while (next !== -1) {
      TAG.lastIndex = next
      const found = TAG.exec(this.#rest)
      PART_OF_TAG.lastIndex = next
      if (!found && PART_OF_TAG.test(this.#rest)) {
        break
      }
      // A `<` that begins no tag is a character.
      const end = next + (found ? 0 : 1)
      this.#add(this.#rest.slice(at, end))
      at = end
      if (found) {
        at += found[0].length
        this.#take((found[2] as string).toUpperCase(), found[1] === '/')
      }
      next = this.#rest.indexOf('<', at)
    }
    const keep = next === -1 ? this.#rest.length : next
    this.#add(this.#rest.slice(at, keep))
    this.#rest = this.#rest.slice(keep)
  }

  /** The root must be closed. */
  end(): void {
    if (!this.#isComplete) {
      const isCutShort = this.#open.length > 0 || this.#tag !== undefined
      throw this.#options.refuse('it holds no <OFX>', isCutShort)
    }
  }

  #add(text: string): void {
    if (this.#tag !== undefined && this.#value.length < MAX_VALUE) {
      this.#value += text
    }
  }

  #take(name: string, isEnd: boolean): void {
    if (this.#isComplete) {
      return
    }
    if (this.#tag !== undefined) {
      this.#endTag(this.#tag, isEnd && name === this.#tag)
    }
    if (isEnd) {
      this.#close(name)
      return
    }
    // Text before the root means nothing.
    if (this.#open.length > 0 || name === 'OFX') {
      this.#tag = name
    }
  }

  /** Now it is known what follows the tag. */
  #endTag(name: string, isClosed: boolean): void {
    const value = this.#valueOf(name, isClosed)
    this.#tag = undefined
    this.#value = ''
    if (value !== '' || isClosed) {
      this.#handler.open(name, NONE)
      this.#handler.close(name, value)
    } else if (!VALUES.has(name)) {
      if (this.#open.length === this.#options.maxDepth) {
        throw this.#options.refuse(
          `more than ${this.#options.maxDepth} aggregates are within each other`,
          false,
        )
      }
      this.#open.push(name)
      this.#handler.open(name, NONE)
    }
  }

  /** A value ends with its line. Some banks begin it on the line after its tag. */
  #valueOf(name: string, isClosed: boolean): string {
    const lines = this.#value.slice(0, MAX_VALUE).split(/[\r\n]/)
    const isOnNext = isClosed || VALUES.has(name)
    const line = isOnNext ? lines.find((one) => one.trim() !== '') : lines[0]
    return decoded(line ?? '').trim()
  }

  /** Closes the innermost aggregate of that name, with all that is open in it. End tags of values close none. */
  #close(name: string): void {
    const index = this.#open.lastIndexOf(name)
    if (index === -1) {
      return
    }
    for (const open of this.#open.splice(index).toReversed()) {
      this.#handler.close(open, '')
    }
    this.#isComplete = this.#open.length === 0
  }
}

/** Banks escape twice. */
function decoded(text: string): string {
  return text.includes('&') ? decodedOnce(decodedOnce(text)) : text
}

const decodedOnce = (text: string) =>
  text.replaceAll(ENTITY, (_, name: string | undefined, code: string) =>
    name === undefined
      ? String.fromCodePoint(Number(code))
      : (CHARACTERS[name.toLowerCase()] as string),
  )
