import { kindOf } from './cells.ts'
import { recordReader, type CsvRecord, type CsvDialect } from './records.ts'

const DELIMITERS = [',', ';', '\t', '|', '^', '~']
/** So many records are looked at for the delimiter, and for the quotes. */
const RECORDS_FOR_DELIMITER = 200
const LINES_FOR_QUOTE = 50
const MAX_SAMPLE = 65_536

/** Tells whether fields are enclosed by apostrophes; else by quotes. */
function chooseQuote(sample: string): string {
  const lines = sample.split(/\r\n?|\n/, LINES_FOR_QUOTE)
  const counts = { '"': 0, "'": 0 }
  for (const line of lines) {
    for (const field of line.split(/[,;\t|^~]/)) {
      const cell = field.trim()
      const first = cell[0]
      if (cell.length > 1 && (first === '"' || first === "'") && cell.endsWith(first)) {
        counts[first] += 1
      }
    }
  }
  return counts["'"] > counts['"'] ? "'" : '"'
}

/** The number of fields that most records have, of those that have at least two. */
export function modalWidth(records: readonly CsvRecord[]): { width: number; records: number } {
  const counts = new Map<number, number>()
  for (const { cells } of records) {
    if (cells.length > 1) {
      counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
    }
  }
  const [best] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])
  return best ? { width: best[0], records: best[1] } : { width: 1, records: 0 }
}

/** Counts the columns that hold a date or an amount in the records of the usual width. */
function typedColumns(records: readonly CsvRecord[], width: number): number {
  const rows = records.filter(({ cells }) => cells.length === width)
  return Array.from({ length: width }, (_, column) => {
    const kinds = rows.map(({ cells }) => kindOf(cells[column] as string))
    const typed = kinds.filter((kind) => kind === 'date' || kind === 'amount').length
    return typed * 2 > kinds.filter((kind) => kind !== 'empty').length
  }).filter(Boolean).length
}

/** The delimiter that a first line such as `sep=;` names. */
export function namedDelimiter(sample: string): string | undefined {
  const match = /^\ufeff?"?sep=([^\r\n])"?(?:\r|\n|$)/i.exec(sample.slice(0, 20))
  return match?.[1]
}

/** Chooses delimiter and quote by the beginning of a file. */
export function chooseDialect(
  text: string,
  known: Partial<CsvDialect>,
): CsvDialect & { fits: number } {
  const sample = text.slice(0, MAX_SAMPLE)
  const quote = known.quote ?? chooseQuote(sample)
  const only = known.delimiter ?? namedDelimiter(sample)
  const candidates = (only === undefined ? DELIMITERS : [only]).map((delimiter) => {
    const reader = recordReader({ delimiter, quote }, RECORDS_FOR_DELIMITER)
    const records = [...reader.push(sample), ...reader.end()].slice(0, RECORDS_FOR_DELIMITER)
    const { width, records: fits } = modalWidth(records)
    // A quote that closes before another character was cut at the wrong one: `"a";"1,5"` at the comma.
    const sound = modalWidth(records.filter(({ warnings }) => !warnings.includes('textAfterQuote')))
    return { delimiter, quote, fits, sound: sound.records, typed: typedColumns(records, width) }
  })
  const [best] = candidates.toSorted(
    (a, b) => b.sound - a.sound || b.fits - a.fits || b.typed - a.typed,
  )
  const { delimiter, fits } = best as (typeof candidates)[number]
  return { delimiter, quote, fits }
}
