import { z } from '@hono/zod-openapi'
import { CURRENCIES, type Currency, findCurrency } from '../../../domain/currency.ts'
import {
  count,
  currency,
  currencyInput,
  textField,
  presentStamps,
  stamps,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { ownOrder } from './currencies.rules.ts'
import type { OwnCurrencies } from './currencies.usecases.ts'

export const ListCurrenciesQuery = z.strictObject({
  active: z
    .enum(['true', 'false'])
    .optional()
    .openapi({ description: 'Only those that new data may use, or only the others.' }),
})

export const CurrencyPath = z.object({
  code: z.string().openapi({ description: 'Code of ISO 4217 in capitals.', example: 'EUR' }),
})

const fields = {
  code: currency(),
  name: textField('English name.', 'Euro'),
  symbol: textField('For display only: many currencies share one.', '€'),
  minorDigits: integerField('Decimal places of an amount.', 2),
  active: booleanField('Whether new data may use it; withdrawn ones are known for old data.', true),
}

export const CurrencyResponse = z.object(fields).openapi('CurrencyResponse')

export const ListCurrenciesResponse = z
  .object({
    currencies: z.array(CurrencyResponse).openapi({ description: 'In order of code.' }),
    count,
  })
  .openapi('ListCurrenciesResponse')

export const OwnCurrenciesResponse = z
  .object({
    baseCurrency: currency('The currency that totals and reports are in.'),
    currencies: z
      .array(
        z.object({
          ...fields,
          base: booleanField('Whether it is the base currency.', true),
          chosen: booleanField('Whether the caller put it into the list.', true),
          inUse: booleanField('Whether an open account that the caller sees is in it.', true),
        }),
      )
      .openapi({
        description:
          'The chosen ones in their order, then those of open accounts and the base currency, by code.',
      }),
    count,
    ...stamps,
  })
  .openapi('OwnCurrenciesResponse')

export const ChooseCurrenciesRequest = z
  .strictObject({
    currencies: z
      .array(currencyInput('A currency to work with.'))
      .max(CURRENCIES.length)
      .openapi({
        description: 'The currencies to work with, in the order to show them; empty for none.',
        example: ['EUR', 'JPY'],
      }),
  })
  .openapi('ChooseCurrenciesRequest')

export const ChangeBaseCurrencyRequest = z
  .strictObject({
    currency: currencyInput('The new base currency.').openapi({ example: 'CHF' }),
  })
  .openapi('ChangeBaseCurrencyRequest')

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
