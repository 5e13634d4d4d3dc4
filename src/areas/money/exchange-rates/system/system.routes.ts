import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  AddExchangeRatesRequest,
  AddExchangeRatesResponse,
  presentAdded,
} from '../bulk/bulk.contract.ts'
import * as bulk from '../bulk/bulk.usecases.ts'
import {
  ExchangeRatesResponse,
  ListSystemRatesQuery,
  presentRates,
} from '../exchange-rates.contract.ts'
import * as exchangeRates from '../exchange-rates.usecases.ts'
import * as system from './system.usecases.ts'

export const listSystemRates = operation(
  'systemRates.read',
  {
    method: 'get',
    path: '/admin/exchange-rates',
    operationId: 'listSystemRates',
    summary: 'List exchange rates of the system',
    tags: ['Exchange rates'],
    request: { query: ListSystemRatesQuery },
    responses: { 200: json(ExchangeRatesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentRates, (ctx) => {
      const query = c.req.valid('query')
      const filter = { ...query, source: 'system' as const }
      return paged(ctx, query, (page) => exchangeRates.listExchangeRates(ctx, filter, page))
    }),
)

export const createSystemRates = operation(
  'systemRates.write',
  {
    method: 'post',
    path: '/admin/exchange-rates',
    operationId: 'createSystemRates',
    summary: 'Create exchange rates of the system',
    tags: ['Exchange rates'],
    request: jsonRequest(AddExchangeRatesRequest),
    responses: { 201: json(AddExchangeRatesResponse, 'The outcome of each') },
  },
  (c) => answer(c, 201, presentAdded, (ctx) => bulk.createSystemRates(ctx, c.req.valid('json'))),
)

export const refreshSystemRates = operation(
  'systemRates.write',
  {
    method: 'post',
    path: '/admin/exchange-rates/refresh',
    operationId: 'refreshSystemRates',
    summary: 'Fetch rates from the configured source',
    tags: ['Exchange rates'],
    responses: { 202: json(MessageResponse, 'The rates are being fetched') },
  },
  (c) =>
    answer(
      c,
      202,
      () => ({ message: 'The exchange rates are being fetched.' }),
      system.refreshSystemRates,
    ),
)

export const deleteSystemRate = operation(
  'systemRates.write',
  {
    method: 'delete',
    path: '/admin/exchange-rates/{id}',
    operationId: 'deleteSystemRate',
    summary: 'Delete an exchange rate of the system',
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
      (ctx) => system.deleteSystemRate(ctx, c.req.valid('param').id),
    ),
)
