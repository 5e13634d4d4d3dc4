import type { RowError, RowErrorCode, SourceRow } from './source.ts'

/** The maximum length of a cell in an error. */
const MAX_SHOWN = 100

const shown = (cell: string) => {
  const text = cell.trim()
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** A row that says nothing yet. */
export function newRow(line: number, account: string): SourceRow {
  return {
    line,
    raw: {},
    account,
    tags: [],
    text: '',
    pending: false,
    parts: [],
    metadata: {},
    errors: [],
    warnings: [],
  }
}

/** Sets a field where there is something to say. */
export function put<T, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined && value !== '') {
    target[key] = value
  }
}

/** Makes the error of a cell; `column` is the tag or element of the cell. */
export const rowError = {
  dateMissing: (column: string) => error('dateMissing', column, 'The row has no date.'),
  dateInvalid: (column: string, cell: string) =>
    error('dateInvalid', column, `"${shown(cell)}" is not a date of the calendar.`),
  amountMissing: (column: string) => error('amountMissing', column, 'The row has no amount.'),
  amountMalformed: (column: string, cell: string) =>
    error('money.malformed', column, `"${shown(cell)}" is not an amount.`),
  partsDoNotSum: (column: string, sum: string, amount: string) =>
    error('partsDoNotSum', column, `The parts sum to ${sum}, but the amount is ${amount}.`),
  cut: (column: string) =>
    error('lastRecordCut', column, 'The file ends within this row. Download the file again.'),
}

function error(code: RowErrorCode, column: string, message: string): RowError {
  return { code, column, message }
}

/** Joins what is not empty with one space; equal texts count once. */
export function joinedTexts(...texts: (string | undefined)[]): string {
  const different = new Set<string>()
  for (const text of texts) {
    if (text !== undefined && text !== '') {
      different.add(text)
    }
  }
  return [...different].join(' ')
}
