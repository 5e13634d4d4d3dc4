import type { RowErrorCode, RowWarning } from '../bank-files/source.ts'

/** A record of a CSV file: its fields without quotes and without white space around them. */
export interface CsvRecord {
  /** The first physical line, from 1. */
  line: number
  cells: string[]
  /** The quoted fields: a bit for each of the first 31, and one for all others. */
  quoted: number
  warnings: RowWarning[]
  /** A bound was reached, and text or fields were cut. */
  error?: Extract<RowErrorCode, 'tooManyFields' | 'fieldTooLong' | 'lineTooLong' | 'lastRecordCut'>
}

export interface CsvDialect {
  /** One character. */
  delimiter: string
  /** One character; empty where fields are not quoted. */
  quote: string
}

export const MAX_FIELDS = 200
export const MAX_FIELD_LENGTH = 10_000
export const MAX_LINE_LENGTH = 65_536
/** The limits within which the end of a quoted field is searched, in characters and in lines. */
const MAX_QUOTED_LENGTH = 65_536
const MAX_QUOTED_LINES = 50
/** Records of many long quoted fields end here. */
const MAX_RECORD_LENGTH = 4 * MAX_LINE_LENGTH
/** Pieces are gathered to this length, so that a record that goes on is not begun anew for each. */
const MIN_PIECE = 8_192

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9
const BACKSLASH = 92

// oxlint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

const isSpace = (code: number) => code === SPACE || code === TAB || code === 0xa0

/** Tells whether a record has characters that no text should have. */
const hasBadCharacters = (text: string) => CONTROL.test(text) || !text.isWellFormed()

/** Results of a search that found no end: more text is needed (`MORE`), or there is none (`NONE`). */
const MORE = -1
const NONE = -2

/** The length of the line end at this place, 0 where there is none; `MORE` where it may go on. */
function lineEnd(text: string, at: number, isLast: boolean): number {
  const code = text.charCodeAt(at)
  if (code === LF) {
    return 1
  }
  if (code !== CR) {
    return 0
  }
  if (at + 2 >= text.length && !isLast) {
    return MORE
  }
  const next = text.charCodeAt(at + 1)
  if (next === LF) {
    return 2
  }
  // Text that was converted twice.
  return next === CR && text.charCodeAt(at + 2) === LF ? 3 : 1
}

const isLineEnd = (code: number) => code === LF || code === CR

const trimmed = (field: string) =>
  isSpace(field.charCodeAt(0)) || isSpace(field.charCodeAt(field.length - 1)) ? field.trim() : field

function linesWithin(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; at += 1) {
    const length = lineEnd(text, at, true)
    if (length > 0) {
      lines += 1
      at += length - 1
    }
  }
  return lines
}

function addField(record: CsvRecord, field: string, isQuoted: boolean): void {
  if (record.cells.length >= MAX_FIELDS) {
    record.error ??= 'tooManyFields'
    return
  }
  if (isQuoted) {
    record.quoted |= 1 << Math.min(record.cells.length, 31)
  }
  if (field.length > MAX_FIELD_LENGTH) {
    record.error ??= 'fieldTooLong'
    record.cells.push(field.slice(0, MAX_FIELD_LENGTH))
    return
  }
  record.cells.push(field)
}

/**
 * Reads text in pieces of any length; holds no more of it than one record.
 * @param most how many records it gives at once; what follows them waits
 */
export const recordReader = (dialect: CsvDialect, max = Infinity) => new RecordReader(dialect, max)

class RecordReader {
  readonly #most: number
  readonly #delimiter: number
  readonly #quote: string
  readonly #quoteCode: number
  /** Quotes within a field, with a backslash in front of them. */
  readonly #quotes: RegExp
  #text = ''
  #line = 1
  /** The length of the text that holds no other whole record. */
  #looked = 0
  #isLast = false
  #isDirty = false
  /** The start of the physical line on which the record continues. */
  #lineStart = 0
  /** Within a line that is too long, whose rest is passed over. */
  #isSkipping = false

  constructor({ delimiter, quote }: CsvDialect, most: number) {
    this.#most = most
    this.#delimiter = delimiter.charCodeAt(0)
    this.#quote = quote
    this.#quotes = new RegExp(`(\\\\?)${quote}+`, 'g')
    this.#quoteCode = quote === '' ? NONE : quote.charCodeAt(0)
  }

  push(piece: string): CsvRecord[] {
    const isFirst = this.#line === 1 && this.#text === ''
    this.#text += isFirst && piece.startsWith('\ufeff') ? piece.slice(1) : piece
    this.#isDirty ||= hasBadCharacters(piece)
    if (this.#text.length - this.#looked < MIN_PIECE) {
      return []
    }
    const records = this.#take()
    this.#looked = this.#text.length
    return records
  }

  end(): CsvRecord[] {
    this.#isLast = true
    return this.#take()
  }

  #take(): CsvRecord[] {
    const records: CsvRecord[] = []
    let at = 0
    while (at < this.#text.length && records.length < this.#most) {
      if (this.#isSkipping) {
        const next = this.#skipLine(at)
        if (next === MORE) {
          return records
        }
        at = next
        continue
      }
      const record: CsvRecord = { line: this.#line, cells: [], quoted: 0, warnings: [] }
      const next = this.#takeRecord(record, at)
      if (next === MORE) {
        break
      }
      if (this.#isDirty && hasBadCharacters(this.#text.slice(at, next))) {
        record.warnings.push('badCharacters')
      }
      // A record without quotes is one line. The end of a line that is too long is yet to come.
      this.#line +=
        record.quoted === 0 ? Number(!this.#isSkipping) : linesWithin(this.#text, at, next)
      records.push(record)
      at = next
    }
    this.#text = this.#text.slice(at)
    return records
  }

  /** Passes over the rest of a line that is too long; answers where the next one begins, or `MORE`. */
  #skipLine(from: number): number {
    const text = this.#text
    let at = from
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) {
      at += 1
    }
    const end = at < text.length ? lineEnd(text, at, this.#isLast) : MORE
    if (end === MORE && !this.#isLast) {
      this.#text = text.slice(at)
      return MORE
    }
    this.#isSkipping = false
    this.#line += 1
    return at + Math.max(end, 0)
  }

  /** Takes the record that begins here; answers where the next one does, or `MORE`. */
  #takeRecord(record: CsvRecord, from: number): number {
    const text = this.#text
    let at = from
    this.#lineStart = from
    for (;;) {
      const begin = at
      at = this.#takeField(record, begin)
      if (at === MORE) {
        return MORE
      }
      const limit = Math.min(this.#lineStart + MAX_LINE_LENGTH, from + MAX_RECORD_LENGTH)
      if (at > limit) {
        record.error = 'lineTooLong'
        // However the pieces were cut, the same text is kept.
        const kept = text.slice(begin, Math.max(limit, begin)).slice(0, MAX_FIELD_LENGTH)
        record.cells[record.cells.length - 1] = trimmed(kept)
        this.#isSkipping = true
        return at
      }
      if (at >= text.length) {
        return this.#isLast ? at : MORE
      }
      const end = lineEnd(text, at, this.#isLast)
      if (end === MORE) {
        return MORE
      }
      if (end > 0) {
        return at + end
      }
      at += 1
    }
  }

  /** Takes one field from its first character on; answers where it ends, or `MORE`. */
  #takeField(record: CsvRecord, from: number): number {
    const text = this.#text
    let begin = from
    while (isSpace(text.charCodeAt(begin)) && text.charCodeAt(begin) !== this.#delimiter) {
      begin += 1
    }
    if (text.charCodeAt(begin) === this.#quoteCode) {
      const closing = this.#closingQuote(begin + 1)
      if (closing === MORE) {
        return MORE
      }
      if (closing !== NONE) {
        const end = this.#endOfField(closing + 1)
        const after = text.slice(closing + 1, end).trim()
        if (after !== '') {
          record.warnings.push('textAfterQuote')
        }
        addField(record, trimmed(this.#unquoted(begin + 1, closing) + after), true)
        return end
      }
      record.warnings.push('unclosedQuote')
      if (this.#isLast && text.indexOf('\n', begin) === -1 && text.indexOf('\r', begin) === -1) {
        record.error = 'lastRecordCut'
        record.warnings.push('lastRecordCut')
      }
    }
    const end = this.#endOfField(begin)
    addField(record, trimmed(text.slice(from, end)), false)
    return end
  }

  #endOfField(from: number): number {
    // Local names are read faster than fields: this runs for each character.
    const text = this.#text
    const length = text.length
    const delimiter = this.#delimiter
    for (let at = from; at < length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === delimiter || code === LF || code === CR) {
        return at
      }
    }
    return length
  }

  /**
   * Finds the quote that closes a field, from behind the opening one: neither doubled nor escaped. One on another line
   * that text follows opens a field rather than closing this one.
   */
  #closingQuote(from: number): number {
    const text = this.#text
    const quote = this.#quoteCode
    const limit = from + MAX_QUOTED_LENGTH
    let lines = 0
    let newLine = this.#lineStart
    for (let at = from; at < limit; at += 1) {
      if (at >= text.length) {
        return this.#isLast ? NONE : MORE
      }
      const code = text.charCodeAt(at)
      if (code > BACKSLASH) {
        continue
      }
      if (code === quote) {
        if (at + 1 >= text.length && !this.#isLast) {
          return MORE
        }
        const next = text.charCodeAt(at + 1)
        if (next === quote) {
          at += 1
          continue
        }
        const isClosing =
          lines === 0 || Number.isNaN(next) || this.#endsField(next) || isSpace(next)
        this.#lineStart = isClosing ? newLine : this.#lineStart
        return isClosing ? at : NONE
      }
      if (code === BACKSLASH && text.charCodeAt(at + 1) === quote) {
        let after = at + 2
        while (text.charCodeAt(after) === quote) {
          after += 1
        }
        if (after >= text.length && !this.#isLast) {
          return MORE
        }
        // Doubled quotes, and the closing one at the end of a field, make up all that follow: then none is escaped.
        const isOdd = (after - at) % 2 === 0
        const isEnd = after >= text.length || this.#endsField(text.charCodeAt(after))
        at += isOdd === isEnd ? 0 : 1
      } else if (isLineEnd(code) && !(code === LF && text.charCodeAt(at - 1) === CR)) {
        lines += 1
        newLine = at + 1
        if (lines >= MAX_QUOTED_LINES) {
          return NONE
        }
      }
    }
    return NONE
  }

  #endsField(code: number): boolean {
    return code === this.#delimiter || isLineEnd(code)
  }

  /** The text between quotes, with the quotes within it written once. */
  #unquoted(from: number, to: number): string {
    const [inner, quote] = [this.#text.slice(from, to), this.#quote]
    return inner.includes(quote)
      ? inner.replaceAll(this.#quotes, (run: string, backslash: string) => {
          const length = run.length - backslash.length
          // The first quote of an odd number is escaped.
          return (length % 2 === 1 ? '' : backslash) + quote.repeat(Math.ceil(length / 2))
        })
      : inner
  }
}
