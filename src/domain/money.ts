import { minorDigits } from './currency.ts'
import { errorTable } from './errors.ts'

/**
 * Largest magnitude of an amount or a balance, in minor units: 2^53 - 1. Beyond it JavaScript and
 * the database's binding round without an error.
 */
export const MAX_MINOR = Number.MAX_SAFE_INTEGER

/** Money as text, whatever the currency. Linear time, and fit for the `pattern` of a JSON schema. */
export const MONEY_PATTERN = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/** No valid amount is longer than 18 characters; the rest leaves room to say why one is refused. */
export const MAX_MONEY_LENGTH = 32

const errors = errorTable('money', {
  malformed: ['invalid', 'An amount must be a decimal number as text, such as "12.30".'],
  tooManyDigits: [
    'invalid',
    'An amount in {currency} has at most {digits} decimals, but this one has {given}.',
  ],
  outOfRange: [
    'invalid',
    'The amount is too large. The limit is 9,007,199,254,740,991 of the smallest unit of its currency, which is 90,071,992,547,409.91 with two decimals.',
  ],
  negative: ['invalid', 'The amount must not be negative.'],
  zero: ['invalid', 'The amount must not be zero.'],
  invalidWeights: [
    'invalid',
    'Weights must be whole numbers from 0, and at least one must be above 0.',
  ],
})

export interface ParseMoneyOptions {
  /** True if a negative amount is valid here; the default is false. */
  signed?: boolean
  /** Default yes. */
  allowZero?: boolean
  /** Dotted path of the request field, for the error. */
  field?: string
}

/**
 * Reads an amount such as `-12.3` into minor units. Fewer decimals than the currency has are fine,
 * more are refused even when they are zeros. Minus zero is zero, signed or not.
 *
 * Throws `money.malformed`, `.tooManyDigits`, `.outOfRange`, `.negative`, `.zero`, and
 * `currency.unknown`.
 */
export function parseMoney(
  text: string,
  currency: string,
  options: ParseMoneyOptions = {},
): number {
  const { signed = false, allowZero = true, field } = options
  const detail = field === undefined ? {} : { field }
  const digits = minorDigits(currency)
  if (text.length > MAX_MONEY_LENGTH || !MONEY_PATTERN.test(text)) {
    throw errors.malformed(detail)
  }
  const [, decimals = ''] = text.split('.')
  if (decimals.length > digits) {
    throw errors.tooManyDigits({ currency, digits, given: decimals.length }, detail)
  }
  // Text to BigInt, so that no float ever stands between the caller's digits and ours.
  const units = BigInt(text.replace('.', '') + '0'.repeat(digits - decimals.length))
  if (!isInRange(units)) {
    throw errors.outOfRange(detail)
  }
  if (units < 0n && !signed) {
    throw errors.negative(detail)
  }
  if (units === 0n && !allowZero) {
    throw errors.zero(detail)
  }
  return Number(units)
}

/**
 * The amount with exactly the currency's decimals, such as `12.30`; zero never has a sign. A total that is
 * only shown may be beyond the range of amounts: then it comes as a bigint.
 */
export function formatMoney(minor: number | bigint, currency: string): string {
  const digits = minorDigits(currency)
  const units = typeof minor === 'bigint' ? minor : checked(minor)
  const sign = units < 0 ? '-' : ''
  const text = String(units < 0 ? -units : units).padStart(digits + 1, '0')
  if (digits === 0) {
    return sign + text
  }
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Throws `money.outOfRange` like all arithmetic here. */
export function add(a: number, b: number): number {
  return checked(a + b)
}

export function negate(minor: number): number {
  // Not `-minor`, which makes -0 of 0.
  return 0 - checked(minor)
}

/** Only the result must be in range, so that the order of the list does not matter. */
export function sum(list: readonly number[]): number {
  let total = 0
  for (const minor of list) {
    total += minor
    // From there on additions of numbers are not exact.
    if (!Number.isSafeInteger(total)) {
      return toMinor(list.reduce((all, one) => all + BigInt(one), 0n))
    }
  }
  return total
}

/**
 * Splits a total in proportion to whole weights. The parts add up to it exactly: each is rounded
 * towards zero, and the remainder goes to the last part whose weight is not 0. Throws
 * `money.invalidWeights`.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const last = weights.findLastIndex((weight) => weight !== 0)
  const valid = weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0)
  if (last === -1 || !valid) {
    throw errors.invalidWeights()
  }
  const units = BigInt(checked(total))
  const whole = weights.reduce((all, weight) => all + BigInt(weight), 0n)
  const parts = weights.map((weight) => Number((units * BigInt(weight)) / whole))
  const remainder = total - sum(parts)
  return parts.map((part, index) => (index === last ? part + remainder : part))
}

/** Computed minor units as a number; throws `money.outOfRange`. */
export function toMinor(units: bigint): number {
  if (!isInRange(units)) {
    throw errors.outOfRange()
  }
  return Number(units)
}

/**
 * The one place that rounds money: to the nearest integer, a tie to the even one, so that ties do
 * not add up in one direction. The denominator is positive.
 */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const remainder = numerator % denominator
  const away = numerator < 0n ? -1n : 1n
  const twice = 2n * remainder * away
  const up = twice > denominator || (twice === denominator && quotient % 2n !== 0n)
  return up ? quotient + away : quotient
}

/** True if computed minor units fit an amount. */
export function isInRange(units: bigint): boolean {
  return units <= BigInt(MAX_MINOR) && units >= -BigInt(MAX_MINOR)
}

function checked(minor: number): number {
  if (!Number.isSafeInteger(minor)) {
    throw errors.outOfRange()
  }
  return minor
}
