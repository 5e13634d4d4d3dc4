import type { CalendarDate } from '../calendar.ts'
import { convert, type RateOn } from '../exchange.ts'
import { sum } from '../money.ts'

/** An amount that counts on a line or in a figure of a period. */
export interface Counted {
  /** Index of the period. */
  period: number
  /** If the amount is in the currency of the budget, any day of the period. */
  day: CalendarDate
  currency: string
  /** The line or figure that it counts in. */
  key: string
  /** Empty for none. */
  categoryId: string
  minor: number
}

/** An amount that counts nowhere, as its currency has no rate on or before these days. */
export interface Unconverted {
  period: number
  key: string
  currency: string
  minor: number
  from: CalendarDate
  to: CalendarDate
}

/** The sums of a period by line or figure, in the currency of the budget. */
export type LineSums = ReadonlyMap<string, number>

export interface Conversion {
  /** By index of the period. */
  sums: ReadonlyMap<number, LineSums>
  unconverted: Unconverted[]
  /** The oldest day of a rate that was used, by index of the period. */
  ratesAsOf: ReadonlyMap<number, CalendarDate>
}

/**
 * Sums up the amounts that count, by period and key. Amounts in other currencies are summed by day and currency first, converted at the
 * rate of the day and rounded half to even, once: a purchase and its refund on one day cancel out exactly.
 */
export function convertSums(
  counted: readonly Counted[],
  currency: string,
  rateOn: RateOn,
): Conversion {
  const sums = new Map<number, Map<string, number>>()
  const missing = new Map<string, Unconverted>()
  const ratesAsOf = new Map<number, CalendarDate>()
  const groups = Map.groupBy(counted, ({ period, day, currency: own, key }) =>
    own === currency ? `${period} ${key}` : `${period} ${key} ${own} ${day}`,
  )
  for (const group of groups.values()) {
    const [first] = group as [Counted, ...Counted[]]
    const minor = sum(group.map((one) => one.minor))
    if (minor === 0) {
      continue
    }
    const ofPeriod = sums.get(first.period) ?? new Map<string, number>()
    const add = (converted: number) =>
      ofPeriod.set(first.key, sum([ofPeriod.get(first.key) ?? 0, converted]))
    if (first.currency === currency) {
      add(minor)
    } else {
      const rate = rateOn(first.currency, first.day)
      if (!rate) {
        addMissing(missing, first, minor)
        continue
      }
      const oldest = ratesAsOf.get(first.period)
      if (rate.date && !(oldest && oldest < rate.date)) {
        ratesAsOf.set(first.period, rate.date)
      }
      add(convert(minor, first.currency, currency, rate.rate))
    }
    sums.set(first.period, ofPeriod)
  }
  return { sums, unconverted: [...missing.values()], ratesAsOf }
}

function addMissing(missing: Map<string, Unconverted>, first: Counted, minor: number): void {
  const { period, key, currency, day } = first
  const name = `${period} ${key} ${currency}`
  const before = missing.get(name) ?? { period, key, currency, minor: 0, from: day, to: day }
  missing.set(name, {
    ...before,
    minor: sum([before.minor, minor]),
    from: day < before.from ? day : before.from,
    to: day > before.to ? day : before.to,
  })
}
