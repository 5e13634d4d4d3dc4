import { answer } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentConversion, presentLatest } from './conversion.presenters.ts'
import { ConvertQuery, ConvertResponse, LatestRatesResponse } from './conversion.schemas.ts'
import { convertAmount, findLatestRates } from './conversion.usecases.ts'

export const conversionRoutes = newArea()

export const getLatestRates = defineRoute('exchangeRates.read', {
  method: 'get',
  path: '/exchange-rate/latest',
  operationId: 'getLatestExchangeRates',
  summary: 'The newest rate to the base currency of every currency in use, with its age',
  tags: ['Exchange rates'],
  responses: { 200: json(LatestRatesResponse, 'The rates, and what has none') },
})
conversionRoutes.openapi(getLatestRates, (c) => answer(c, 200, presentLatest, findLatestRates))

export const getConversion = defineRoute('exchangeRates.read', {
  method: 'get',
  path: '/exchange-rate/convert',
  operationId: 'convertAmount',
  summary: 'Convert an amount by the rates of a day; 404 when there are none',
  tags: ['Exchange rates'],
  request: { query: ConvertQuery },
  responses: { 200: json(ConvertResponse, 'What it is worth, and by which way') },
  errors: [404],
})
conversionRoutes.openapi(getConversion, (c) =>
  answer(c, 200, presentConversion, (ctx) => convertAmount(ctx, c.req.valid('query'))),
)
