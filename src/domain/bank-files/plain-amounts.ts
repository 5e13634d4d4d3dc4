import { divideHalfEven } from '../money.ts'
import { canonicalDecimal, type DecimalText, fromUnits, toUnits } from './decimals.ts'

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
