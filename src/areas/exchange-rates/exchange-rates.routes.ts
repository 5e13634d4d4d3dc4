import { answer } from '../../http/answer.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentRate, presentRates } from './exchange-rates.presenters.ts'
import {
  CreateExchangeRateRequest,
  ExchangeRateResponse,
  ListExchangeRatesQuery,
  ListExchangeRatesResponse,
} from './exchange-rates.schemas.ts'
import { createExchangeRate, listExchangeRates } from './exchange-rates.usecases.ts'

export const exchangeRateRoutes = newArea()

export const getExchangeRates = defineRoute('exchangeRates.read', {
  method: 'get',
  path: '/exchange-rate',
  operationId: 'listExchangeRates',
  summary: 'The own exchange rates, newest date first',
  tags: ['Exchange rates'],
  request: { query: ListExchangeRatesQuery },
  responses: { 200: json(ListExchangeRatesResponse, 'One page of them') },
})
exchangeRateRoutes.openapi(getExchangeRates, (c) =>
  answer(c, 200, presentRates, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => listExchangeRates(ctx, query, page))
  }),
)

export const postExchangeRate = defineRoute('exchangeRates.write', {
  method: 'post',
  path: '/exchange-rate',
  operationId: 'createExchangeRate',
  summary: 'Add one exchange rate of a pair of currencies on a date',
  tags: ['Exchange rates'],
  request: jsonRequest(CreateExchangeRateRequest),
  responses: { 201: json(ExchangeRateResponse, 'The new rate') },
})
exchangeRateRoutes.openapi(postExchangeRate, (c) =>
  answer(c, 201, presentRate, (ctx) => createExchangeRate(ctx, c.req.valid('json'))),
)
