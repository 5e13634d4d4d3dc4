import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { ForceQuery } from '../transaction-views/transaction-views.public.ts'
import { presentValuation, presentValuations } from './valuations.presenters.ts'
import {
  CreateValuationRequest,
  ListValuationsQuery,
  ListValuationsResponse,
  UpdateValuationRequest,
  ValuationResponse,
} from './valuations.schemas.ts'
import {
  addValuation,
  changeValuation,
  findValuation,
  findValuations,
  removeValuation,
} from './valuations.usecases.ts'

export const valuationRoutes = newArea()

const valuationId = pathId('val', 'valuation')

export const listValuations = defineRoute('valuations.read', {
  method: 'get',
  path: '/valuation',
  operationId: 'listValuations',
  summary: 'What accounts off the budget were said to be worth, newest first',
  tags: ['Valuations'],
  request: { query: ListValuationsQuery },
  responses: { 200: json(ListValuationsResponse, 'One page of them') },
})
valuationRoutes.openapi(listValuations, (c) =>
  answer(c, 200, presentValuations, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => findValuations(ctx, query, page))
  }),
)

export const createValuation = defineRoute('valuations.write', {
  method: 'post',
  path: '/valuation',
  operationId: 'createValuation',
  summary: 'Say what an account off the budget was worth on a day; the difference is booked',
  tags: ['Valuations'],
  request: jsonRequest(CreateValuationRequest),
  responses: { 201: json(ValuationResponse, 'The new valuation') },
  errors: [404],
})
valuationRoutes.openapi(createValuation, (c) =>
  answer(c, 201, presentValuation, (ctx) => addValuation(ctx, c.req.valid('json'))),
)

export const getValuation = defineRoute('valuations.read', {
  method: 'get',
  path: '/valuation/{id}',
  operationId: 'getValuation',
  summary: 'One valuation',
  tags: ['Valuations'],
  request: { params: valuationId },
  responses: { 200: json(ValuationResponse, 'The valuation') },
  errors: [404],
})
valuationRoutes.openapi(getValuation, (c) =>
  answer(c, 200, presentValuation, (ctx) => findValuation(ctx, c.req.valid('param').id)),
)

export const updateValuation = defineRoute('valuations.write', {
  method: 'put',
  path: '/valuation/{id}',
  operationId: 'updateValuation',
  summary: 'Change the fields that are sent, and book it anew',
  tags: ['Valuations'],
  versioned: true,
  request: { params: valuationId, ...jsonRequest(UpdateValuationRequest) },
  responses: { 200: json(ValuationResponse, 'The valuation as it is now') },
  errors: [404],
})
valuationRoutes.openapi(updateValuation, (c) =>
  answer(c, 200, presentValuation, (ctx) =>
    changeValuation(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteValuation = defineRoute('valuations.write', {
  method: 'delete',
  path: '/valuation/{id}',
  operationId: 'deleteValuation',
  summary: 'Take a valuation back; its adjustment goes to the trash',
  tags: ['Valuations'],
  versioned: true,
  request: { params: valuationId, query: ForceQuery },
  responses: { 200: json(MessageResponse, 'The valuation is gone') },
  errors: [404],
})
valuationRoutes.openapi(deleteValuation, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The valuation was deleted.' }),
    (ctx) => removeValuation(ctx, c.req.valid('param').id, c.req.valid('query').force),
  ),
)
