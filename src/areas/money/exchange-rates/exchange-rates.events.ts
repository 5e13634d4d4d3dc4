import { carries, defineEvents, lifecycleOf } from '../../../platform/log/events.ts'
import type { ExchangeRateRow } from './exchange-rates.queries.ts'

const ofRates = lifecycleOf<ExchangeRateRow>()

/** Events of own rates. */
export const exchangeRateEvents = defineEvents('exchangeRate', ofRates)

/** Events of rates that everybody sees, which are an `exchangeRate` too. */
export const systemRateEvents = defineEvents('systemRate', ofRates)

export const systemRatesEvents = defineEvents('systemRates', {
  requested: carries(),
  /** From the currency, by day and by currency; those that were there already are not among them. */
  fetched: carries<{ from: string; after: Record<string, Record<string, string>> }>(),
})
