import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentReconciliation, ReconciliationResponse } from '../reconciliations.contract.ts'
import {
  FinishReconciliationRequest,
  presentUndone,
  UndoneReconciliationResponse,
} from './finishing.contract.ts'
import * as finishing from './finishing.usecases.ts'
import * as undoing from './undoing.usecases.ts'

const reconciliationId = pathId('rcn', 'reconciliation')

export const finishReconciliation = operation(
  'reconciliations.write',
  {
    method: 'post',
    path: '/reconciliation/{id}/finish',
    operationId: 'finishReconciliation',
    summary: 'Finish a reconciliation',
    tags: ['Reconciliations'],
    request: { params: reconciliationId, ...jsonRequest(FinishReconciliationRequest) },
    responses: { 200: json(ReconciliationResponse, 'The finished reconciliation') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentReconciliation, (ctx) =>
      finishing.finishReconciliation(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const undoReconciliation = operation(
  'reconciliations.write',
  {
    method: 'post',
    path: '/reconciliation/{id}/undo',
    operationId: 'undoReconciliation',
    summary: 'Undo the last reconciliation',
    tags: ['Reconciliations'],
    request: { params: reconciliationId },
    responses: { 200: json(UndoneReconciliationResponse, 'The reconciliation, open again') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentUndone, (ctx) =>
      undoing.undoReconciliation(ctx, c.req.valid('param').id),
    ),
)
