/**
 * Money as one would reckon it by hand: whole numbers without end, and fractions of them. Nothing here is
 * taken from the code that it is compared with, the digits of the currencies included.
 */

/** Twenty currencies of all kinds that there are, with their minor digits by ISO 4217. */
export const DIGITS: Record<string, number> = {
  ...{ JPY: 0, KRW: 0, CLP: 0, VND: 0, ISK: 0 },
  ...{ EUR: 2, USD: 2, GBP: 2, CHF: 2, INR: 2, BRL: 2, HUF: 2, MRU: 2 },
  ...{ BHD: 3, KWD: 3, TND: 3, JOD: 3, OMR: 3 },
  ...{ CLF: 4, UYW: 4 },
}

const LARGEST = 2n ** 53n - 1n
const NUMERALS = '0123456789'

export const powerOfTen = (places: number): bigint => BigInt(`1${'0'.repeat(places)}`)

export const isAmount = (units: bigint): boolean => units <= LARGEST && units >= -LARGEST

/** The units of a text, or why it is none. Sign by sign, as the grammar says it. */
export function unitsOf(
  text: string,
  digits: number,
  { signed, allowZero }: { signed: boolean; allowZero: boolean },
): bigint | string {
  let units = 0n
  let wholes = 0
  let decimals: number | undefined
  let hasLeadingZero = false
  for (const [at, letter] of [...text].entries()) {
    if (letter === '-' && at === 0) {
      continue
    }
    if (letter === '.' && decimals === undefined && wholes > 0) {
      decimals = 0
      continue
    }
    const value = NUMERALS.indexOf(letter)
    if (value < 0 || (hasLeadingZero && decimals === undefined)) {
      return 'money.malformed'
    }
    if (decimals === undefined) {
      hasLeadingZero = wholes === 0 && value === 0
      wholes += 1
    } else {
      decimals += 1
    }
    units = units * 10n + BigInt(value)
  }
  if (wholes === 0 || decimals === 0 || text.length > 32) {
    return 'money.malformed'
  }
  if ((decimals ?? 0) > digits) {
    return 'money.tooManyDigits'
  }
  const signedUnits = (text.startsWith('-') ? -units : units) * powerOfTen(digits - (decimals ?? 0))
  if (!isAmount(signedUnits)) {
    return 'money.outOfRange'
  }
  if (signedUnits < 0n && !signed) {
    return 'money.negative'
  }
  return signedUnits === 0n && !allowZero ? 'money.zero' : signedUnits
}

export function textOf(units: bigint, digits: number): string {
  const magnitude = units < 0n ? -units : units
  const whole = magnitude / powerOfTen(digits)
  const rest = magnitude % powerOfTen(digits)
  const decimals = (rest + powerOfTen(digits)).toString().slice(1)
  return `${units < 0n ? '-' : ''}${whole}${digits === 0 ? '' : `.${decimals}`}`
}

export interface Fraction {
  over: bigint
  under: bigint
}

export const inverse = ({ over, under }: Fraction): Fraction => ({ over: under, under: over })

export const times = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.over,
  under: one.under * other.under,
})

/** A decimal text without a sign. */
export function fractionOf(text: string): Fraction {
  const [whole = '', decimals = ''] = text.split('.')
  return { over: BigInt(whole + decimals), under: powerOfTen(decimals.length) }
}

/** The nearest whole number; of two that are as near, the even one. */
export function nearest({ over, under }: Fraction): bigint {
  const least = over >= 0n ? over / under : -((-over + under - 1n) / under)
  const twiceOfRest = (over - least * under) * 2n
  if (twiceOfRest === under) {
    return least % 2n === 0n ? least : least + 1n
  }
  return twiceOfRest < under ? least : least + 1n
}

/** A rate with twelve places at most, without zeros at its end. */
export function rateText(rate: Fraction): string {
  const text = textOf(nearest({ over: rate.over * powerOfTen(12), under: rate.under }), 12)
  return text.replace(/\.?0+$/, '')
}
