import { isCalendarDate } from './calendar.ts'
import { findCurrency } from './currency.ts'
import { MAX_MINOR } from './money.ts'
import { isWellFormedText } from './text.ts'

// Checks of what is stored. They say what the service can have stored itself, and so what all readers can read: an archive may
// come from anybody.

/**
 * Tells whether a value is one that the service can have stored.
 * @param row the row that it is in, by the names of its columns in SQL
 */
export type Check = (value: unknown, row: Readonly<Record<string, unknown>>) => boolean

export const wholeNumber =
  (least: number, most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most

/** An amount in minor units. */
export const minorUnits: Check = wholeNumber(-MAX_MINOR, MAX_MINOR)

export const countOf: Check = wholeNumber(0, MAX_MINOR)

export const numberWithin =
  (most: number): Check =>
  (value) =>
    typeof value === 'number' && Math.abs(value) <= most

export const textUpTo =
  (most: number, least = 0): Check =>
  (value) =>
    typeof value === 'string' &&
    value.length >= least &&
    value.length <= most &&
    isWellFormedText(value)

export const textLike =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

export const textThat =
  (isRight: (text: string) => boolean): Check =>
  (value) =>
    typeof value === 'string' && isRight(value)

export const hashText: Check = textLike(/^[0-9a-f]{64}$/)

/** An id, or what stands in its place, as long as a request may send it. */
export const idText: Check = textUpTo(64)

export const dateText: Check = textThat(isCalendarDate)

export const currencyText: Check = textThat((code) => findCurrency(code) !== undefined)

export const trueOrFalse: Check = (value) => typeof value === 'boolean'

export const exactly =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)

export const orNull =
  (check: Check): Check =>
  (value, row) =>
    value === null || check(value, row)

export const eitherOf =
  (...checks: readonly Check[]): Check =>
  (value, row) =>
    checks.some((check) => check(value, row))

/** A list. Each has a limit: one that what the service stores itself does not pass. */
export const arrayOf =
  (check: Check, most: number): Check =>
  (value, row) =>
    Array.isArray(value) && value.length <= most && value.every((one) => check(one, row))

/**
 * A list in which nothing comes twice.
 * @param field of its objects, that makes them distinct
 */
export const eachOnce = (check: Check, most: number, field?: string): Check => {
  const isList = arrayOf(check, most)
  return (value, row) => {
    if (!isList(value, row)) {
      return false
    }
    const all = value as Record<string, unknown>[]
    return new Set(field === undefined ? all : all.map((one) => one[field])).size === all.length
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with any keys, with a limit as a list has one. */
export const mapOf =
  (key: Check, check: Check, most: number): Check =>
  (value, row) =>
    isObject(value) &&
    Object.keys(value).length <= most &&
    Object.entries(value).every(([name, one]) => key(name, row) && check(one, row))

/** An object with these fields and no others; those of `optional` may be missing. */
export const objectWith =
  (fields: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  (value, row) =>
    isObject(value) &&
    Object.entries(fields).every(
      ([name, check]) => Object.hasOwn(value, name) && check(value[name], row),
    ) &&
    Object.keys(value).every(
      (name) =>
        Object.hasOwn(fields, name) ||
        (Object.hasOwn(optional, name) && optional[name]?.(value[name], row) === true),
    )

/** JSON of any kind, with few characters and not deep: nothing reads it but who shows it. */
export const shallowJson =
  (mostCharacters: number, deepest = 10): Check =>
  (value) =>
    isShallow(value, deepest) && JSON.stringify(value).length <= mostCharacters

function isShallow(value: unknown, deepest: number): boolean {
  if (typeof value === 'string') {
    return isWellFormedText(value)
  }
  if (typeof value !== 'object' || value === null) {
    return true
  }
  return (
    deepest > 0 &&
    Object.entries(value).every(
      ([name, one]) => isWellFormedText(name) && isShallow(one, deepest - 1),
    )
  )
}
