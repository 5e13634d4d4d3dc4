import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentRate, presentRates } from './exchange-rates.presenters.ts'
import {
  CreateExchangeRateRequest,
  ExchangeRateResponse,
  ListExchangeRatesQuery,
  ListExchangeRatesResponse,
  ListPairQuery,
  PairPath,
  UpdateExchangeRateRequest,
} from './exchange-rates.schemas.ts'
import {
  changeExchangeRate,
  createExchangeRate,
  findExchangeRate,
  listExchangeRates,
  listRatesOfPair,
  removeExchangeRate,
} from './exchange-rates.usecases.ts'

export const exchangeRateRoutes = newArea()

export const getExchangeRates = defineRoute('exchangeRates.read', {
  method: 'get',
  path: '/exchange-rate',
  operationId: 'listExchangeRates',
  summary: 'Exchange rates, own and of the system, newest date first, own ones before the others',
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

export const getRatesOfPair = defineRoute('exchangeRates.read', {
  method: 'get',
  path: '/exchange-rate/pair/{from}/{to}',
  operationId: 'listExchangeRatesOfPair',
  summary: 'The series of a pair as it is stored, newest date first, own rates before the others',
  tags: ['Exchange rates'],
  request: { params: PairPath, query: ListPairQuery },
  responses: { 200: json(ListExchangeRatesResponse, 'One page of it') },
})
exchangeRateRoutes.openapi(getRatesOfPair, (c) =>
  answer(c, 200, presentRates, (ctx) => {
    const query = { ...c.req.valid('query'), ...c.req.valid('param') }
    return paged(ctx, query, (page) => listRatesOfPair(ctx, query, page))
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

export const getExchangeRate = defineRoute('exchangeRates.read', {
  method: 'get',
  path: '/exchange-rate/{id}',
  operationId: 'getExchangeRate',
  summary: 'One exchange rate, own or of the system',
  tags: ['Exchange rates'],
  request: { params: pathId('rate', 'rate') },
  responses: { 200: json(ExchangeRateResponse, 'The rate') },
  errors: [404],
})
exchangeRateRoutes.openapi(getExchangeRate, (c) =>
  answer(c, 200, presentRate, (ctx) => findExchangeRate(ctx, c.req.valid('param').id)),
)

export const putExchangeRate = defineRoute('exchangeRates.write', {
  method: 'put',
  path: '/exchange-rate/{id}',
  operationId: 'updateExchangeRate',
  summary: 'Change an own exchange rate: what is sent; 403 for one of the system',
  tags: ['Exchange rates'],
  versioned: true,
  request: { params: pathId('rate', 'rate'), ...jsonRequest(UpdateExchangeRateRequest) },
  responses: { 200: json(ExchangeRateResponse, 'The rate as it is now') },
  errors: [404],
})
exchangeRateRoutes.openapi(putExchangeRate, (c) =>
  answer(c, 200, presentRate, (ctx) =>
    changeExchangeRate(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteExchangeRate = defineRoute('exchangeRates.write', {
  method: 'delete',
  path: '/exchange-rate/{id}',
  operationId: 'deleteExchangeRate',
  summary: 'Delete an own exchange rate; 403 for one of the system',
  tags: ['Exchange rates'],
  versioned: true,
  request: { params: pathId('rate', 'rate') },
  responses: { 200: json(MessageResponse, 'The rate is gone') },
  errors: [404],
})
exchangeRateRoutes.openapi(deleteExchangeRate, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The exchange rate was deleted.' }),
    (ctx) => removeExchangeRate(ctx, c.req.valid('param').id),
  ),
)
