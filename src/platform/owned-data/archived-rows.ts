import { getTableColumns } from 'drizzle-orm'
import { isCalendarDate, isTimeZone } from '../../domain/calendar.ts'
import { findCurrency } from '../../domain/currency.ts'
import { isId } from '../../domain/ids.ts'
import { isComplexJson, recordOf } from '../../domain/json-values.ts'
import { type Check, wholeNumber } from '../../domain/stored-values.ts'
import { isWellFormedText } from '../../domain/text.ts'
import { inJson, SELF, SELF_IN_JSON } from './archived-ids.ts'
import {
  type ArchivedColumn,
  type ArchivedRow,
  type ArchivedShape,
  type ArchivedTable,
  shapeOf,
} from './archived-tables.ts'

// Checks the content of an archive's rows, and replaces the name of their owner.

const USER = /^usr_[0-9a-z]{26}$/
/** Matches a user within an archive, where the owner is named `usr_self`. */
const KEPT_USER = /^usr_(?:self|[0-9a-z]{26})$/

const DATE =
  /(?:^|_)date$|(?:^|_)period$|^(?:through|closed_through|first_day|starts_on|anchor|archived_from|period_end|next_on)$/
const TIME_ZONE = /(?:^|_)time_zone$/
const CURRENCY = /(?:^|_)currency$/
const INSTANT = /_at$/
const AMOUNT = /_minor$/
/** Ids of others, however they are checked further; banks have longer ones. */
const NAMES_ONE = /^(?!external_).*_id$/
/** Matches the columns by which names are compared. */
const KEY = /_key$/

/** The last moment that JavaScript knows. */
const LAST_INSTANT = 8_640_000_000_000_000
/** So that none is reached by counting. */
const MOST_VERSION = 2 ** 40
/** Folding a name makes it longer at times. */
const MOST_OF_KEY = 10_000
/**
 * The bounds of JSON: as deep as in the body of a request, and far more objects and arrays than the service stores in
 * one value.
 */
const JSON_BOUNDS = { deepest: 64, most: 100_000 }
/** Ids, and short words. */
const MOST_OF_OTHERS = 64

/** A row with all columns: those that came to the table after the archive was made are as in a row that says nothing of them. */
export const completeRow = ({ columns }: ArchivedShape, row: ArchivedRow): ArchivedRow => ({
  ...Object.fromEntries(
    columns.flatMap(({ name, absent }) => (absent === undefined ? [] : [[name, absent]])),
  ),
  ...row,
})

/** Returns the fault of a line as a row of its table; undefined if it has none. */
export function faultOfRow(shape: ArchivedShape, row: object): string | undefined {
  const names = Object.keys(row)
  const unknown = names.find((name) => !shape.columns.some((column) => column.name === name))
  if (unknown !== undefined) {
    return `The table ${shape.name} has no field ${unknown.slice(0, 40)}.`
  }
  const wrong = shape.columns.find(
    (column) => !isValue(shape, column, row as Record<string, unknown>),
  )
  return wrong && `The field ${wrong.name} is missing or wrong.`
}

/** The field that says a row comes from the future: what erases older rows would go past it for ever. What expires may. */
export const laterFieldOf = (
  { columns }: ArchivedShape,
  row: ArchivedRow,
  latest: number,
): string | undefined =>
  columns.find(
    ({ name }) => INSTANT.test(name) && name !== 'expires_at' && Number(row[name] ?? 0) > latest,
  )?.name

function isValue(
  shape: ArchivedShape,
  column: ArchivedColumn,
  row: Readonly<Record<string, unknown>>,
): boolean {
  const value = row[column.name]
  if (value === null) {
    return column.isNullable
  }
  const { check, kind } = column
  const isRight =
    kind === 'flag'
      ? value === 0 || value === 1
      : kind === 'integer'
        ? isInteger(column, value)
        : typeof value === 'string' && isText(shape, column, value)
  return isRight && (!check || check(kind === 'json' ? parsed(value as string) : value, row))
}

function isInteger({ name, check }: ArchivedColumn, value: unknown): boolean {
  if (INSTANT.test(name)) {
    return wholeNumber(0, LAST_INSTANT)(value, {})
  }
  if (name === 'version') {
    return wholeNumber(1, MOST_VERSION)(value, {})
  }
  return AMOUNT.test(name) || check !== undefined ? Number.isSafeInteger(value) : false
}

function isText(shape: ArchivedShape, column: ArchivedColumn, value: string): boolean {
  if (!isWellFormedText(value) || column.values?.includes(value) === false) {
    return false
  }
  if (column.kind === 'json') {
    return !isComplexJson(value, JSON_BOUNDS) && parsed(value) !== undefined
  }
  if (column.isUser) {
    return value === SELF || value === '' || USER.test(value)
  }
  if (column.name === shape.id) {
    return shape.prefixes.some((prefix) => isId(prefix, value))
  }
  return (
    ((column.check !== undefined && !NAMES_ONE.test(column.name)) ||
      value.length <= (KEY.test(column.name) ? MOST_OF_KEY : MOST_OF_OTHERS)) &&
    (!DATE.test(column.name) ||
      isCalendarDate(value) ||
      (value === '' && column.name === 'from_period')) &&
    (!TIME_ZONE.test(column.name) || isTimeZone(value)) &&
    (!CURRENCY.test(column.name) || findCurrency(value) !== undefined)
  )
}

/**
 * A check of a row that was kept in JSON as the service has it: by the names of the schema, with flags as such, and with its owner.
 * What came to the table since may be missing.
 */
export const keptRow =
  (archived: ArchivedTable): Check =>
  (value) => {
    const shape = shapeOf(archived)
    const kept = recordOf(value)
    const columns = Object.entries(getTableColumns(archived.table))
    const row = Object.fromEntries(
      columns.flatMap(([field, { name, dataType }]) => {
        const one = kept[field]
        const isUser =
          one === SELF_IN_JSON && shape.columns.some((of) => of.isUser && of.name === name)
        const isFlag = dataType === 'boolean' && typeof one === 'boolean'
        return one === undefined ? [] : [[name, isUser ? SELF : isFlag ? Number(one) : one]]
      }),
    ) as ArchivedRow
    const owners = shape.owner.map((name) => row[name])
    const own = Object.fromEntries(
      Object.entries(row).filter(([name]) => !shape.owner.includes(name)),
    )
    return (
      Object.keys(kept).every((field) => columns.some(([known]) => known === field)) &&
      owners.every((owner) => KEPT_USER.test(String(owner))) &&
      faultOfRow(shape, completeRow(shape, own)) === undefined
    )
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
