import { z } from '@hono/zod-openapi'
import { CURRENCIES } from '../../domain/currency.ts'
import { count, currency, currencyInput, output, stamps, whole, yes } from '../../http/fields.ts'

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
  name: output('English name.', 'Euro'),
  symbol: output('For display only: many currencies share one.', '€'),
  minorDigits: whole('Decimal places of an amount.', 2),
  active: yes('Whether new data may use it; withdrawn ones are known for old data.', true),
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
          base: yes('Whether it is the base currency.', true),
          chosen: yes('Whether the caller put it into the list.', true),
          inUse: yes('Whether an open account that the caller sees is in it.', true),
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
