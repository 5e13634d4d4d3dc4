import type { RowErrorCode, RowWarning } from '../bank-files/source.ts'

/** A record of a CSV file: its fields without quotes and without white space around them. */
export interface CsvRecord {
  /** The first physical line, from 1. */
  line: number
  cells: string[]
  /** Which fields are quoted: a bit for each of the first 31, and one for all others. */
  quoted: number
  warnings: RowWarning[]
  /** A bound was reached, and text or fields were cut. */
  error?: Extract<RowErrorCode, 'tooManyFields' | 'fieldTooLong' | 'lineTooLong' | 'lastRecordCut'>
}

export interface Dialect {
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
const MIN_PIECE = 16_384

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

/** What is found from a place on: where it ends, or that more text is needed to tell. */
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

/** Reads text in pieces of any length; holds no more of it than one record. */
export function recordReader({ delimiter, quote }: Dialect) {
  const delimiterCode = delimiter.charCodeAt(0)
  const quoteCode = quote === '' ? NONE : quote.charCodeAt(0)
  let text = ''
  let line = 1
  let looked = 0
  let isLast = false
  let isDirty = false
  /** Where the physical line begins in which the record goes on. */
  let lineStart = 0
  /** Within a line that is too long, whose rest is passed over. */
  let isSkipping = false

  const isLineEnd = (code: number) => code === LF || code === CR
  const endsField = (code: number) => code === delimiterCode || isLineEnd(code)

  /**
   * Finds the quote that closes a field, from behind the opening one: neither doubled nor escaped. One on another line
   * that text follows opens a field rather than closing this one.
   */
  function closingQuote(from: number): number {
    const source = text
    const limit = from + MAX_QUOTED_LENGTH
    let lines = 0
    let newLine = lineStart
    for (let at = from; at < limit; at += 1) {
      if (at >= source.length) {
        return isLast ? NONE : MORE
      }
      const code = source.charCodeAt(at)
      if (code > BACKSLASH) {
        continue
      }
      if (code === quoteCode) {
        if (at + 1 >= text.length && !isLast) {
          return MORE
        }
        const next = text.charCodeAt(at + 1)
        if (next === quoteCode) {
          at += 1
          continue
        }
        const isClosing = lines === 0 || Number.isNaN(next) || endsField(next) || isSpace(next)
        lineStart = isClosing ? newLine : lineStart
        return isClosing ? at : NONE
      }
      if (code === BACKSLASH && text.charCodeAt(at + 1) === quoteCode) {
        const after = text.charCodeAt(at + 2)
        at += Number.isNaN(after) || endsField(after) ? 0 : 1
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

  /** The text between quotes, with the quotes within it written once. */
  function unquoted(from: number, to: number): string {
    const inner = text.slice(from, to)
    return inner.includes(quote)
      ? inner.replaceAll(quote + quote, quote).replaceAll(`\\${quote}`, quote)
      : inner
  }

  const trimmed = (field: string) =>
    isSpace(field.charCodeAt(0)) || isSpace(field.charCodeAt(field.length - 1))
      ? field.trim()
      : field

  function add(record: CsvRecord, field: string, isQuoted: boolean) {
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

  function endOfField(from: number): number {
    // Names of its own are read faster than those of the surrounding function: this runs for each character.
    const source = text
    const length = source.length
    const end = delimiterCode
    for (let at = from; at < length; at += 1) {
      const code = source.charCodeAt(at)
      if (code === end || code === LF || code === CR) {
        return at
      }
    }
    return length
  }

  /** Takes one field from its first character on; answers where it ends, or `MORE`. */
  function takeField(record: CsvRecord, from: number): number {
    let begin = from
    while (isSpace(text.charCodeAt(begin)) && text.charCodeAt(begin) !== delimiterCode) {
      begin += 1
    }
    if (text.charCodeAt(begin) === quoteCode) {
      const closing = closingQuote(begin + 1)
      if (closing === MORE) {
        return MORE
      }
      if (closing !== NONE) {
        const end = endOfField(closing + 1)
        const after = text.slice(closing + 1, end).trim()
        if (after !== '') {
          record.warnings.push('textAfterQuote')
        }
        add(record, trimmed(unquoted(begin + 1, closing) + after), true)
        return end
      }
      record.warnings.push('unclosedQuote')
      if (isLast && text.indexOf('\n', begin) === -1 && text.indexOf('\r', begin) === -1) {
        record.error = 'lastRecordCut'
        record.warnings.push('lastRecordCut')
      }
    }
    const end = endOfField(begin)
    add(record, trimmed(text.slice(from, end)), false)
    return end
  }

  const linesWithin = (from: number, to: number) => {
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

  /** Takes the record that begins here; answers where the next one does, or `MORE`. */
  function takeRecord(record: CsvRecord, from: number): number {
    let at = from
    lineStart = from
    for (;;) {
      const begin = at
      at = takeField(record, begin)
      if (at === MORE) {
        return MORE
      }
      const limit = Math.min(lineStart + MAX_LINE_LENGTH, from + MAX_RECORD_LENGTH)
      if (at > limit) {
        record.error = 'lineTooLong'
        // However the pieces were cut, the same text is kept.
        const kept = text.slice(begin, Math.max(limit, begin)).slice(0, MAX_FIELD_LENGTH)
        record.cells[record.cells.length - 1] = trimmed(kept)
        isSkipping = true
        return at
      }
      if (at >= text.length) {
        return isLast ? at : MORE
      }
      const end = lineEnd(text, at, isLast)
      if (end === MORE) {
        return MORE
      }
      if (end > 0) {
        return at + end
      }
      at += 1
    }
  }

  /** Passes over the rest of a line that is too long; answers where the next one begins, or `MORE`. */
  function skipLine(from: number): number {
    let at = from
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) {
      at += 1
    }
    const end = at < text.length ? lineEnd(text, at, isLast) : MORE
    if (end === MORE && !isLast) {
      text = text.slice(at)
      return MORE
    }
    isSkipping = false
    line += 1
    return at + Math.max(end, 0)
  }

  function take(): CsvRecord[] {
    const records: CsvRecord[] = []
    let at = 0
    while (at < text.length) {
      if (isSkipping) {
        const next = skipLine(at)
        if (next === MORE) {
          return records
        }
        at = next
        continue
      }
      const record: CsvRecord = { line, cells: [], quoted: 0, warnings: [] }
      const next = takeRecord(record, at)
      if (next === MORE) {
        break
      }
      if (isDirty && hasBadCharacters(text.slice(at, next))) {
        record.warnings.push('badCharacters')
      }
      // A record without quotes is one line. The end of a line that is too long is yet to come.
      line += record.quoted === 0 ? Number(!isSkipping) : linesWithin(at, next)
      records.push(record)
      at = next
    }
    text = text.slice(at)
    return records
  }

  return {
    push(piece: string): CsvRecord[] {
      const isFirst = line === 1 && text === ''
      text += isFirst && piece.startsWith('\ufeff') ? piece.slice(1) : piece
      isDirty ||= hasBadCharacters(piece)
      if (text.length - looked < MIN_PIECE) {
        return []
      }
      const records = take()
      looked = text.length
      return records
    },
    end(): CsvRecord[] {
      isLast = true
      return take()
    },
  }
}
