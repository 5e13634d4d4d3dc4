import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateExchangeRateRequest,
  ExchangeRateResponse,
  ListExchangeRatesQuery,
  ExchangeRatesResponse,
  ListPairQuery,
  PairPath,
  presentRate,
  presentRates,
  UpdateExchangeRateRequest,
} from './exchange-rates.contract.ts'
import * as exchangeRates from './exchange-rates.usecases.ts'

export const listExchangeRates = operation(
  'exchangeRates.read',
  {
    method: 'get',
    path: '/exchange-rate',
    operationId: 'listExchangeRates',
    summary: 'List exchange rates',
    tags: ['Exchange rates'],
    request: { query: ListExchangeRatesQuery },
    responses: { 200: json(ExchangeRatesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentRates, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => exchangeRates.listExchangeRates(ctx, query, page))
    }),
)

export const listExchangeRatesOfPair = operation(
  'exchangeRates.read',
  {
    method: 'get',
    path: '/exchange-rate/pair/{from}/{to}',
    operationId: 'listExchangeRatesOfPair',
    summary: 'List exchange rates of a currency pair',
    tags: ['Exchange rates'],
    request: { params: PairPath, query: ListPairQuery },
    responses: { 200: json(ExchangeRatesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentRates, (ctx) => {
      const query = { ...c.req.valid('query'), ...c.req.valid('param') }
      return paged(ctx, query, (page) => exchangeRates.listExchangeRatesOfPair(ctx, query, page))
    }),
)

export const createExchangeRate = operation(
  'exchangeRates.write',
  {
    method: 'post',
    path: '/exchange-rate',
    operationId: 'createExchangeRate',
    summary: 'Create an exchange rate',
    tags: ['Exchange rates'],
    request: jsonRequest(CreateExchangeRateRequest),
    responses: { 201: json(ExchangeRateResponse, 'The new rate') },
  },
  (c) =>
    answer(c, 201, presentRate, (ctx) =>
      exchangeRates.createExchangeRate(ctx, c.req.valid('json')),
    ),
)

export const getExchangeRate = operation(
  'exchangeRates.read',
  {
    method: 'get',
    path: '/exchange-rate/{id}',
    operationId: 'getExchangeRate',
    summary: 'Get an exchange rate',
    tags: ['Exchange rates'],
    request: { params: pathId('rate', 'rate') },
    responses: { 200: json(ExchangeRateResponse, 'The rate') },
  },
  (c) =>
    answer(c, 200, presentRate, (ctx) =>
      exchangeRates.getExchangeRate(ctx, c.req.valid('param').id),
    ),
)

export const updateExchangeRate = operation(
  'exchangeRates.write',
  {
    method: 'put',
    path: '/exchange-rate/{id}',
    operationId: 'updateExchangeRate',
    summary: 'Update an exchange rate',
    tags: ['Exchange rates'],
    versioned: true,
    request: { params: pathId('rate', 'rate'), ...jsonRequest(UpdateExchangeRateRequest) },
    responses: { 200: json(ExchangeRateResponse, 'The rate as it is now') },
  },
  (c) =>
    answer(c, 200, presentRate, (ctx) =>
      exchangeRates.updateExchangeRate(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteExchangeRate = operation(
  'exchangeRates.write',
  {
    method: 'delete',
    path: '/exchange-rate/{id}',
    operationId: 'deleteExchangeRate',
    summary: 'Delete an exchange rate',
    tags: ['Exchange rates'],
    versioned: true,
    request: { params: pathId('rate', 'rate') },
    responses: { 200: json(MessageResponse, 'The rate was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The exchange rate was deleted.' }),
      (ctx) => exchangeRates.deleteExchangeRate(ctx, c.req.valid('param').id),
    ),
)
