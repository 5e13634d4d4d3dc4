import type { CalendarDate } from '../../../../domain/calendar.ts'
import {
  chooseRate,
  type ChosenRate,
  type StoredRate,
  withFixedRates,
} from '../../../../domain/exchange.ts'

export interface PackedRate {
  from: string
  to: string
  /** `date own rate`. */
  packed: string
}

/** The rate of a currency on one day; undefined where there is none. */
export type RateFinder = (currency: string) => ChosenRate | undefined

/**
 * For each day, in order, what leads into the target by the newest rates on or before it: gaps carry the last
 * rate forward, and what comes later counts for nothing.
 */
export function ratesOnDays(
  rows: PackedRate[],
  days: CalendarDate[],
  { target, base }: { target: string; base: string },
): RateFinder[] {
  const inOrder = rows.toSorted((a, b) => (a.packed < b.packed ? -1 : 1))
  const newest = new Map<string, StoredRate>()
  let next = 0
  return days.map((day) => {
    for (let one = inOrder[next]; one && one.packed.slice(0, 10) <= day; one = inOrder[++next]) {
      const { from, to, packed } = one
      const [date = '', , rate = ''] = packed.split(' ')
      newest.set(`${from} ${to}`, { from, to, date, rate })
    }
    const stored = [...newest.values()]
    const known = new Map<string, ChosenRate | undefined>()
    return (currency) => {
      if (!known.has(currency)) {
        const rates = withFixedRates(stored, [currency, target, base], day)
        known.set(currency, chooseRate(rates, currency, target, base))
      }
      return known.get(currency)
    }
  })
}
