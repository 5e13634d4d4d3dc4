import type { Reading, ColumnRole } from '../bank-files/format.ts'
import type { SourceRow } from '../bank-files/source.ts'
import { findCurrency } from '../currency.ts'
import { DateColumns } from './date-columns.ts'
import { isRowLike } from './layout.ts'
import { MoneyColumns } from './money-columns.ts'
import type { CsvRecord } from './records.ts'
import { accountCell, joinDistinct, Roles } from './roles.ts'
import { columnLists } from './row-values.ts'
import { TextColumns } from './text-columns.ts'
import { foldHeading } from './words.ts'
import type { Columns } from './content.ts'

// oxlint-disable-next-line no-control-regex -- they are what it replaces
const BAD_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

const BOUNDS = {
  tooManyFields: 'The row has more fields than the heading.',
  fieldTooLong: 'A field of the row has more than 10,000 characters.',
  lineTooLong: 'The line has more than 65,536 characters.',
  lastRecordCut: 'The file ends within a quoted field. Download it again.',
} as const

const MONEY = ['amount', 'debit', 'credit'] as const
const NUMBERS = [...MONEY, 'balance', 'fee', 'originalAmount'] as const

/** Names for the cells of a row: its heading, with a number where it comes again, else the number of the column. */
export function cellNames(headings: readonly string[], width: number): string[] {
  const seen = new Set<string>()
  return Array.from({ length: width }, (_, index) => {
    const heading = headings[index] || `Column ${index + 1}`
    const name = seen.has(heading) ? `${heading} (${index + 1})` : heading
    seen.add(name)
    return name
  })
}

/** Makes rows of records under a reading. */
export const rowMapper = (reading: Reading, headings: readonly string[], width: number) =>
  new RowMapper(reading, headings, width)

class RowMapper {
  readonly #columns: Columns
  readonly #width: number
  readonly #delimiter: string
  readonly #names: string[]
  readonly #needsNoPrototype: boolean
  /** The columns whose cells are the identity of a row. */
  readonly #identity: number[]
  /** The last column without which there is no row. */
  readonly #required: number
  readonly #roles: Roles
  readonly #dates: DateColumns
  readonly #money: MoneyColumns
  readonly #texts: TextColumns

  constructor(reading: Reading, headings: readonly string[], width: number) {
    const columns = columnLists(reading.columns)
    const names = cellNames(headings, width)
    const outside = new Set(reading.outsideIdentity)
    const [dateColumn] = columns.date ?? []
    const [moneyColumn] = columns.amount ?? columns.debit ?? columns.credit ?? []
    const idHeading = headings[columns.bankId?.[0] ?? -1] ?? ''
    this.#columns = columns
    this.#width = width
    this.#delimiter = reading.delimiter ?? ','
    this.#names = names
    this.#needsNoPrototype = names.includes('__proto__')
    this.#identity = names.flatMap((_, index) => (outside.has(index) ? [] : [index]))
    this.#required = Math.max(dateColumn ?? -1, moneyColumn ?? -1)
    this.#roles = new Roles(columns)
    this.#dates = new DateColumns(reading, this.#roles, names[dateColumn ?? 0] as string)
    this.#money = new MoneyColumns(reading, columns, headings, this.#roles)
    this.#texts = new TextColumns(this.#roles, `csv:${foldHeading(idHeading)}`)
  }

  isRow(cells: readonly string[]): boolean {
    return isRowLike(this.#columns, cells)
  }

  /** The text of a record that goes on where the row above ended: there is nothing but a description in it. */
  continuation(cells: readonly string[]): string | undefined {
    const own = new Set(this.#columns.description ?? this.#columns.payee)
    const isOnly = cells.every((cell, index) => cell === '' || own.has(index))
    return isOnly ? joinDistinct(cells.filter(Boolean)) : undefined
  }

  accountOf(cells: readonly string[]): string {
    return accountCell(cells, this.#columns) ?? ''
  }

  map(record: CsvRecord, account: string): SourceRow {
    const row: SourceRow = {
      line: record.line,
      raw: {},
      account,
      text: '',
      tags: [],
      pending: false,
      parts: [],
      metadata: {},
      errors: [],
      warnings: record.warnings,
    }
    const source = this.#fit(record, row)
    const isBad = record.warnings.includes('badCharacters')
    const cells = isBad ? source.map(clean) : source
    row.raw = this.#rawOf(cells)
    // The identity is that of the characters as they are in the file.
    row.text = this.#textOf(source)
    if (this.#isWhole(record, row)) {
      this.#dates.set(row, cells)
      this.#money.set(row, cells)
      this.#texts.set(row, cells)
      this.#texts.setState(row, cells)
    }
    if (row.ignored !== undefined) {
      row.errors = []
    }
    return row
  }

  /** Tells whether the cells of a record can be read, and says in its row what is wrong with it. */
  #isWhole({ cells, error }: CsvRecord, row: SourceRow): boolean {
    const hasFitted = row.errors.length === 0
    if (error !== undefined) {
      row.errors.push({ code: error, message: BOUNDS[error] })
      return error === 'fieldTooLong'
    }
    if (cells.length <= this.#required) {
      const message = `The row has ${cells.length} of ${this.#width} fields.`
      row.errors.push({ code: 'tooFewFields', message })
      return false
    }
    return hasFitted
  }

  /** The cells of a record as the heading has them. */
  #fit(record: CsvRecord, row: SourceRow): string[] {
    const { cells } = record
    const width = this.#width
    if (cells.length <= width || record.error !== undefined) {
      return cells.slice(0, width)
    }
    const isSurplusEmpty = cells.slice(width).every((cell) => cell === '')
    if (isSurplusEmpty && this.#isValid(cells)) {
      return cells.slice(0, width)
    }
    const whole = this.#rejoin(record)
    if (whole) {
      row.warnings.push('unquotedDelimiter')
      return whole
    }
    if (isSurplusEmpty) {
      return cells.slice(0, width)
    }
    row.errors.push({ code: 'tooManyFields', message: BOUNDS.tooManyFields })
    return cells
  }

  /** Joins surplus fields to the free text that they were part of; `undefined` where that is ambiguous. */
  #rejoin({ cells, quoted }: CsvRecord): string[] | undefined {
    const surplus = cells.length - this.#width
    const ways = (this.#columns.description ?? this.#columns.payee ?? []).flatMap((column) => {
      const isUnquoted = Array.from({ length: surplus + 1 }, (_, index) => column + index).every(
        (index) => (quoted & (1 << Math.min(index, 31))) === 0,
      )
      const text = cells.slice(column, column + surplus + 1).join(this.#delimiter)
      const whole = [...cells.slice(0, column), text, ...cells.slice(column + surplus + 1)]
      return isUnquoted && whole.length === this.#width && this.#isValid(whole) ? [whole] : []
    })
    return ways.length === 1 ? ways[0] : undefined
  }

  /** True if the cells of the typed columns can be read when the surplus fields belong to one text. */
  #isValid(cells: readonly string[]): boolean {
    const cell = (role: ColumnRole) => this.#roles.first(cells, role)
    const areTyped = NUMBERS.every(
      (role) => cell(role) === '' || this.#money.information(cell(role)) !== undefined,
    )
    const hasMoney = MONEY.some((role) => cell(role) !== '')
    const currency = cell('currency')
    const isCurrency = currency === '' || findCurrency(currency.toUpperCase()) !== undefined
    return areTyped && hasMoney && isCurrency && this.#dates.read(cell('date')) !== undefined
  }

  #rawOf(cells: readonly string[]): Record<string, string> {
    const raw: Record<string, string> = this.#needsNoPrototype ? Object.create(null) : {}
    const names = this.#names
    for (let index = 0; index < cells.length; index += 1) {
      raw[names[index] ?? `Column ${index + 1}`] = cells[index] as string
    }
    return raw
  }

  #textOf(cells: readonly string[]): string {
    let text = ''
    for (const index of this.#identity) {
      if (index >= cells.length) {
        break
      }
      const cell = cells[index]
      if (cell) {
        text = text === '' ? cell : `${text} ${cell}`
      }
    }
    return text
  }
}

const clean = (cell: string) => cell.toWellFormed().replace(BAD_CHARACTERS, '\ufffd')
