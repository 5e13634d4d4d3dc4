/** Called with what a document holds, in its order. */
export interface XmlHandler {
  /** Names are as they are written, prefix included. */
  open(name: string, attributes: ReadonlyMap<string, string>): void
  /** The text is that of an element without children, and else empty. */
  close(name: string, text: string): void
}

export interface XmlOptions {
  maxDepth: number
  maxAttributes?: number
  /** Characters of a text, or of the value of an attribute. */
  maxText?: number
  /** The only encoding that the declaration may name, in small letters. The text is decoded, so others do no harm. */
  encoding?: string
  /** The one processing instruction that may stand before the root. An asterisk stands for all. */
  instruction?: string
  /** Makes the error that is thrown. Cut short is what could be the beginning of a good document. */
  refuse(reason: string, isCutShort: boolean): Error
}

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const VALUE = `"[^"<]*"|'[^'<]*'`
const SPACE = '[ \\t\\r\\n]'

// Each is tried at one place only, and no two of its parts match the same text: linear time.
const DECLARATION = new RegExp(
  `<\\?xml${SPACE}+version${SPACE}*=${SPACE}*(?:"1\\.0"|'1\\.0')` +
    `(?:${SPACE}+encoding${SPACE}*=${SPACE}*(?:"([\\w.-]+)"|'([\\w.-]+)'))?` +
    `(?:${SPACE}+standalone${SPACE}*=${SPACE}*(?:"(?:yes|no)"|'(?:yes|no)'))?${SPACE}*\\?>`,
  'iy',
)
const COMMENT = /<!--(?:[^-]|-[^-])*-->/y
const CDATA = /<!\[CDATA\[((?:[^\]]|\](?!\]>))*)\]\]>/y
const INSTRUCTION = /<\?(?!xml[ \t\r\n?])([A-Za-z][\w.-]*)(?:[ \t\r\n][^?<]*)?\?>/iy
const OPENING = new RegExp(
  `<(${NAME})((?:${SPACE}+${NAME}${SPACE}*=${SPACE}*(?:${VALUE}))*)${SPACE}*(/?)>`,
  'y',
)
const CLOSING = new RegExp(`</(${NAME})${SPACE}*>`, 'y')
const ATTRIBUTE = new RegExp(`(${NAME})${SPACE}*=${SPACE}*(${VALUE})`, 'g')
const REFERENCE = /&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));|&/g
const NOT_BLANK = /[^ \t\r\n]/

/** Characters that no XML document may hold (XML 1.0, production 2), without the halves of characters. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Characters of one tag, comment or text. */
const MAX_TOKEN = 65_536
const NONE: ReadonlyMap<string, string> = new Map()

/**
 * Reads a document of XML 1.0 that comes in pieces: elements, attributes, text, CDATA, comments, the five entities
 * and references to characters. All else is refused, well-formed or not: document types (and so entities and what
 * they expand to), processing instructions, names beyond ASCII. Namespaces are not resolved.
 */
export class XmlReader {
  readonly #handler: XmlHandler
  readonly #options: XmlOptions
  readonly #open: string[] = []
  #rest = ''
  #at = 0
  #text = ''
  /** True if the innermost element has no child so far. */
  #isLeaf = false
  #state: 'start' | 'prolog' | 'root' | 'end' = 'start'

  constructor(handler: XmlHandler, options: XmlOptions) {
    this.#handler = handler
    this.#options = options
  }

  /** The error of `refuse` is thrown as soon as the document cannot be a good one any more, or soon after. */
  push(piece: string): void {
    if (FORBIDDEN.test(piece)) {
      throw this.#refused('it has control characters')
    }
    this.#rest += piece
    while (this.#at < this.#rest.length && this.#token()) {
      // Each token moves on.
    }
    this.#rest = this.#rest.slice(this.#at)
    this.#at = 0
    if (this.#rest.length > MAX_TOKEN) {
      throw this.#refused('a tag or a text does not end')
    }
  }

  /** The document must be complete. */
  end(): void {
    const isBlank = !NOT_BLANK.test(this.#rest)
    if (this.#state !== 'end' || !isBlank) {
      throw this.#options.refuse('it does not end', isBlank || !this.#rest.includes('>'))
    }
  }

  /** True if there was a whole token, and it is read. */
  #token(): boolean {
    if (this.#rest.charCodeAt(this.#at) !== 60) {
      return this.#characters()
    }
    const second = this.#rest[this.#at + 1]
    if (second === '/') {
      return this.#closing()
    }
    if (second === '!' || second === '?') {
      return this.#markup()
    }
    return this.#opening()
  }

  #characters(): boolean {
    const end = this.#rest.indexOf('<', this.#at)
    if (end === -1) {
      return false
    }
    const written = this.#rest.slice(this.#at, end)
    if (written.includes(']]>')) {
      throw this.#refused('a text holds the end of CDATA')
    }
    this.#add(this.#decoded(written))
    this.#at = end
    return true
  }

  #add(text: string): void {
    if (this.#state !== 'root') {
      if (NOT_BLANK.test(text)) {
        throw this.#refused('there is text outside of its root')
      }
      // A declaration stands at the very beginning.
      this.#state = this.#state === 'start' ? 'prolog' : this.#state
      return
    }
    this.#text += text
    this.#mustBeShort(this.#text)
  }

  #opening(): boolean {
    const found = this.#take(OPENING)
    if (!found) {
      return false
    }
    const [, name, written, slash] = found as unknown as [string, string, string, string]
    if (this.#state === 'end') {
      throw this.#refused('it has more than one root')
    }
    if (this.#open.length === this.#options.maxDepth) {
      throw this.#refused(`more than ${this.#options.maxDepth} elements are within each other`)
    }
    this.#state = 'root'
    this.#open.push(name)
    this.#isLeaf = true
    this.#text = ''
    this.#handler.open(name, written === '' ? NONE : this.#attributesOf(written))
    if (slash !== '') {
      this.#close(name)
    }
    return true
  }

  #attributesOf(written: string): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>()
    for (const found of written.matchAll(ATTRIBUTE)) {
      const [, key, value] = found as unknown as [string, string, string]
      if (attributes.has(key) || attributes.size === this.#options.maxAttributes) {
        throw this.#refused('an element has an attribute twice, or too many')
      }
      const text = this.#decoded(value.slice(1, -1))
      this.#mustBeShort(text)
      attributes.set(key, text)
    }
    return attributes
  }

  #closing(): boolean {
    const found = this.#take(CLOSING)
    if (!found) {
      return false
    }
    const [, name] = found as unknown as [string, string]
    if (name !== this.#open.at(-1)) {
      throw this.#refused('an end tag has no start tag')
    }
    this.#close(name)
    return true
  }

  #close(name: string): void {
    this.#open.pop()
    this.#state = this.#open.length === 0 ? 'end' : 'root'
    const text = this.#isLeaf ? this.#text : ''
    this.#isLeaf = false
    this.#text = ''
    this.#handler.close(name, text)
  }

  /** Comments, CDATA, the declaration, and instructions. */
  #markup(): boolean {
    if (this.#rest.startsWith('<!D', this.#at)) {
      throw this.#refused('it has a document type')
    }
    const declaration = this.#state === 'start' ? this.#take(DECLARATION) : null
    if (declaration) {
      this.#checkEncoding((declaration[1] ?? declaration[2])?.toLowerCase())
      this.#state = 'prolog'
      return true
    }
    if (this.#take(COMMENT)) {
      this.#state = this.#state === 'start' ? 'prolog' : this.#state
      return true
    }
    const instruction = this.#take(INSTRUCTION)
    if (instruction) {
      const isInProlog = this.#state === 'start' || this.#state === 'prolog'
      const { instruction: allowed } = this.#options
      if (!isInProlog || (allowed !== '*' && instruction[1] !== allowed)) {
        throw this.#refused('it has a processing instruction')
      }
      return true
    }
    const data = this.#state === 'root' ? this.#take(CDATA) : null
    if (data) {
      this.#add(data[1] as string)
    }
    return data !== null
  }

  #checkEncoding(named: string | undefined): void {
    const { encoding } = this.#options
    if (encoding !== undefined && named !== undefined && named !== encoding) {
      throw this.#refused('it has another encoding')
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#rest)
    if (found) {
      this.#at += found[0].length
    }
    return found
  }

  #decoded(written: string): string {
    const text = written.includes('\r') ? written.replaceAll(/\r\n?/g, '\n') : written
    if (!text.includes('&')) {
      return text
    }
    return text.replaceAll(REFERENCE, (_, decimal: string, hex: string, name: string) => {
      if (name !== undefined) {
        return ENTITIES[name] as string
      }
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      const character = isCharacter(code) ? String.fromCodePoint(code) : '\u0000'
      if (FORBIDDEN.test(character)) {
        throw this.#refused('it has an unknown entity or a bare "&"')
      }
      return character
    })
  }

  #mustBeShort(text: string): void {
    const { maxText = MAX_TOKEN } = this.#options
    if (text.length > maxText) {
      throw this.#refused(`a text has more than ${maxText} characters`)
    }
  }

  #refused(reason: string): Error {
    return this.#options.refuse(reason, false)
  }
}

/** True if a character has that number and is not half of a pair; false for NaN. */
const isCharacter = (code: number) => code <= 0xd7ff || (code >= 0xe000 && code <= 0x10ffff)
