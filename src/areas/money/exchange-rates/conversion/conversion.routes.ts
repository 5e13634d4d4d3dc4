import { json, operation } from '../../../../http/route.ts'
import {
  ConvertQuery,
  ConvertResponse,
  LatestRatesResponse,
  presentConversion,
  presentLatest,
} from './conversion.contract.ts'
import * as conversion from './conversion.usecases.ts'

export const getLatestExchangeRates = operation({
  access: 'exchangeRates.read',
  on: 'GET /exchange-rate/latest',
  summary: 'List the latest exchange rates',
  responses: { 200: json(LatestRatesResponse, 'The rates, and currencies without one') },
  run: (ctx) => conversion.getLatestExchangeRates(ctx),
  present: presentLatest,
})

export const convertAmount = operation({
  access: 'exchangeRates.read',
  on: 'GET /exchange-rate/convert',
  summary: 'Convert an amount',
  request: { query: ConvertQuery },
  responses: { 200: json(ConvertResponse, 'The converted amount and the rate used') },
  errors: [404],
  run: (ctx, { query }) => conversion.convertAmount(ctx, query),
  present: presentConversion,
})
