import { type CalendarDate, daysBetween } from './calendar.ts'
import { findCurrency, minorDigits } from './currency.ts'
import { errorTable } from './errors.ts'
import { divideHalfEven, toMinor } from './money.ts'

/**
 * The base currency of the reference rates of the European Central Bank. Any two of their currencies are one hop
 * apart over it.
 */
export const REFERENCE_CURRENCY = 'EUR'

const RATE_PLACES = 12
const RATE_SCALE = 10n ** BigInt(RATE_PLACES)

/** A rate as text: up to 12 digits on either side of the point. Zero has this form but is no rate. */
export const RATE_PATTERN = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?$/

/**
 * Units of the target currency for one unit of the source, as an exact fraction: an inverse or a
 * chain of rates is rounded once, in the amount, and never on the way. Both numbers are positive.
 */
interface Rate {
  numerator: bigint
  denominator: bigint
}

/** One `from` is worth `rate` `to`, from `date` on. */
export interface StoredRate {
  from: string
  to: string
  date: CalendarDate
  /** Decimal text as `parseRate` takes it. */
  rate: string
  /** True for the last rate of a currency that ended, which holds for good. */
  isFixed?: true
}

export interface ChosenRate {
  rate: Rate
  /** The rate for display, rounded half-even to 12 places. */
  rateText: string
  /** The day of the rate, the older one of two, of which a fixed one does not count; none for a currency and itself. */
  date: CalendarDate | undefined
  /** True if only fixed rates were used. */
  isFixed?: true
  /** The target, if the rate of the source is fixed and the date is that of the other rate. */
  datedBy?: string
  path: 'same' | 'direct' | 'inverse' | 'viaBase' | 'viaReference'
}

/** The rate of a currency into a known one on a day; undefined where there is none yet. */
export type RateOn = (currency: string, day: CalendarDate) => ChosenRate | undefined

const errors = errorTable('exchange', {
  malformedRate: [
    'invalid',
    'A rate must be a positive decimal number as text, with at most 12 digits before and after the point.',
  ],
})

/** True if a text is a positive rate. */
export const isRate = (text: string): boolean => RATE_PATTERN.test(text) && /[1-9]/.test(text)

/** Reads a rate such as `1.0842` as a count of 10^-12; throws `exchange.malformedRate`. */
export function parseRate(text: string, field?: string): bigint {
  const detail = field === undefined ? {} : { field }
  if (!RATE_PATTERN.test(text)) {
    throw errors.malformedRate(detail)
  }
  const [, decimals = ''] = text.split('.')
  const scaled = BigInt(text.replace('.', '') + '0'.repeat(RATE_PLACES - decimals.length))
  if (scaled === 0n) {
    throw errors.malformedRate(detail)
  }
  return scaled
}

/** The shortest decimal text of a count of 10^-12. */
export function formatRate(scaled: bigint): string {
  const digits = String(scaled).padStart(RATE_PLACES + 1, '0')
  const decimals = digits.slice(-RATE_PLACES).replace(/0+$/, '')
  const whole = digits.slice(0, -RATE_PLACES)
  return decimals === '' ? whole : `${whole}.${decimals}`
}

/** The rate between two amounts, in minor units of their currencies: units of the second for one of the first. */
export const rateBetween = (
  from: { minor: number; currency: string },
  to: { minor: number; currency: string },
): string =>
  formatRate(
    divideHalfEven(
      BigInt(to.minor) * 10n ** BigInt(minorDigits(from.currency)) * RATE_SCALE,
      BigInt(from.minor) * 10n ** BigInt(minorDigits(to.currency)),
    ),
  )

/** A count of 10^-12, as `parseRate` gives it, as a fraction. */
export function toRate(scaled: bigint): Rate {
  return { numerator: scaled, denominator: RATE_SCALE }
}

/**
 * Converts minor units of one currency into minor units of another, rounding half-even once; for display,
 * as the result may be beyond the range of amounts. Throws `currency.unknown`.
 */
export function convertForDisplay(
  minor: number | bigint,
  fromCurrency: string,
  toCurrency: string,
  rate: Rate,
): bigint {
  const numerator = BigInt(minor) * rate.numerator * 10n ** BigInt(minorDigits(toCurrency))
  const denominator = rate.denominator * 10n ** BigInt(minorDigits(fromCurrency))
  return divideHalfEven(numerator, denominator)
}

/** `convertForDisplay` for an amount that is stored. Throws `money.outOfRange` too. */
export const convert = (
  minor: number,
  fromCurrency: string,
  toCurrency: string,
  rate: Rate,
): number => toMinor(convertForDisplay(minor, fromCurrency, toCurrency, rate))

/** An amount, with the rate that applies to it on a day. */
export interface RatedAmount {
  currency: string
  minor: number | bigint
  day: CalendarDate
  /** Undefined where there is none. */
  chosen: ChosenRate | undefined
}

/** The date of the oldest rate; null where there was none. */
export const oldestRate = (rated: readonly Pick<RatedAmount, 'chosen'>[]): CalendarDate | null =>
  rated.flatMap(({ chosen }) => chosen?.date ?? []).toSorted()[0] ?? null

/** The conversion of an amount, which there is no rate for where `chosen` is undefined. */
export interface Exchange {
  to: string
  chosen: ChosenRate | undefined
}

/** Converts the parts of an amount by their running sums, so that they add up to the converted amount. */
export function convertParts(
  parts: readonly number[],
  from: string,
  to: string,
  rate: Rate,
): bigint[] {
  let sum = 0n
  let before = 0n
  return parts.map((minor) => {
    sum += BigInt(minor)
    const above = before
    before = convertForDisplay(sum, from, to, rate)
    return before - above
  })
}

/**
 * Shares out the converted sum of amounts of one day and currency: each counts the converted running sum up to it less that
 * before it, so that they add up to the converted sum exactly.
 */
export function shareOutConverted(
  minors: readonly (number | bigint)[],
  fromCurrency: string,
  toCurrency: string,
  { rate }: ChosenRate,
): bigint[] {
  let running = 0n
  let before = 0n
  return minors.map((minor) => {
    running += BigInt(minor)
    const converted = convertForDisplay(running, fromCurrency, toCurrency, rate)
    const counted = converted - before
    before = converted
    return counted
  })
}

/**
 * The rate from one currency to another: a direct one, else the inverse of one, else two over the
 * base currency, else two over the reference currency. `rates` holds for each pair at most one, the
 * newest on or before the wanted day. Undefined means that there is no rate; the caller reports that
 * and never assumes one.
 */
export function chooseRate(
  rates: readonly StoredRate[],
  from: string,
  to: string,
  base: string,
): ChosenRate | undefined {
  if (from === to) {
    return chosen({ numerator: 1n, denominator: 1n }, [], 'same')
  }
  const leg = findLeg(rates, from, to)
  if (leg !== undefined) {
    return chosen(leg.rate, [leg], leg.path)
  }
  return (
    hop(rates, { from, over: base, to }, 'viaBase') ??
    hop(rates, { from, over: REFERENCE_CURRENCY, to }, 'viaReference')
  )
}

/** Adds the fixed rates of those currencies that have ended by the day. A rate that is stored for a later day applies. */
export function withFixedRates(
  rates: readonly StoredRate[],
  codes: Iterable<string>,
  day: CalendarDate,
): StoredRate[] {
  let all = [...rates]
  for (const to of new Set(codes)) {
    const ended = findCurrency(to)?.succeededBy
    if (ended && ended.on <= day) {
      const { code: from, rate, on: date } = ended
      const isOfPair = (one: StoredRate) =>
        (one.from === from && one.to === to) || (one.from === to && one.to === from)
      all = all.filter((one) => !isOfPair(one) || one.date > date)
      all = all.some(isOfPair) ? all : [...all, { from, to, date, rate, isFixed: true }]
    }
  }
  return all
}

/** The longest time that a rate is current: over Easter no rates are published for four days. */
const CURRENT_DAYS = 5

/** True if a rate is too old for the day that was asked for. One that is fixed never is. */
export const isStale = ({ date, isFixed }: ChosenRate, day: CalendarDate): boolean =>
  date !== undefined && isFixed !== true && isStaleDate(date, day)

export const isStaleDate = (date: CalendarDate, day: CalendarDate): boolean =>
  daysBetween(date, day) > CURRENT_DAYS

function hop(
  rates: readonly StoredRate[],
  { from, over, to }: { from: string; over: string; to: string },
  path: ChosenRate['path'],
): ChosenRate | undefined {
  const first = findLeg(rates, from, over)
  const second = findLeg(rates, over, to)
  if (first === undefined || second === undefined) {
    return undefined
  }
  const rate = {
    numerator: first.rate.numerator * second.rate.numerator,
    denominator: first.rate.denominator * second.rate.denominator,
  }
  const isFirstFixed = first.isFixed && !second.isFixed
  return { ...chosen(rate, [first, second], path), ...(isFirstFixed ? { datedBy: to } : {}) }
}

interface Leg {
  rate: Rate
  date: CalendarDate
  isFixed: boolean
  path: 'direct' | 'inverse'
}

function findLeg(rates: readonly StoredRate[], from: string, to: string): Leg | undefined {
  const direct = rates.find((stored) => stored.from === from && stored.to === to)
  const stored = direct ?? rates.find((one) => one.from === to && one.to === from)
  if (stored === undefined) {
    return undefined
  }
  const { date, isFixed = false } = stored
  const { numerator, denominator } = toRate(parseRate(stored.rate))
  return direct
    ? { rate: { numerator, denominator }, date, isFixed, path: 'direct' }
    : { rate: { numerator: denominator, denominator: numerator }, date, isFixed, path: 'inverse' }
}

function chosen(rate: Rate, legs: Leg[], path: ChosenRate['path']): ChosenRate {
  const scaled = divideHalfEven(rate.numerator * RATE_SCALE, rate.denominator)
  const changing = legs.filter(({ isFixed }) => !isFixed)
  const isFixed = legs.length > 0 && changing.length === 0
  const [date] = (isFixed ? legs : changing).map((leg) => leg.date).toSorted()
  return { rate, rateText: formatRate(scaled), date, path, ...(isFixed ? { isFixed } : {}) }
}
