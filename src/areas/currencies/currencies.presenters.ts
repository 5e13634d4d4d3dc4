import type { z } from '@hono/zod-openapi'
import { type Currency, findCurrency } from '../../domain/currency.ts'
import { presentStamps } from '../../http/fields.ts'
import { ownOrder } from './currencies.rules.ts'
import type {
  CurrencyResponse,
  ListCurrenciesResponse,
  OwnCurrenciesResponse,
} from './currencies.schemas.ts'
import type { OwnCurrencies } from './currencies.usecases.ts'

export const presentCurrency = (currency: Currency): z.infer<typeof CurrencyResponse> => ({
  code: currency.code,
  name: currency.name,
  symbol: currency.symbol,
  minorDigits: currency.minorDigits,
  active: currency.active,
})

export const presentCurrencies = (
  currencies: Currency[],
): z.infer<typeof ListCurrenciesResponse> => ({
  currencies: currencies.map(presentCurrency),
  count: currencies.length,
})

export function presentOwnCurrencies(own: OwnCurrencies): z.infer<typeof OwnCurrenciesResponse> {
  const listed = ownOrder(own).flatMap((code) => findCurrency(code) ?? [])
  return {
    baseCurrency: own.base,
    currencies: listed.map((currency) => ({
      ...presentCurrency(currency),
      base: currency.code === own.base,
      chosen: own.chosen.includes(currency.code),
      inUse: own.inUse.includes(currency.code),
    })),
    count: listed.length,
    ...presentStamps(own),
  }
}
