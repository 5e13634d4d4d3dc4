import { type Line, LineCutter } from '../bank-files/lines.ts'

/** A field: its letter, and what stands behind it. */
export interface QifField {
  code: string
  text: string
}

/** The text between two `^`. */
export interface QifRecord {
  /** The first physical line. */
  line: number
  /** The section in small letters, such as `bank` or `account`. */
  section: string
  fields: QifField[]
  /** Set if the file ended within the record; `text` if it ended within a line. */
  cut?: 'record' | 'text'
}

/** A record, or a header such as `!Option:AutoSwitch` in small letters. */
export type QifToken = { is: 'header'; header: string } | { is: 'record'; record: QifRecord }

/** Fields of one record that are kept. */
const MAX_FIELDS = 5_000

/** Divides a file into headers and records; what stands before the first header is passed over. */
export class QifRecords {
  readonly #lines = new LineCutter()
  #section: string | undefined
  #fields: QifField[] = []
  #line = 0

  push(text: string): QifToken[] {
    return this.#lines.push(text).flatMap((line) => this.#take(line))
  }

  end(): QifToken[] {
    const last = this.#lines.end()
    const tokens = last.flatMap((line) => this.#take(line))
    return [...tokens, ...this.#end(last.length > 0 ? 'text' : 'record')]
  }

  get hasHeader(): boolean {
    return this.#section !== undefined
  }

  #take({ number, text }: Line): QifToken[] {
    const line = text.trim()
    if (line.startsWith('!')) {
      const done = this.#end()
      const header = line.slice(1).toLowerCase()
      const section = /^(?:type:(.*)|(account))/.exec(header)
      this.#section = section?.[1]?.trim() ?? section?.[2] ?? this.#section ?? ''
      return [...done, { is: 'header', header }]
    }
    if (this.#section === undefined || line === '') {
      return []
    }
    if (line === '^') {
      return this.#end()
    }
    if (this.#fields.length === 0) {
      this.#line = number
    }
    if (this.#fields.length < MAX_FIELDS) {
      this.#fields.push({ code: line.slice(0, 1), text: line.slice(1).trim() })
    }
    return []
  }

  #end(cut?: 'record' | 'text'): QifToken[] {
    const fields = this.#fields
    if (fields.length === 0) {
      return []
    }
    this.#fields = []
    const record: QifRecord = { line: this.#line, section: this.#section as string, fields }
    if (cut !== undefined) {
      record.cut = cut
    }
    return [{ is: 'record', record }]
  }
}

/** Returns the text of the first field with this letter, or an empty text. */
export const qifField = ({ fields }: QifRecord, code: string): string =>
  fields.find((field) => field.code === code)?.text ?? ''

/** Dates with spaces for zeros, as in `1/ 5' 6`. */
export const dateOf = (record: QifRecord): string => {
  const text = qifField(record, 'D')
  return /^[0-9 /.'’-]+$/.test(text) ? text.replaceAll(/(?<=[^0-9]) /g, '0') : text
}

export const qifAmount = (record: QifRecord): string =>
  qifField(record, 'T') || qifField(record, 'U')
