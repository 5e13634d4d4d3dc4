import { z } from '@hono/zod-openapi'
import { CURRENCIES, type Currency, findCurrency } from '../../../domain/currency.ts'
import {
  count,
  currency,
  currencyInput,
  date,
  textField,
  presentStamps,
  stamps,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { ownOrder } from './currencies.rules.ts'
import type { OwnCurrencies } from './currencies.usecases.ts'

export const ListCurrenciesQuery = z.strictObject({
  active: z.enum(['true', 'false']).optional().openapi({
    description:
      'Whether to list only active currencies, which new data may use (true), or only withdrawn ones (false).',
  }),
})

export const CurrencyPath = z.object({
  code: z.string().openapi({ description: 'ISO 4217 code in capitals.', example: 'EUR' }),
})

const fields = {
  code: currency(),
  name: textField('English name.', 'Euro'),
  symbol: textField('Symbol for display only; many currencies share one.', '€'),
  minorDigits: integerField('Number of decimals of an amount.', 2),
  active: booleanField(
    'Whether new data may use the currency; withdrawn currencies are known for old data.',
    true,
  ),
  succeededBy: z
    .object({
      code: currency('Currency that replaced it.'),
      rate: textField('Fixed number of units of the old currency for one of the new.', '7.5345'),
      on: date('First day of the fixed rate.'),
    })
    .nullable()
    .openapi({ description: 'Replacement of a currency that ended, if there is one.' }),
}

export const CurrencyResponse = z.object(fields).openapi('CurrencyResponse')

export const CurrenciesResponse = z
  .object({
    currencies: z
      .array(CurrencyResponse)
      .openapi({ description: 'Currencies in order of their code.' }),
    count,
  })
  .openapi('CurrenciesResponse')

export const OwnCurrenciesResponse = z
  .object({
    baseCurrency: currency('Currency of totals and reports.'),
    currencies: z
      .array(
        z.object({
          ...fields,
          base: booleanField('Whether this is the base currency.', true),
          chosen: booleanField('Whether the caller added the currency to the list.', true),
          inUse: booleanField(
            'Whether an open account that the caller can see uses the currency.',
            true,
          ),
        }),
      )
      .openapi({
        description:
          'The chosen currencies in their order, then the others of open accounts and the base currency, by code.',
      }),
    count,
    ...stamps,
  })
  .openapi('OwnCurrenciesResponse')

export const ChooseCurrenciesRequest = z
  .strictObject({
    currencies: z
      .array(currencyInput('Code of a currency.'))
      .max(CURRENCIES.length)
      .openapi({
        description: 'Currencies to work with, in the order of display; may be empty.',
        example: ['EUR', 'JPY'],
      }),
  })
  .openapi('ChooseCurrenciesRequest')

export const ChangeBaseCurrencyRequest = z
  .strictObject({
    currency: currencyInput('New base currency.').openapi({ example: 'CHF' }),
  })
  .openapi('ChangeBaseCurrencyRequest')

export const presentCurrency = (currency: Currency): z.infer<typeof CurrencyResponse> => ({
  code: currency.code,
  name: currency.name,
  symbol: currency.symbol,
  minorDigits: currency.minorDigits,
  active: currency.active,
  succeededBy: currency.succeededBy ?? null,
})

export const presentCurrencies = (currencies: Currency[]): z.infer<typeof CurrenciesResponse> => ({
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
