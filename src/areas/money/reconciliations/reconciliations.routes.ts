import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import * as opening from './opening/opening.usecases.ts'
import {
  ListReconciliationsQuery,
  ReconciliationsResponse,
  presentReconciliation,
  presentReconciliations,
  presentStarted,
  ReconciliationResponse,
  StartReconciliationRequest,
  UpdateReconciliationRequest,
} from './reconciliations.contract.ts'
import * as reconciliations from './reconciliations.usecases.ts'

const reconciliationId = pathId('rcn', 'reconciliation')

export const listReconciliations = operation(
  'reconciliations.read',
  {
    method: 'get',
    path: '/reconciliation',
    operationId: 'listReconciliations',
    summary: 'List reconciliations',
    tags: ['Reconciliations'],
    request: { query: ListReconciliationsQuery },
    responses: { 200: json(ReconciliationsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentReconciliations, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => reconciliations.listReconciliations(ctx, query, page))
    }),
)

export const startReconciliation = operation(
  'reconciliations.write',
  {
    method: 'post',
    path: '/reconciliation',
    operationId: 'startReconciliation',
    summary: 'Start a reconciliation',
    tags: ['Reconciliations'],
    request: jsonRequest(StartReconciliationRequest),
    responses: { 201: json(ReconciliationResponse, 'The open reconciliation') },
    errors: [409],
  },
  (c) =>
    answer(c, 201, presentStarted, (ctx) => opening.startReconciliation(ctx, c.req.valid('json'))),
)

export const getReconciliation = operation(
  'reconciliations.read',
  {
    method: 'get',
    path: '/reconciliation/{id}',
    operationId: 'getReconciliation',
    summary: 'Get a reconciliation',
    tags: ['Reconciliations'],
    request: { params: reconciliationId },
    responses: { 200: json(ReconciliationResponse, 'The reconciliation') },
  },
  (c) =>
    answer(c, 200, presentReconciliation, (ctx) =>
      reconciliations.getReconciliation(ctx, c.req.valid('param').id),
    ),
)

export const updateReconciliation = operation(
  'reconciliations.write',
  {
    method: 'patch',
    path: '/reconciliation/{id}',
    operationId: 'updateReconciliation',
    summary: 'Change an open reconciliation',
    tags: ['Reconciliations'],
    versioned: true,
    request: { params: reconciliationId, ...jsonRequest(UpdateReconciliationRequest) },
    responses: { 200: json(ReconciliationResponse, 'The changed reconciliation') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentReconciliation, (ctx) =>
      reconciliations.updateReconciliation(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const abandonReconciliation = operation(
  'reconciliations.write',
  {
    method: 'delete',
    path: '/reconciliation/{id}',
    operationId: 'abandonReconciliation',
    summary: 'Abandon an open reconciliation',
    tags: ['Reconciliations'],
    versioned: true,
    request: { params: reconciliationId },
    responses: { 200: json(MessageResponse, 'The reconciliation has ended') },
    errors: [409],
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The reconciliation is abandoned.' }),
      (ctx) => reconciliations.abandonReconciliation(ctx, c.req.valid('param').id),
    ),
)
