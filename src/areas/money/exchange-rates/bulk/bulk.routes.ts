import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AddExchangeRatesRequest, AddExchangeRatesResponse, presentAdded } from './bulk.contract.ts'
import * as bulk from './bulk.usecases.ts'

export const createExchangeRates = operation(
  'exchangeRates.write',
  {
    method: 'post',
    path: '/exchange-rate/bulk',
    operationId: 'createExchangeRates',
    summary: 'Create exchange rates',
    tags: ['Exchange rates'],
    request: jsonRequest(AddExchangeRatesRequest),
    responses: { 201: json(AddExchangeRatesResponse, 'The outcome of each') },
  },
  (c) => answer(c, 201, presentAdded, (ctx) => bulk.createExchangeRates(ctx, c.req.valid('json'))),
)
