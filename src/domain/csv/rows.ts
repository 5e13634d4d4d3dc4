import { dateReader } from '../bank-files/dates.ts'
import type { Reading, Role } from '../bank-files/format.ts'
import type { RowError, SourceRow } from '../bank-files/source.ts'
import { isCalendarDate } from '../calendar.ts'
import { findCurrency } from '../currency.ts'
import { isRowLike, type Columns } from './layout.ts'
import type { CsvRecord } from './records.ts'
import { currencyIn } from '../bank-files/amounts.ts'
import { columnLists, moneyReader, shown, tooManyDigits, withFee } from './row-values.ts'
import { foldHeading, readHeading, stateOf, summaryOf } from './words.ts'

// oxlint-disable-next-line no-control-regex -- they are what it replaces
const BAD_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

const FIRST_LIKELY_DATE = '1970-01-01'

const BOUNDS = {
  tooManyFields: 'The row has more fields than the heading.',
  fieldTooLong: 'A field of the row has more than 10,000 characters.',
  lineTooLong: 'The line has more than 65,536 characters.',
  lastRecordCut: 'The file ends within a quoted field. Download it again.',
} as const

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

function oneYearLater(day: string): string {
  const later = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
  return isCalendarDate(later) ? later : `${later.slice(0, 8)}28`
}

/** Joins with one space what is not empty, equal texts once. */
const joined = (parts: string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : [...new Set(parts)].join(' ')

/** Makes rows of records under a reading. */
export function rowMapper(reading: Reading, headings: readonly string[], width: number) {
  const columns: Columns = columnLists(reading.columns)
  const names = cellNames(headings, width)
  const needsNoPrototype = names.includes('__proto__')
  const outside = new Set(reading.outsideIdentity)
  const identity = names.flatMap((_, index) => (outside.has(index) ? [] : [index]))
  const money = moneyReader(reading, columns, headings)
  const dateOf = dateReader(reading.dateOrder ?? 'YMD', {
    year: reading.year,
    month: reading.month,
  })
  const latest = reading.today === undefined ? undefined : oneYearLater(reading.today)
  const [moneyColumn] = columns.amount ?? columns.debit ?? columns.credit ?? []
  const headingCurrency =
    moneyColumn === undefined ? undefined : readHeading(headings[moneyColumn] ?? '').currency
  const [bankIdColumn] = columns.bankId ?? []
  const scheme = `csv:${bankIdColumn === undefined ? '' : foldHeading(headings[bankIdColumn] ?? '')}`
  const required = Math.max(
    -1,
    ...(columns.date?.slice(0, 1) ?? []),
    ...(moneyColumn === undefined ? [] : [moneyColumn]),
  )

  const first = (cells: readonly string[], role: Role): string => {
    const [column] = columns[role] ?? []
    return column === undefined ? '' : (cells[column] ?? '')
  }
  function texts(cells: readonly string[], role: Role): string[] {
    const found: string[] = []
    for (const column of columns[role] ?? []) {
      const cell = cells[column]
      if (cell) {
        found.push(cell)
      }
    }
    return found
  }

  function rawOf(cells: readonly string[]): Record<string, string> {
    const raw: Record<string, string> = needsNoPrototype ? Object.create(null) : {}
    for (let index = 0; index < cells.length; index += 1) {
      raw[names[index] ?? `Column ${index + 1}`] = cells[index] as string
    }
    return raw
  }

  const clean = (cell: string) => cell.toWellFormed().replace(BAD_CHARACTERS, '\ufffd')

  function textOf(cells: readonly string[]): string {
    let text = ''
    for (const index of identity) {
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

  /** Whether the cells of the typed columns can be read when the surplus fields belong to one text. */
  function isValid(cells: readonly string[]): boolean {
    const date = first(cells, 'date')
    const currency = first(cells, 'currency')
    const typed = (
      ['amount', 'debit', 'credit', 'balance', 'fee', 'originalAmount'] as const
    ).every((role) => {
      const text = first(cells, role)
      return text === '' || money.information(text) !== undefined
    })
    const hasMoney = (['amount', 'debit', 'credit'] as const).some(
      (role) => first(cells, role) !== '',
    )
    const isCurrency = currency === '' || findCurrency(currency.toUpperCase()) !== undefined
    return typed && hasMoney && isCurrency && dateOf(date) !== undefined
  }

  /** Joins surplus fields to the free text that they were part of; `undefined` where that is not told in one way. */
  function rejoin({ cells, quoted }: CsvRecord): string[] | undefined {
    const surplus = cells.length - width
    const ways = (columns.description ?? columns.payee ?? []).flatMap((column) => {
      const isUnquoted = Array.from({ length: surplus + 1 }, (_, index) => column + index).every(
        (index) => (quoted & (1 << Math.min(index, 31))) === 0,
      )
      const text = cells.slice(column, column + surplus + 1).join(reading.delimiter ?? ',')
      const whole = [...cells.slice(0, column), text, ...cells.slice(column + surplus + 1)]
      return isUnquoted && whole.length === width && isValid(whole) ? [whole] : []
    })
    return ways.length === 1 ? ways[0] : undefined
  }

  /** The cells of a record as the heading has them. */
  function fit(record: CsvRecord, row: SourceRow): string[] {
    const { cells } = record
    if (cells.length <= width || record.error !== undefined) {
      return cells.slice(0, width)
    }
    const isSurplusEmpty = cells.slice(width).every((cell) => cell === '')
    if (isSurplusEmpty && isValid(cells)) {
      return cells.slice(0, width)
    }
    const whole = rejoin(record)
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

  function setDate(row: SourceRow, cells: readonly string[]) {
    const [booked, value] = [first(cells, 'date'), first(cells, 'valueDate')]
    // Some banks write that a row is pending where its booking date will be.
    const hasDay = booked !== '' && stateOf(booked) !== 'pending'
    const text = hasDay ? booked : value
    const column = names[(columns.date ?? [])[0] ?? 0] as string
    if (text === '') {
      row.errors.push({ code: 'dateMissing', column, message: 'The row has no date.' })
      return
    }
    const read = dateOf(text)
    if (!read) {
      const message = `"${shown(text)}" is no date${reading.dateOrder ? ` in the order ${reading.dateOrder}` : ''}.`
      row.errors.push({ code: 'dateInvalid', column, message })
      return
    }
    row.date = read.date
    const clock = read.time ?? timeOf(first(cells, 'time'))
    if (clock !== undefined) {
      row.time = clock
    }
    if (read.date < FIRST_LIKELY_DATE || (latest !== undefined && read.date > latest)) {
      row.warnings.push('dateUnlikely')
    }
    const other = hasDay ? dateOf(value) : undefined
    if (other) {
      row.metadata['valueDate'] = other.date
    }
  }

  /** A time in a column of its own is read behind a day that is there for no other reason. */
  const timeOf = (text: string) => (text === '' ? undefined : anyDay(`2000-01-01 ${text}`)?.time)
  const anyDay = dateReader('YMD')

  function setMoney(row: SourceRow, cells: readonly string[]) {
    const cell = (role: Role) => first(cells, role)
    const found = money.amountOf(cell)
    row.errors.push(...found.errors)
    const currency =
      currencyIn(cell('currency')) ?? headingCurrency ?? found.currency ?? reading.currency
    if (currency !== undefined) {
      row.currency = currency
    }
    if (found.currency !== undefined && currency !== found.currency) {
      const message = `The amount is in ${found.currency}, but its row in ${currency}.`
      row.errors.push({ code: 'currencyMismatch', message })
    }
    const balance = money.information(cell('balance'))
    if (balance !== undefined) {
      row.balance = balance
    }
    if (found.amount === undefined) {
      return
    }
    const fee = money.information(cell('fee'))
    const { amount, parts } = withFee(found.amount, fee, reading.fee)
    row.amount = amount
    row.parts = parts
    if (fee !== undefined && fee !== '0' && parts.length === 0) {
      row.metadata['fee'] = fee
    }
    if (found.ignored) {
      row.ignored = found.ignored
    } else if (amount === '0' && reading.zeroRows !== 'book') {
      row.ignored = 'zero'
    }
    const digits = tooManyDigits(amount, currency)
    if (digits && row.ignored === undefined) {
      row.errors.push(digits)
    }
    setOriginal(row, cell)
  }

  function setOriginal(row: SourceRow, cell: (role: Role) => string) {
    const currency = findCurrency(cell('originalCurrency').toUpperCase())?.code
    const amount = money.information(cell('originalAmount'))
    const rate = money.information(cell('rate'))
    if (amount !== undefined && currency === undefined) {
      row.metadata['originalAmount'] = amount
    } else if (amount !== undefined && currency !== undefined && currency !== row.currency) {
      row.original = { amount, currency, ...(rate !== undefined && { rate }) }
    }
  }

  function setTexts(row: SourceRow, cells: readonly string[]) {
    const set = (field: 'payeeRaw' | 'description' | 'note' | 'counterAccount', text: string) => {
      if (text !== '') {
        row[field] = text
      }
    }
    set('payeeRaw', texts(cells, 'payee')[0] ?? '')
    set('description', joined(texts(cells, 'description')))
    set('note', joined(texts(cells, 'note')))
    set('counterAccount', first(cells, 'counterAccount'))
    const category = texts(cells, 'category')
    if (category.length > 0) {
      row.category = category
    }
    row.tags = texts(cells, 'tags').flatMap((text) =>
      text.split(/[,;|]/).flatMap((tag) => tag.trim().replace(/^#/, '') || []),
    )
    const id = first(cells, 'bankId')
    if (id !== '') {
      row.bankId = { scheme, id }
    }
    for (const role of ['reference', 'type'] as const) {
      const text = joined(texts(cells, role))
      if (text !== '') {
        row.metadata[role] = text
      }
    }
  }

  /** Rows that stand in the file and are no bookings. */
  function setState(row: SourceRow, cells: readonly string[]) {
    const state = stateOf(first(cells, 'state'))
    row.pending = state === 'pending' || stateOf(first(cells, 'date')) === 'pending'
    if (state === 'notCompleted') {
      row.ignored = state
      return
    }
    const words = [
      ...texts(cells, 'type'),
      ...texts(cells, 'description'),
      ...texts(cells, 'payee'),
    ]
    const summary = [...words, first(cells, 'date')].map(summaryOf).find(Boolean)
    // A shop may be called Total: with a date, an amount and other words, it is a booking.
    if (
      summary &&
      (summary !== 'turnover' || row.date === undefined || new Set(words).size === 1)
    ) {
      row.ignored = summary
    }
  }

  return {
    isRow: (cells: readonly string[]) => isRowLike(columns, cells),
    /** The text of a record that goes on where the row above ended: there is nothing but a description in it. */
    continuation(cells: readonly string[]): string | undefined {
      const own = new Set(columns.description ?? columns.payee)
      const isOnly = cells.every((cell, index) => cell === '' || own.has(index))
      return isOnly ? joined(cells.filter(Boolean)) : undefined
    },
    accountOf: (cells: readonly string[]) => first(cells, 'account'),
    textOf,
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
      const source = fit(record, row)
      const isBad = record.warnings.includes('badCharacters')
      const cells = isBad ? source.map(clean) : source
      row.raw = rawOf(cells)
      // The identity is that of the characters as they are in the file.
      row.text = textOf(source)
      let isWhole = row.errors.length === 0
      if (record.error !== undefined) {
        const error: RowError = { code: record.error, message: BOUNDS[record.error] }
        row.errors.push(error)
        isWhole = record.error === 'fieldTooLong'
      } else if (record.cells.length <= required) {
        const message = `The row has ${record.cells.length} of ${width} fields.`
        row.errors.push({ code: 'tooFewFields', message })
        isWhole = false
      }
      if (isWhole) {
        setDate(row, cells)
        setMoney(row, cells)
        setTexts(row, cells)
        setState(row, cells)
      }
      if (row.ignored !== undefined) {
        row.errors = []
      }
      return row
    },
  }
}
