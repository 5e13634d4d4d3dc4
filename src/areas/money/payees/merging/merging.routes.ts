import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../../http/trashed.ts'
import { DeletePayeeQuery, MergePayeesRequest } from './merging.contract.ts'
import * as merging from './merging.usecases.ts'

const payeeId = pathId('pay', 'payee')

export const deletePayee = operation(
  'payees.write',
  {
    method: 'delete',
    path: '/payee/{id}',
    operationId: 'deletePayee',
    summary: 'Delete a payee',
    tags: ['Payees'],
    versioned: true,
    request: { params: payeeId, query: DeletePayeeQuery },
    responses: { 200: json(TrashedResponse, 'The payee was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      (_, ctx) =>
        presentTrashed(
          ctx,
          { kind: 'payee', id: c.req.valid('param').id },
          'The payee was deleted.',
        ),
      (ctx) => merging.deletePayee(ctx, c.req.valid('param').id, c.req.valid('query').reassignTo),
    ),
)

export const mergePayees = operation(
  'payees.write',
  {
    method: 'post',
    path: '/payee/{id}/merge',
    operationId: 'mergePayees',
    summary: 'Merge payees into this one',
    tags: ['Payees'],
    request: { params: payeeId, ...jsonRequest(MergePayeesRequest) },
    responses: { 200: json(MessageResponse, 'The payees were merged') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The payees were merged.' }),
      (ctx) => merging.mergePayees(ctx, c.req.valid('param').id, c.req.valid('json').payeeIds),
    ),
)
