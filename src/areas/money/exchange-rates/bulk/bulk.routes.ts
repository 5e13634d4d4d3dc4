import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AddExchangeRatesRequest, AddExchangeRatesResponse, presentAdded } from './bulk.contract.ts'
import * as bulk from './bulk.usecases.ts'

export const createExchangeRates = operation({
  access: 'exchangeRates.write',
  on: 'POST /exchange-rate/bulk',
  summary: 'Create exchange rates',
  request: jsonRequest(AddExchangeRatesRequest),
  responses: { 201: json(AddExchangeRatesResponse, 'The outcome of each') },
  run: (ctx, { body }) => bulk.createExchangeRates(ctx, body),
  present: presentAdded,
})
