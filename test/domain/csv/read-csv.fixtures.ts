import type { Reading, Survey } from '../../../src/domain/bank-files/format.ts'
import type { SourceItem, SourceRow } from '../../../src/domain/bank-files/source.ts'
import { csvFormat } from '../../../src/domain/csv/csv.ts'

const inPieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )

export function survey(text: string, known: Partial<Reading> = {}, piece = 65_536): Survey {
  const surveyor = csvFormat.survey(known)
  inPieces(text, piece).forEach((part) => surveyor.push(part))
  return surveyor.end()
}

export function itemsOf(text: string, reading: Reading, piece = 65_536): SourceItem[] {
  const reader = csvFormat.read(reading)
  return [...inPieces(text, piece).flatMap((part) => reader.push(part)), ...reader.end()]
}

export interface Read {
  survey: Survey
  items: SourceItem[]
  rows: SourceRow[]
}

/** Surveys a file and reads it with the answers that are given; what else is asked fails. */
export function readCsv(text: string, answers: Partial<Reading> = {}, piece = 65_536): Read {
  const found = survey(text, answers, piece)
  if (found.questions.length > 0) {
    throw new Error(`open: ${JSON.stringify(found.questions)}`)
  }
  const items = itemsOf(text, found.reading, piece)
  return {
    survey: found,
    items,
    rows: items.flatMap((item) => (item.is === 'row' ? [item.row] : [])),
  }
}

export const lines = (...all: string[]): string => `${all.join('\n')}\n`

export const keysOf = ({ questions }: Survey) => questions.map(({ key }) => key)

/** What a row books: its date and amount, or why it books nothing. */
export const booked = (row: SourceRow): string =>
  row.errors[0]?.code ?? row.ignored ?? `${row.date} ${row.amount}`
