import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  FinishReconciliationRequest,
  presentUndone,
  UndoneReconciliationResponse,
} from './finishing/finishing.contract.ts'
import * as finishing from './finishing/finishing.usecases.ts'
import * as undoing from './finishing/undoing.usecases.ts'
import * as opening from './opening.usecases.ts'
import {
  ListReconciliationsQuery,
  presentReconciliation,
  presentReconciliations,
  presentStartedSession,
  ReconciliationResponse,
  ReconciliationsResponse,
  StartReconciliationRequest,
  UpdateReconciliationRequest,
} from './reconciliations.contract.ts'
import * as reconciliations from './reconciliations.usecases.ts'
import {
  ListReconciliationRowsQuery,
  presentSessionRows,
  ReconciliationRowsResponse,
} from './rows.contract.ts'

const reconciliationId = pathId('rcn', 'reconciliation')

export const listReconciliations = operation({
  access: 'reconciliations.read',
  on: 'GET /reconciliation',
  summary: 'List reconciliations',
  request: { query: ListReconciliationsQuery },
  responses: { 200: json(ReconciliationsResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => reconciliations.listReconciliations(ctx, query, page)),
  present: presentReconciliations,
})

export const startReconciliation = operation({
  access: 'reconciliations.write',
  on: 'POST /reconciliation',
  summary: 'Start a reconciliation',
  request: jsonRequest(StartReconciliationRequest),
  responses: { 201: json(ReconciliationResponse, 'The open reconciliation') },
  errors: [409],
  run: (ctx, { body }) => opening.startReconciliation(ctx, body),
  present: presentStartedSession,
})

export const getReconciliation = operation({
  access: 'reconciliations.read',
  on: 'GET /reconciliation/{id}',
  summary: 'Get a reconciliation',
  request: { params: reconciliationId },
  responses: { 200: json(ReconciliationResponse, 'The reconciliation') },
  run: (ctx, { params }) => reconciliations.getReconciliation(ctx, params.id),
  present: presentReconciliation,
})

export const updateReconciliation = operation({
  access: 'reconciliations.write',
  on: 'PATCH /reconciliation/{id}',
  summary: 'Change an open reconciliation',
  versioned: true,
  request: { params: reconciliationId, ...jsonRequest(UpdateReconciliationRequest) },
  responses: { 200: json(ReconciliationResponse, 'The changed reconciliation') },
  errors: [409],
  run: (ctx, { params, body }) => reconciliations.updateReconciliation(ctx, params.id, body),
  present: presentReconciliation,
})

export const abandonReconciliation = operation({
  access: 'reconciliations.write',
  on: 'DELETE /reconciliation/{id}',
  summary: 'Abandon an open reconciliation',
  versioned: true,
  request: { params: reconciliationId },
  responses: { 200: json(MessageResponse, 'The reconciliation has ended') },
  errors: [409],
  run: (ctx, { params }) => reconciliations.abandonReconciliation(ctx, params.id),
  present: () => ({ message: 'The reconciliation is abandoned.' }),
})

export const finishReconciliation = operation({
  access: 'reconciliations.write',
  on: 'POST /reconciliation/{id}/finish',
  summary: 'Finish a reconciliation',
  request: { params: reconciliationId, ...jsonRequest(FinishReconciliationRequest) },
  responses: { 200: json(ReconciliationResponse, 'The finished reconciliation') },
  errors: [409],
  run: (ctx, { params, body }) => finishing.finishReconciliation(ctx, params.id, body),
  present: presentReconciliation,
})

export const undoReconciliation = operation({
  access: 'reconciliations.write',
  on: 'POST /reconciliation/{id}/undo',
  summary: 'Undo the last reconciliation',
  request: { params: reconciliationId },
  responses: { 200: json(UndoneReconciliationResponse, 'The reconciliation, open again') },
  errors: [409],
  run: (ctx, { params }) => undoing.undoReconciliation(ctx, params.id),
  present: presentUndone,
})

export const listReconciliationRows = operation({
  access: 'reconciliations.read',
  on: 'GET /reconciliation/{id}/row',
  summary: 'List transactions of a reconciliation',
  request: { params: pathId('rcn', 'reconciliation'), query: ListReconciliationRowsQuery },
  responses: { 200: json(ReconciliationRowsResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, query, (page) => reconciliations.listReconciliationRows(ctx, id, query, page))
  },
  present: presentSessionRows,
})
