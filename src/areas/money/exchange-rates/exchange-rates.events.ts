import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/events.ts'
import type { ExchangeRateRow } from './exchange-rates.queries.ts'

const ofRates = {
  created: carries<Created<ExchangeRateRow>>(),
  updated: carries<Updated<ExchangeRateRow>>(),
  deleted: carries<Deleted<ExchangeRateRow>>(),
}

/** Of own rates. */
export const exchangeRateEvents = defineEvents('exchangeRate', ofRates)

/** Of one that everybody sees: it is an `exchangeRate`, too. */
export const systemRateEvents = defineEvents('systemRate', ofRates)

export const systemRatesEvents = defineEvents('systemRates', {
  requested: carries(),
  /** From the currency, by day and by currency; those that were there already are not among them. */
  fetched: carries<{ from: string; after: Record<string, Record<string, string>> }>(),
})
