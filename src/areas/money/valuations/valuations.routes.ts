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

export const listValuations = operation({
  access: 'valuations.read',
  on: 'GET /valuation',
  summary: 'List valuations',
  request: { query: ListValuationsQuery },
  responses: { 200: json(ValuationsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => valuations.listValuations(ctx, query, page)),
  present: presentValuations,
})

export const createValuation = operation({
  access: 'valuations.write',
  on: 'POST /valuation',
  summary: 'Record the value of an account',
  request: jsonRequest(CreateValuationRequest),
  responses: { 201: json(ValuationResponse, 'The new valuation') },
  errors: [404],
  run: (ctx, { body }) => valuations.createValuation(ctx, body),
  present: presentValuation,
})

export const getValuation = operation({
  access: 'valuations.read',
  on: 'GET /valuation/{id}',
  summary: 'Get a valuation',
  request: { params: valuationId },
  responses: { 200: json(ValuationResponse, 'The valuation') },
  run: (ctx, { params }) => valuations.getValuation(ctx, params.id),
  present: presentValuation,
})

export const updateValuation = operation({
  access: 'valuations.write',
  on: 'PUT /valuation/{id}',
  summary: 'Update a valuation',
  versioned: true,
  request: { params: valuationId, ...jsonRequest(UpdateValuationRequest) },
  responses: { 200: json(ValuationResponse, 'The valuation as it is now') },
  run: (ctx, { params, body }) => valuations.updateValuation(ctx, params.id, body),
  present: presentValuation,
})

export const deleteValuation = operation({
  access: 'valuations.write',
  on: 'DELETE /valuation/{id}',
  summary: 'Delete a valuation',
  versioned: true,
  request: { params: valuationId, query: ForceQuery },
  responses: { 200: json(MessageResponse, 'The valuation was deleted') },
  run: (ctx, { params, query }) => valuations.deleteValuation(ctx, params.id, query.force),
  present: () => ({ message: 'The valuation was deleted.' }),
})
