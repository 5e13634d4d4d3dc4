import type { Line } from '../bank-files/lines.ts'

/** A field with all of its lines, such as `:61:` or `:86:`. */
export interface Field {
  tag: string
  /** The first physical line. */
  line: number
  lines: string[]
}

/** The beginning of a message or of a field, or the end of a message. */
export type Token = { is: 'field'; field: Field } | { is: 'end' }

const TAGS = new Set(
  '13 13D 20 21 25 25P 28 28C 34F 60F 60M 61 62F 62M 64 65 86 90C 90D NS'.split(' '),
)
const START = /^:([0-9]{2}[A-Z]?|NS):/
/** The headers of SWIFT may stand on the line of the first field. */
const BLOCKS = /^(?:\{[0-9]:[^{}]*(?:\{[^{}]*\})*\}){0,4}\{4:/
// oxlint-disable-next-line no-control-regex -- banks pad with them
const CONTROLS = /[\u0000-\u001f]/g

/** Lines of one field that are kept. */
const MAX_LINES = 1_000

/**
 * Groups the lines of messages into fields. What stands before `:20:` is passed over; a line that only looks like
 * a field belongs to the one above it.
 */
export class FieldReader {
  #field: Field | undefined
  #isInMessage = false

  push({ number, text }: Line): Token[] {
    const line = text.replaceAll(CONTROLS, '').replace(BLOCKS, '')
    const tag = START.exec(line)?.[1] ?? ''
    if (tag === '20' || (this.#isInMessage && TAGS.has(tag))) {
      const done = this.end()
      this.#isInMessage = true
      this.#field = { tag, line: number, lines: [line.slice(tag.length + 2)] }
      return tag === '20' ? [...done, { is: 'end' }] : done
    }
    if (this.#isInMessage && (line === '-' || line.startsWith('-}'))) {
      const done = this.end()
      this.#isInMessage = false
      return [...done, { is: 'end' }]
    }
    if (this.#field && this.#field.lines.length < MAX_LINES) {
      this.#field.lines.push(line)
    }
    return []
  }

  /** The field that nothing ended. */
  end(): Token[] {
    const field = this.#field
    this.#field = undefined
    return field ? [{ is: 'field', field }] : []
  }
}

const FULL = 65

/** Joins lines of a text: a full one goes on in the next, else a space belongs between them. */
export function joinLines(lines: readonly string[], full = FULL): string {
  let text = ''
  let isFull = true
  for (const line of lines) {
    const isBlank = line.trim() === ''
    text += isFull || isBlank || text === '' ? line : ` ${line.trimStart()}`
    isFull = line.length >= full && !isBlank
  }
  return text.replaceAll(/\s+/g, ' ').trim()
}
