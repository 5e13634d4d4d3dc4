import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../../http/trashed.ts'
import { DeletePayeeQuery, MergePayeesRequest } from './merging.contract.ts'
import * as merging from './merging.usecases.ts'

const payeeId = pathId('pay', 'payee')

export const deletePayee = operation({
  access: 'payees.write',
  on: 'DELETE /payee/{id}',
  summary: 'Delete a payee',
  versioned: true,
  request: { params: payeeId, query: DeletePayeeQuery },
  responses: { 200: json(TrashedResponse, 'The payee was deleted') },
  run: (ctx, { params, query }) => merging.deletePayee(ctx, params.id, query.reassignTo),
  present: (_, ctx, { params }) =>
    presentTrashed(ctx, { kind: 'payee', id: params.id }, 'The payee was deleted.'),
})

export const mergePayees = operation({
  access: 'payees.write',
  on: 'POST /payee/{id}/merge',
  summary: 'Merge payees into this one',
  request: { params: payeeId, ...jsonRequest(MergePayeesRequest) },
  responses: { 200: json(MessageResponse, 'The payees were merged') },
  run: (ctx, { params, body }) => merging.mergePayees(ctx, params.id, body.payeeIds),
  present: () => ({ message: 'The payees were merged.' }),
})
