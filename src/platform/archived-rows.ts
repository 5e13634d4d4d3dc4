import { isCalendarDate, isTimeZone } from '../domain/calendar.ts'
import { findCurrency } from '../domain/currency.ts'
import { isWellFormedText } from '../domain/text.ts'
import { inJson, ID, SELF, SELF_IN_JSON } from './archived-ids.ts'
import type { ArchivedColumn, ArchivedRow, ArchivedShape } from './archived-tables.ts'

// What a row of an archive may say, and how its owner is named in it.

const USER = /^usr_[0-9a-z]{26}$/

const DATE =
  /(?:^|_)date$|(?:^|_)period$|^(?:through|closed_through|first_day|starts_on|anchor|archived_from|period_end|next_on)$/
const TIME_ZONE = /(?:^|_)time_zone$/
const CURRENCY = /(?:^|_)currency$/
const INSTANT = /_at$/
const DECIMAL = /(?:^|_)rate$/

/** The last moment that JavaScript knows. */
const LAST_INSTANT = 8_640_000_000_000_000

/** A row with all columns: those that came to the table after the archive was made are as in a row that says nothing of them. */
export const completeRow = ({ columns }: ArchivedShape, row: ArchivedRow): ArchivedRow => ({
  ...Object.fromEntries(
    columns.flatMap(({ name, absent }) => (absent === undefined ? [] : [[name, absent]])),
  ),
  ...row,
})

/** What is wrong with a line as a row of its table; undefined if nothing is. */
export function faultOfRow(shape: ArchivedShape, row: object): string | undefined {
  const names = Object.keys(row)
  const unknown = names.find((name) => !shape.columns.some((column) => column.name === name))
  if (unknown !== undefined) {
    return `The table ${shape.name} has no field ${unknown.slice(0, 40)}.`
  }
  const wrong = shape.columns.find(
    (column) => !isValue(shape, column, (row as Record<string, unknown>)[column.name]),
  )
  return wrong && `The field ${wrong.name} is missing or wrong.`
}

function isValue(shape: ArchivedShape, column: ArchivedColumn, value: unknown): boolean {
  if (value === null) {
    return column.isNullable
  }
  if (column.kind === 'integer') {
    return (
      Number.isSafeInteger(value) &&
      (!INSTANT.test(column.name) || (Number(value) >= 0 && Number(value) <= LAST_INSTANT))
    )
  }
  if (column.kind === 'flag') {
    return value === 0 || value === 1
  }
  return typeof value === 'string' && isText(shape, column, value)
}

function isText(shape: ArchivedShape, column: ArchivedColumn, value: string): boolean {
  if (!isWellFormedText(value) || column.values?.includes(value) === false) {
    return false
  }
  if (column.kind === 'json') {
    return isJsonOf(column.json, value)
  }
  if (column.isUser) {
    return value === SELF || value === '' || USER.test(value)
  }
  if (column.name === shape.id) {
    return ID.test(value)
  }
  return (
    (!DATE.test(column.name) ||
      isCalendarDate(value) ||
      (value === '' && column.name === 'from_period')) &&
    (!TIME_ZONE.test(column.name) || isTimeZone(value)) &&
    (!CURRENCY.test(column.name) || findCurrency(value) !== undefined) &&
    (!DECIMAL.test(column.name) || /^-?\d{1,40}(?:\.\d{1,40})?$/.test(value))
  )
}

function isJsonOf(json: ArchivedColumn['json'], text: string): boolean {
  const value = parsed(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return json === 'any'
    ? value !== undefined
    : json === 'list'
      ? Array.isArray(value)
      : isObject || value === null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A row of an archive as it is stored for its owner. */
export const rowToStore = (shape: ArchivedShape, row: ArchivedRow, ownerId: string): ArchivedRow =>
  withOwner(shape, row, {
    inColumn: (text) => (text === SELF ? ownerId : text),
    inside: (text) => (text === SELF_IN_JSON ? ownerId : text),
  })

/** A row as an archive has it. */
export const archivedRow = (shape: ArchivedShape, row: ArchivedRow, ownerId: string): ArchivedRow =>
  withOwner(shape, row, {
    inColumn: (text) => (text === ownerId ? SELF : text),
    inside: (text) => (text === ownerId ? SELF_IN_JSON : text),
  })

/** A row whose owner is named otherwise, in columns with users and inside of JSON. */
const withOwner = (
  { columns }: ArchivedShape,
  row: ArchivedRow,
  { inColumn, inside }: Record<'inColumn' | 'inside', (text: string) => string>,
): ArchivedRow =>
  Object.fromEntries(
    columns.map(({ name, kind, isUser }) => {
      const value = row[name] ?? null
      if (typeof value !== 'string') {
        return [name, value]
      }
      return [name, isUser ? inColumn(value) : kind === 'json' ? inJson(value, inside) : value]
    }),
  )
