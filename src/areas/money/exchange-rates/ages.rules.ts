import { type CalendarDate, daysBetween } from '../../../domain/calendar.ts'
import { isStale, type RatedAmount } from '../../../domain/exchange.ts'

/** A currency whose rate was too old when it was used. */
export interface RateWarning {
  code: 'exchangeRates.stale'
  currency: string
  rateDate: CalendarDate
  /** From the rate to the day that was asked for. */
  days: number
}

/** One warning for each currency, of the rate that was too old by most, by code. Zero is worth zero at any rate. */
export function staleWarnings(used: readonly RatedAmount[]): RateWarning[] {
  const worst = new Map<string, RateWarning>()
  for (const { chosen, day, minor, ...amount } of used) {
    const currency = chosen?.datedBy ?? amount.currency
    if (chosen?.date !== undefined && Number(minor) !== 0 && isStale(chosen, day)) {
      const days = daysBetween(chosen.date, day)
      if (days > (worst.get(currency)?.days ?? 0)) {
        worst.set(currency, { code: 'exchangeRates.stale', currency, rateDate: chosen.date, days })
      }
    }
  }
  return [...worst.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}
