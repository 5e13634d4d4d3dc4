import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentAdded } from '../bulk/bulk.presenters.ts'
import { AddExchangeRatesRequest, AddExchangeRatesResponse } from '../bulk/bulk.schemas.ts'
import { addSystemRates } from '../bulk/bulk.usecases.ts'
import { presentRates } from '../exchange-rates.presenters.ts'
import { ListExchangeRatesResponse, ListSystemRatesQuery } from '../exchange-rates.schemas.ts'
import { listExchangeRates } from '../exchange-rates.usecases.ts'
import { removeSystemRate, requestRates } from './system.usecases.ts'

export const systemRateRoutes = newArea()

export const getSystemRates = defineRoute('systemRates.read', {
  method: 'get',
  path: '/admin/exchange-rates',
  operationId: 'listSystemRates',
  summary: 'The exchange rates that everybody sees, newest date first',
  tags: ['Exchange rates'],
  request: { query: ListSystemRatesQuery },
  responses: { 200: json(ListExchangeRatesResponse, 'One page of them') },
})
systemRateRoutes.openapi(getSystemRates, (c) =>
  answer(c, 200, presentRates, (ctx) => {
    const query = c.req.valid('query')
    const filter = { ...query, source: 'system' as const }
    return paged(ctx, query, (page) => listExchangeRates(ctx, filter, page))
  }),
)

export const postSystemRates = defineRoute('systemRates.write', {
  method: 'post',
  path: '/admin/exchange-rates',
  operationId: 'createSystemRates',
  summary: 'Add up to 500 exchange rates that everybody sees at once, all or none',
  tags: ['Exchange rates'],
  request: jsonRequest(AddExchangeRatesRequest),
  responses: { 201: json(AddExchangeRatesResponse, 'What became of each') },
})
systemRateRoutes.openapi(postSystemRates, (c) =>
  answer(c, 201, presentAdded, (ctx) => addSystemRates(ctx, c.req.valid('json'))),
)

export const refreshSystemRates = defineRoute('systemRates.write', {
  method: 'post',
  path: '/admin/exchange-rates/refresh',
  operationId: 'refreshSystemRates',
  summary: 'Have the rates of the configured source fetched; 409 when there is none',
  tags: ['Exchange rates'],
  responses: { 202: json(MessageResponse, 'They are being fetched') },
})
systemRateRoutes.openapi(refreshSystemRates, (c) =>
  answer(c, 202, () => ({ message: 'The exchange rates are being fetched.' }), requestRates),
)

export const deleteSystemRate = defineRoute('systemRates.write', {
  method: 'delete',
  path: '/admin/exchange-rates/{id}',
  operationId: 'deleteSystemRate',
  summary: 'Delete an exchange rate that everybody sees',
  tags: ['Exchange rates'],
  versioned: true,
  request: { params: pathId('rate', 'rate') },
  responses: { 200: json(MessageResponse, 'The rate is gone') },
  errors: [404],
})
systemRateRoutes.openapi(deleteSystemRate, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The exchange rate was deleted.' }),
    (ctx) => removeSystemRate(ctx, c.req.valid('param').id),
  ),
)
