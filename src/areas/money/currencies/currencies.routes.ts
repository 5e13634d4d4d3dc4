import { answer } from '../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  ChangeBaseCurrencyRequest,
  ChooseCurrenciesRequest,
  CurrencyPath,
  CurrencyResponse,
  ListCurrenciesQuery,
  CurrenciesResponse,
  OwnCurrenciesResponse,
  presentCurrencies,
  presentCurrency,
  presentOwnCurrencies,
} from './currencies.contract.ts'
import * as currencies from './currencies.usecases.ts'

export const listCurrencies = operation(
  'currencies.read',
  {
    method: 'get',
    path: '/currency',
    operationId: 'listCurrencies',
    summary: 'List all currencies',
    tags: ['Currencies'],
    request: { query: ListCurrenciesQuery },
    responses: { 200: json(CurrenciesResponse, 'The currencies') },
  },
  (c) =>
    answer(c, 200, presentCurrencies, (ctx) =>
      currencies.listCurrencies(ctx, c.req.valid('query').active),
    ),
)

export const getOwnCurrencies = operation(
  'currencies.read',
  {
    method: 'get',
    path: '/currency/mine',
    operationId: 'getOwnCurrencies',
    summary: 'List own currencies',
    tags: ['Currencies'],
    responses: { 200: json(OwnCurrenciesResponse, 'The own currencies') },
  },
  (c) => answer(c, 200, presentOwnCurrencies, currencies.getOwnCurrencies),
)

export const setOwnCurrencies = operation(
  'currencies.write',
  {
    method: 'put',
    path: '/currency/mine',
    operationId: 'setOwnCurrencies',
    summary: 'Set own currencies',
    tags: ['Currencies'],
    versioned: true,
    request: jsonRequest(ChooseCurrenciesRequest),
    responses: { 200: json(OwnCurrenciesResponse, 'The own currencies as they are now') },
  },
  (c) =>
    answer(c, 200, presentOwnCurrencies, (ctx) =>
      currencies.setOwnCurrencies(ctx, c.req.valid('json').currencies),
    ),
)

export const changeBaseCurrency = operation(
  'currencies.write',
  {
    method: 'post',
    path: '/currency/base',
    operationId: 'changeBaseCurrency',
    summary: 'Change the base currency',
    tags: ['Currencies'],
    request: jsonRequest(ChangeBaseCurrencyRequest),
    responses: { 200: json(OwnCurrenciesResponse, 'The own currencies with the new base') },
  },
  (c) =>
    answer(c, 200, presentOwnCurrencies, (ctx) =>
      currencies.changeBaseCurrency(ctx, c.req.valid('json').currency),
    ),
)

export const getCurrency = operation(
  'currencies.read',
  {
    method: 'get',
    path: '/currency/{code}',
    operationId: 'getCurrency',
    summary: 'Get a currency',
    tags: ['Currencies'],
    request: { params: CurrencyPath },
    responses: { 200: json(CurrencyResponse, 'The currency') },
    errors: [404],
  },
  (c) =>
    answer(c, 200, presentCurrency, (ctx) =>
      currencies.getCurrency(ctx, c.req.valid('param').code),
    ),
)
