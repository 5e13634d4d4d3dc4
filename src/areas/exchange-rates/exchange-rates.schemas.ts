import { z } from '@hono/zod-openapi'
import { RATE_PATTERN } from '../../domain/exchange.ts'
import {
  count,
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  nextCursor,
  output,
  stamps,
} from '../../http/fields.ts'
import { pageQuery } from '../../http/pagination.ts'

export const ListExchangeRatesQuery = z.strictObject({
  from: currencyInput('Only rates from this currency.').optional(),
  to: currencyInput('Only rates to this currency.').openapi({ example: 'USD' }).optional(),
  since: dateInput('Only rates of this date and later.').optional(),
  until: dateInput('Only rates of this date and earlier.').optional(),
  ...pageQuery(),
})

export const CreateExchangeRateRequest = z
  .strictObject({
    from: currencyInput('The currency of which the rate prices one unit.'),
    to: currencyInput('The currency of the price.').openapi({ example: 'USD' }),
    date: dateInput('From when the rate holds.'),
    rate: z.string().max(64).openapi({
      description: 'How many units of `to` one unit of `from` is worth: decimal text.',
      pattern: RATE_PATTERN.source,
      example: '1.0842',
    }),
  })
  .openapi('CreateExchangeRateRequest')

export const ExchangeRateResponse = z
  .object({
    id: id('rate', 'Id of the rate.'),
    from: currency('The currency of which the rate prices one unit.'),
    to: currency('The currency of the price.').openapi({ example: 'USD' }),
    date: date('From when the rate holds.'),
    rate: output('How many units of `to` one unit of `from` is worth: decimal text.', '1.0842'),
    source: z.enum(['user', 'system']).openapi({ description: 'Who added it.', example: 'user' }),
    ...stamps,
  })
  .openapi('ExchangeRateResponse')

export const ListExchangeRatesResponse = z
  .object({
    exchangeRates: z
      .array(ExchangeRateResponse)
      .openapi({ description: 'One page, newest date first.' }),
    count,
    nextCursor,
  })
  .openapi('ListExchangeRatesResponse')
