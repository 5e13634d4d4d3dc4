import type { CalendarDate } from '../../../../domain/calendar.ts'
import { type ChosenRate, convertForDisplay } from '../../../../domain/exchange.ts'
import type { LedgerDay, LedgerTotals, MovedSums } from '../../../../ledger/search/search.public.ts'

/** Totals without a rate, and the first and the last of their days. */
export interface UnconvertedTotals extends LedgerTotals {
  from: CalendarDate
  to: CalendarDate
}

export interface ConvertedTotals {
  converted: LedgerTotals
  unconverted: UnconvertedTotals[]
}

/** The most groups of one currency and day that are converted at once. */
export const MOST_CONVERTED = 20_000

/** The sum of totals of one currency. */
function sumOf(totals: MovedSums[]): MovedSums {
  const sum = { count: 0, inflow: 0n, outflow: 0n }
  for (const { count, inflow, outflow } of totals) {
    sum.count += count
    sum.inflow += inflow
    sum.outflow += outflow
  }
  return sum
}

/** The totals of each currency, in the order of their codes. */
const byCurrency = <Totals extends LedgerTotals>(totals: Totals[]): [string, Totals[]][] =>
  [...Map.groupBy(totals, ({ currency }) => currency)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )

/**
 * Converts what came in and the net of each currency and day once; what went out is the rest, so that the three agree.
 */
export function convertTotals(
  days: LedgerDay[],
  target: string,
  rateOf: (day: LedgerDay) => ChosenRate | undefined,
): ConvertedTotals {
  const converted: MovedSums[] = []
  const missing: LedgerDay[] = []
  for (const day of days) {
    const rate = rateOf(day)?.rate
    if (rate) {
      const into = (minor: bigint) => convertForDisplay(minor, day.currency, target, rate)
      const inflow = into(day.inflow)
      const net = into(day.inflow + day.outflow)
      converted.push({ count: day.count, inflow, outflow: net - inflow })
    } else {
      missing.push(day)
    }
  }
  return {
    converted: { currency: target, ...sumOf(converted) },
    unconverted: byCurrency(missing).map(([currency, some]) => {
      const dates = some.map(({ date }) => date).toSorted()
      return { currency, ...sumOf(some), from: dates[0] ?? '', to: dates.at(-1) ?? '' }
    }),
  }
}
