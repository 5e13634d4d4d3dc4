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

export const listSystemRates = operation({
  access: 'systemRates.read',
  on: 'GET /admin/exchange-rates',
  summary: 'List exchange rates of the system',
  request: { query: ListSystemRatesQuery },
  responses: { 200: json(ExchangeRatesResponse, 'One page of the list') },
  run: (ctx, { query }) => {
    const filter = { ...query, source: 'system' as const }
    return paged(ctx, query, (page) => exchangeRates.listExchangeRates(ctx, filter, page))
  },
  present: presentRates,
})

export const createSystemRates = operation({
  access: 'systemRates.write',
  on: 'POST /admin/exchange-rates',
  summary: 'Create exchange rates of the system',
  request: jsonRequest(AddExchangeRatesRequest),
  responses: { 201: json(AddExchangeRatesResponse, 'The outcome of each') },
  run: (ctx, { body }) => bulk.createSystemRates(ctx, body),
  present: presentAdded,
})

export const refreshSystemRates = operation({
  access: 'systemRates.write',
  on: 'POST /admin/exchange-rates/refresh',
  summary: 'Fetch rates from the configured source',
  responses: { 202: json(MessageResponse, 'The rates are being fetched') },
  run: (ctx) => system.refreshSystemRates(ctx),
  present: () => ({ message: 'The exchange rates are being fetched.' }),
})

export const deleteSystemRate = operation({
  access: 'systemRates.write',
  on: 'DELETE /admin/exchange-rates/{id}',
  summary: 'Delete an exchange rate of the system',
  versioned: true,
  request: { params: pathId('rate', 'rate') },
  responses: { 200: json(MessageResponse, 'The rate was deleted') },
  run: (ctx, { params }) => system.deleteSystemRate(ctx, params.id),
  present: () => ({ message: 'The exchange rate was deleted.' }),
})
