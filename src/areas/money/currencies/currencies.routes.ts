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

export const listCurrencies = operation({
  access: 'currencies.read',
  on: 'GET /currency',
  summary: 'List all currencies',
  request: { query: ListCurrenciesQuery },
  responses: { 200: json(CurrenciesResponse, 'The currencies') },
  run: (ctx, { query }) => currencies.listCurrencies(ctx, query.active),
  present: presentCurrencies,
})

export const getOwnCurrencies = operation({
  access: 'currencies.read',
  on: 'GET /currency/mine',
  summary: 'List own currencies',
  responses: { 200: json(OwnCurrenciesResponse, 'The own currencies') },
  run: (ctx) => currencies.getOwnCurrencies(ctx),
  present: presentOwnCurrencies,
})

export const setOwnCurrencies = operation({
  access: 'currencies.write',
  on: 'PUT /currency/mine',
  summary: 'Set own currencies',
  versioned: true,
  request: jsonRequest(ChooseCurrenciesRequest),
  responses: { 200: json(OwnCurrenciesResponse, 'The own currencies as they are now') },
  run: (ctx, { body }) => currencies.setOwnCurrencies(ctx, body.currencies),
  present: presentOwnCurrencies,
})

export const changeBaseCurrency = operation({
  access: 'currencies.write',
  on: 'POST /currency/base',
  summary: 'Change the base currency',
  request: jsonRequest(ChangeBaseCurrencyRequest),
  responses: { 200: json(OwnCurrenciesResponse, 'The own currencies with the new base') },
  run: (ctx, { body }) => currencies.changeBaseCurrency(ctx, body.currency),
  present: presentOwnCurrencies,
})

export const getCurrency = operation({
  access: 'currencies.read',
  on: 'GET /currency/{code}',
  summary: 'Get a currency',
  request: { params: CurrencyPath },
  responses: { 200: json(CurrencyResponse, 'The currency') },
  errors: [404],
  run: (ctx, { params }) => currencies.getCurrency(ctx, params.code),
  present: presentCurrency,
})
