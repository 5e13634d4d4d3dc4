import { answer } from '../../../../http/answer.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  ConvertQuery,
  ConvertResponse,
  LatestRatesResponse,
  presentConversion,
  presentLatest,
} from './conversion.contract.ts'
import * as conversion from './conversion.usecases.ts'

export const getLatestExchangeRates = operation(
  'exchangeRates.read',
  {
    method: 'get',
    path: '/exchange-rate/latest',
    operationId: 'getLatestExchangeRates',
    summary: 'List the latest exchange rates',
    tags: ['Exchange rates'],
    responses: { 200: json(LatestRatesResponse, 'The rates, and currencies without one') },
  },
  (c) => answer(c, 200, presentLatest, conversion.getLatestExchangeRates),
)

export const convertAmount = operation(
  'exchangeRates.read',
  {
    method: 'get',
    path: '/exchange-rate/convert',
    operationId: 'convertAmount',
    summary: 'Convert an amount',
    tags: ['Exchange rates'],
    request: { query: ConvertQuery },
    responses: { 200: json(ConvertResponse, 'The converted amount and the rate used') },
    errors: [404],
  },
  (c) =>
    answer(c, 200, presentConversion, (ctx) => conversion.convertAmount(ctx, c.req.valid('query'))),
)
