import { answer } from '../../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentAdded } from './bulk.presenters.ts'
import { AddExchangeRatesRequest, AddExchangeRatesResponse } from './bulk.schemas.ts'
import { addOwnRates } from './bulk.usecases.ts'

export const bulkRateRoutes = newArea()

export const postExchangeRates = defineRoute('exchangeRates.write', {
  method: 'post',
  path: '/exchange-rate/bulk',
  operationId: 'createExchangeRates',
  summary: 'Add up to 500 own exchange rates at once, all or none',
  tags: ['Exchange rates'],
  request: jsonRequest(AddExchangeRatesRequest),
  responses: { 201: json(AddExchangeRatesResponse, 'What became of each') },
})
bulkRateRoutes.openapi(postExchangeRates, (c) =>
  answer(c, 201, presentAdded, (ctx) => addOwnRates(ctx, c.req.valid('json'))),
)
