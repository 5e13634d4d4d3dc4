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
