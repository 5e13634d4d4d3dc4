import { carries, defineEvents, lifecycleOf, type Thing } from '../../../platform/log/events.ts'
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
  /** With the columns of the file that were passed over. */
  filled: carries<{
    from: string
    file: string
    rates: number
    firstDate: string
    lastDate: string
    unknown: string[]
  }>(),
})

/** The subject of events about many rates. */
export const OF_RATES: Thing = { id: null, resourceType: 'exchangeRate' }
