import { divideHalfEven } from '../money.ts'

/**
 * Exact decimal numbers as canonical text: no needless zeros, no plus, no minus zero. So equal amounts are equal texts,
 * and they have no more decimals than their currency where they can.
 */
export type DecimalText = string

/** The text of digits with one point, without needless zeros. */
export function canonicalDecimal(negative: boolean, whole: string, decimals: string): DecimalText {
  let start = 0
  while (start < whole.length - 1 && whole.charCodeAt(start) === 48) {
    start += 1
  }
  let end = decimals.length
  while (end > 0 && decimals.charCodeAt(end - 1) === 48) {
    end -= 1
  }
  const integer = whole === '' ? '0' : whole.slice(start)
  if (end === 0) {
    return negative && integer !== '0' ? `-${integer}` : integer
  }
  return `${negative ? '-' : ''}${integer}.${decimals.slice(0, end)}`
}

/** Counts the digits after the decimal point. */
export function decimalsOf(text: DecimalText): number {
  const point = text.indexOf('.')
  return point === -1 ? 0 : text.length - point - 1
}

export const isNegativeDecimal = (text: DecimalText): boolean => text.startsWith('-')

export const negateDecimal = (text: DecimalText): DecimalText =>
  text === '0' ? text : isNegativeDecimal(text) ? text.slice(1) : `-${text}`

export const absoluteDecimal = (text: DecimalText): DecimalText =>
  isNegativeDecimal(text) ? text.slice(1) : text

/** The amount in units of 10 to the power of minus `scale`, where that is exact; for comparing many amounts fast. */
export function toSafeUnits(text: DecimalText, scale: number): number | undefined {
  const decimals = decimalsOf(text)
  if (decimals > scale) {
    return undefined
  }
  const digits = decimals === 0 ? text : text.slice(0, -decimals - 1) + text.slice(-decimals)
  // Up to 15 digits a number is exact.
  return digits.length + scale - decimals > 15
    ? undefined
    : Number(digits) * 10 ** (scale - decimals)
}

/** The amount in units of 10 to the power of minus `scale`, which is at least its number of decimals. */
export const toUnits = (text: DecimalText, scale: number): bigint =>
  BigInt(text.replace('.', '') + '0'.repeat(scale - decimalsOf(text)))

export function fromUnits(units: bigint, scale: number): DecimalText {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const point = digits.length - scale
  return canonicalDecimal(units < 0n, digits.slice(0, point), digits.slice(point))
}

/** Sorts by magnitude, the largest first. */
export function compareMagnitudes(a: DecimalText, b: DecimalText): number {
  const scale = Math.max(decimalsOf(a), decimalsOf(b))
  return Number(toUnits(absoluteDecimal(b), scale) - toUnits(absoluteDecimal(a), scale))
}

export function sumDecimals(list: readonly DecimalText[]): DecimalText {
  const scale = Math.max(0, ...list.map(decimalsOf))
  return fromUnits(
    list.reduce((total, text) => total + toUnits(text, scale), 0n),
    scale,
  )
}

/** Digits with at most one mark, or with a mark for thousands and another one for decimals. */
const PLAIN = /^([+-]?)([0-9]*)(?:[.,]([0-9]*))?$/
const GROUPED = /^[+-]?[0-9]{1,3}(?:(?:,[0-9]{3})+\.[0-9]*|(?:\.[0-9]{3})+,[0-9]*)$/

/** Longer ones are in no file that is meant well. */
const MAX_DIGITS = 40

/**
 * The amount that a format with a decimal mark of its own writes, such as `-1234,50`, `+.5` or `1,234.50`. A single
 * mark is that of the decimals, so there is nothing to find out. Undefined where the text is no amount.
 */
export function readPlainAmount(text: string): DecimalText | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_DIGITS || !/[0-9]/.test(trimmed)) {
    return undefined
  }
  const found = PLAIN.exec(GROUPED.test(trimmed) ? withoutGroups(trimmed) : trimmed)
  return found ? canonicalDecimal(found[1] === '-', found[2] as string, found[3] ?? '') : undefined
}

/** Takes out the mark of thousands, which is the first one. */
const withoutGroups = (text: string) =>
  text.replaceAll(text.includes('.') && text.indexOf('.') < text.indexOf(',') ? '.' : ',', '')

/** No amount has more digits than this. */
const SCALE = 10n ** BigInt(MAX_DIGITS)

const scaled = (amount: DecimalText) => toUnits(amount, MAX_DIGITS)

const rounded = (numerator: bigint, denominator: bigint, digits: number) =>
  fromUnits(divideHalfEven(numerator * 10n ** BigInt(digits), denominator), digits)

/** Rounded to that many decimals, a tie to the even digit. */
export const product = (amount: DecimalText, rate: DecimalText, digits: number): DecimalText =>
  rounded(scaled(amount) * scaled(rate), SCALE * SCALE, digits)

/** Undefined for division by zero or less, which no rate is. */
export function quotient(
  amount: DecimalText,
  rate: DecimalText,
  digits: number,
): DecimalText | undefined {
  const divisor = scaled(rate)
  return divisor > 0n ? rounded(scaled(amount), divisor, digits) : undefined
}
