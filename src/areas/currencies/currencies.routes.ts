import { answer } from '../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import {
  presentCurrencies,
  presentCurrency,
  presentOwnCurrencies,
} from './currencies.presenters.ts'
import {
  ChangeBaseCurrencyRequest,
  ChooseCurrenciesRequest,
  CurrencyPath,
  CurrencyResponse,
  ListCurrenciesQuery,
  ListCurrenciesResponse,
  OwnCurrenciesResponse,
} from './currencies.schemas.ts'
import {
  changeBaseCurrency,
  findOneCurrency,
  findOwnCurrencies,
  listCurrencies,
  setOwnCurrencies,
} from './currencies.usecases.ts'

export const currencyRoutes = newArea()

export const getCurrencies = defineRoute('currencies.read', {
  method: 'get',
  path: '/currency',
  operationId: 'listCurrencies',
  summary: 'Every currency of ISO 4217 that has an exact unit, withdrawn ones included',
  tags: ['Currencies'],
  request: { query: ListCurrenciesQuery },
  responses: { 200: json(ListCurrenciesResponse, 'The currencies') },
})
currencyRoutes.openapi(getCurrencies, (c) =>
  answer(c, 200, presentCurrencies, (ctx) => listCurrencies(ctx, c.req.valid('query').active)),
)

export const getOwnCurrencies = defineRoute('currencies.read', {
  method: 'get',
  path: '/currency/mine',
  operationId: 'getOwnCurrencies',
  summary: 'The currencies that the caller works with, the base currency marked',
  tags: ['Currencies'],
  responses: { 200: json(OwnCurrenciesResponse, 'The own currencies') },
})
currencyRoutes.openapi(getOwnCurrencies, (c) =>
  answer(c, 200, presentOwnCurrencies, findOwnCurrencies),
)

export const putOwnCurrencies = defineRoute('currencies.write', {
  method: 'put',
  path: '/currency/mine',
  operationId: 'setOwnCurrencies',
  summary: 'Choose the currencies to work with, and their order',
  tags: ['Currencies'],
  versioned: true,
  request: jsonRequest(ChooseCurrenciesRequest),
  responses: { 200: json(OwnCurrenciesResponse, 'The own currencies as they are now') },
})
currencyRoutes.openapi(putOwnCurrencies, (c) =>
  answer(c, 200, presentOwnCurrencies, (ctx) =>
    setOwnCurrencies(ctx, c.req.valid('json').currencies),
  ),
)

export const postBaseCurrency = defineRoute('currencies.write', {
  method: 'post',
  path: '/currency/base',
  operationId: 'changeBaseCurrency',
  summary: 'Change the base currency; nothing is stored in it, so nothing is recomputed',
  tags: ['Currencies'],
  request: jsonRequest(ChangeBaseCurrencyRequest),
  responses: { 200: json(OwnCurrenciesResponse, 'The own currencies with the new base') },
})
currencyRoutes.openapi(postBaseCurrency, (c) =>
  answer(c, 200, presentOwnCurrencies, (ctx) =>
    changeBaseCurrency(ctx, c.req.valid('json').currency),
  ),
)

export const getCurrency = defineRoute('currencies.read', {
  method: 'get',
  path: '/currency/{code}',
  operationId: 'getCurrency',
  summary: 'One currency',
  tags: ['Currencies'],
  request: { params: CurrencyPath },
  responses: { 200: json(CurrencyResponse, 'The currency') },
  errors: [404],
})
currencyRoutes.openapi(getCurrency, (c) =>
  answer(c, 200, presentCurrency, (ctx) => findOneCurrency(ctx, c.req.valid('param').code)),
)
