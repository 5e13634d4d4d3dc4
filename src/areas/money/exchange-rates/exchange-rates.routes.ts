import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  AddExchangeRatesRequest,
  AddExchangeRatesResponse,
  presentAdded,
} from './bulk/bulk.contract.ts'
import * as bulk from './bulk/bulk.usecases.ts'
import {
  ConvertQuery,
  ConvertResponse,
  LatestRatesResponse,
  presentConversion,
  presentLatest,
} from './conversion/conversion.contract.ts'
import * as conversion from './conversion/conversion.usecases.ts'
import { presentCoverage, RateCoverageResponse } from './coverage/coverage.contract.ts'
import * as coverage from './coverage/coverage.usecases.ts'
import {
  CreateExchangeRateRequest,
  ExchangeRateResponse,
  ExchangeRatesResponse,
  ListExchangeRatesQuery,
  ListPairQuery,
  PairPath,
  presentRate,
  presentRates,
  UpdateExchangeRateRequest,
} from './exchange-rates.contract.ts'
import * as exchangeRates from './exchange-rates.usecases.ts'

export const listExchangeRates = operation({
  access: 'exchangeRates.read',
  on: 'GET /exchange-rate',
  summary: 'List exchange rates',
  request: { query: ListExchangeRatesQuery },
  responses: { 200: json(ExchangeRatesResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => exchangeRates.listExchangeRates(ctx, query, page)),
  present: presentRates,
})

export const listExchangeRatesOfPair = operation({
  access: 'exchangeRates.read',
  on: 'GET /exchange-rate/pair/{from}/{to}',
  summary: 'List exchange rates of a currency pair',
  request: { params: PairPath, query: ListPairQuery },
  responses: { 200: json(ExchangeRatesResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const pair = { ...query, ...params }
    return paged(ctx, pair, (page) => exchangeRates.listExchangeRatesOfPair(ctx, pair, page))
  },
  present: presentRates,
})

export const createExchangeRate = operation({
  access: 'exchangeRates.write',
  on: 'POST /exchange-rate',
  summary: 'Create an exchange rate',
  request: jsonRequest(CreateExchangeRateRequest),
  responses: { 201: json(ExchangeRateResponse, 'The new rate') },
  run: (ctx, { body }) => exchangeRates.createExchangeRate(ctx, body),
  present: presentRate,
})

export const getExchangeRate = operation({
  access: 'exchangeRates.read',
  on: 'GET /exchange-rate/{id}',
  summary: 'Get an exchange rate',
  request: { params: pathId('rate', 'rate') },
  responses: { 200: json(ExchangeRateResponse, 'The rate') },
  run: (ctx, { params }) => exchangeRates.getExchangeRate(ctx, params.id),
  present: presentRate,
})

export const updateExchangeRate = operation({
  access: 'exchangeRates.write',
  on: 'PUT /exchange-rate/{id}',
  summary: 'Update an exchange rate',
  versioned: true,
  request: { params: pathId('rate', 'rate'), ...jsonRequest(UpdateExchangeRateRequest) },
  responses: { 200: json(ExchangeRateResponse, 'The rate as it is now') },
  run: (ctx, { params, body }) => exchangeRates.updateExchangeRate(ctx, params.id, body),
  present: presentRate,
})

export const deleteExchangeRate = operation({
  access: 'exchangeRates.write',
  on: 'DELETE /exchange-rate/{id}',
  summary: 'Delete an exchange rate',
  versioned: true,
  request: { params: pathId('rate', 'rate') },
  responses: { 200: json(MessageResponse, 'The rate was deleted') },
  run: (ctx, { params }) => exchangeRates.deleteExchangeRate(ctx, params.id),
  present: () => ({ message: 'The exchange rate was deleted.' }),
})

export const createExchangeRates = operation({
  access: 'exchangeRates.write',
  on: 'POST /exchange-rate/bulk',
  summary: 'Create exchange rates',
  request: jsonRequest(AddExchangeRatesRequest),
  responses: { 201: json(AddExchangeRatesResponse, 'The outcome of each') },
  run: (ctx, { body }) => bulk.createExchangeRates(ctx, body),
  present: presentAdded,
})

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

export const getRateCoverage = operation({
  access: 'exchangeRates.read',
  on: 'GET /exchange-rate/coverage',
  summary: 'List gaps in exchange rates',
  responses: { 200: json(RateCoverageResponse, 'The currencies with their gaps') },
  run: (ctx) => coverage.getRateCoverage(ctx),
  present: presentCoverage,
})
