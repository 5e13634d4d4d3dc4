import { type CalendarDate, daysBetween } from '../../../domain/calendar.ts'
import { type ChosenRate, isStale } from '../../../domain/exchange.ts'

/** A currency whose amounts were converted at a rate that is too old. */
export interface RateWarning {
  code: 'exchangeRates.stale'
  currency: string
  rateDate: CalendarDate
  /** From the rate to the day that was asked for. */
  days: number
}

interface UsedRate {
  currency: string
  /** Undefined where there is none. */
  chosen: ChosenRate | undefined
  /** The day that was asked for. */
  day: CalendarDate
  /** Zero is worth zero at any rate. */
  minor: number | bigint
}

/** One warning for each currency, of the rate that was too old by most, by code. */
export function staleWarnings(used: UsedRate[]): RateWarning[] {
  const worst = new Map<string, RateWarning>()
  for (const { currency, chosen, day, minor } of used) {
    if (chosen?.date !== undefined && Number(minor) !== 0 && isStale(chosen, day)) {
      const days = daysBetween(chosen.date, day)
      if (days > (worst.get(currency)?.days ?? 0)) {
        worst.set(currency, { code: 'exchangeRates.stale', currency, rateDate: chosen.date, days })
      }
    }
  }
  return [...worst.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}
