import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId, ForceQuery } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateValuationRequest,
  ListValuationsQuery,
  ValuationsResponse,
  presentValuation,
  presentValuations,
  UpdateValuationRequest,
  ValuationResponse,
} from './valuations.contract.ts'
import * as valuations from './valuations.usecases.ts'

const valuationId = pathId('val', 'valuation')

export const listValuations = operation(
  'valuations.read',
  {
    method: 'get',
    path: '/valuation',
    operationId: 'listValuations',
    summary: 'List valuations',
    tags: ['Valuations'],
    request: { query: ListValuationsQuery },
    responses: { 200: json(ValuationsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentValuations, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => valuations.listValuations(ctx, query, page))
    }),
)

export const createValuation = operation(
  'valuations.write',
  {
    method: 'post',
    path: '/valuation',
    operationId: 'createValuation',
    summary: 'Record the value of an account',
    tags: ['Valuations'],
    request: jsonRequest(CreateValuationRequest),
    responses: { 201: json(ValuationResponse, 'The new valuation') },
    errors: [404],
  },
  (c) =>
    answer(c, 201, presentValuation, (ctx) => valuations.createValuation(ctx, c.req.valid('json'))),
)

export const getValuation = operation(
  'valuations.read',
  {
    method: 'get',
    path: '/valuation/{id}',
    operationId: 'getValuation',
    summary: 'Get a valuation',
    tags: ['Valuations'],
    request: { params: valuationId },
    responses: { 200: json(ValuationResponse, 'The valuation') },
  },
  (c) =>
    answer(c, 200, presentValuation, (ctx) =>
      valuations.getValuation(ctx, c.req.valid('param').id),
    ),
)

export const updateValuation = operation(
  'valuations.write',
  {
    method: 'put',
    path: '/valuation/{id}',
    operationId: 'updateValuation',
    summary: 'Update a valuation',
    tags: ['Valuations'],
    versioned: true,
    request: { params: valuationId, ...jsonRequest(UpdateValuationRequest) },
    responses: { 200: json(ValuationResponse, 'The valuation as it is now') },
  },
  (c) =>
    answer(c, 200, presentValuation, (ctx) =>
      valuations.updateValuation(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteValuation = operation(
  'valuations.write',
  {
    method: 'delete',
    path: '/valuation/{id}',
    operationId: 'deleteValuation',
    summary: 'Delete a valuation',
    tags: ['Valuations'],
    versioned: true,
    request: { params: valuationId, query: ForceQuery },
    responses: { 200: json(MessageResponse, 'The valuation was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The valuation was deleted.' }),
      (ctx) => valuations.deleteValuation(ctx, c.req.valid('param').id, c.req.valid('query').force),
    ),
)
