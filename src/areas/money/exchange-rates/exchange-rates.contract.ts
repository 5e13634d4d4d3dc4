import { z } from '@hono/zod-openapi'
import { RATE_PATTERN } from '../../../domain/exchange.ts'
import {
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  textField,
  presentStamps,
  stamps,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { ExchangeRateRow } from './exchange-rates.queries.ts'

const span = {
  fromDate: dateInput('Only rates on or after this date.').optional(),
  toDate: dateInput('Only rates on or before this date.').optional(),
}

const source = z.enum(['user', 'system']).openapi({
  description: 'Whether the rate is the user’s own or one of the system.',
  example: 'user',
})

/** Query fields for rates of the system. */
const ofSystem = {
  from: currencyInput('Only rates from this currency.').optional(),
  to: currencyInput('Only rates to this currency.').openapi({ example: 'USD' }).optional(),
  ...span,
  ...pageQuery(),
}

export const ListSystemRatesQuery = z.strictObject(ofSystem)

export const ListExchangeRatesQuery = z.strictObject({ ...ofSystem, source: source.optional() })

export const PairPath = z.object({
  from: currencyInput('Currency that is converted from.'),
  to: currencyInput('Currency that is converted into.').openapi({ example: 'USD' }),
})

export const ListPairQuery = z.strictObject({ ...span, ...pageQuery() })

const content = {
  from: currencyInput('Currency that is converted from.'),
  to: currencyInput('Currency that is converted into.').openapi({ example: 'USD' }),
  date: dateInput('First day on which the rate applies.'),
  rate: z.string().max(64).openapi({
    description: 'Number of units of `to` that one unit of `from` is worth, as decimal text.',
    pattern: RATE_PATTERN.source,
    example: '1.0842',
  }),
}

export const CreateExchangeRateRequest = z
  .strictObject(content)
  .openapi('CreateExchangeRateRequest')

export const UpdateExchangeRateRequest = z
  .strictObject({
    from: content.from.optional(),
    to: content.to.optional(),
    date: content.date.optional(),
    rate: content.rate.optional(),
  })
  .openapi('UpdateExchangeRateRequest')

export const ExchangeRateResponse = z
  .object({
    id: id('rate', 'Id of the rate.'),
    from: currency('Currency that is converted from.'),
    to: currency('Currency that is converted into.').openapi({ example: 'USD' }),
    date: date('First day on which the rate applies.'),
    rate: textField(
      'Number of units of `to` that one unit of `from` is worth, as decimal text.',
      '1.0842',
    ),
    source,
    ...stamps,
  })
  .openapi('ExchangeRateResponse')

export const ExchangeRatesResponse = pageResponse(
  'exchangeRates',
  ExchangeRateResponse,
  'One page of rates, newest date first.',
).openapi('ExchangeRatesResponse')

export const presentRate = (rate: ExchangeRateRow): z.infer<typeof ExchangeRateResponse> => ({
  id: rate.id,
  from: rate.from,
  to: rate.to,
  date: rate.date,
  rate: rate.rate,
  source: rate.ownerId === null ? 'system' : 'user',
  ...presentStamps(rate),
})

export const presentRates = presentPage('exchangeRates', presentRate)
