import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { DeletePayeeQuery, MergePayeesRequest } from './merging.schemas.ts'
import { mergePayees, removePayee } from './merging.usecases.ts'

export const payeeMergingRoutes = newArea()

const payeeId = pathId('pay', 'payee')

export const deletePayee = defineRoute('payees.write', {
  method: 'delete',
  path: '/payee/{id}',
  operationId: 'deletePayee',
  summary: 'Delete a payee; its transactions go to the one that is named, else there may be none',
  tags: ['Payees'],
  versioned: true,
  request: { params: payeeId, query: DeletePayeeQuery },
  responses: { 200: json(MessageResponse, 'The payee is gone') },
  errors: [404],
})
payeeMergingRoutes.openapi(deletePayee, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The payee was deleted.' }),
    (ctx) => removePayee(ctx, c.req.valid('param').id, c.req.valid('query').reassignTo),
  ),
)

export const postPayeeMerge = defineRoute('payees.write', {
  method: 'post',
  path: '/payee/{id}/merge',
  operationId: 'mergePayees',
  summary: 'Merge other payees into this one; their names become aliases',
  tags: ['Payees'],
  request: { params: payeeId, ...jsonRequest(MergePayeesRequest) },
  responses: { 200: json(MessageResponse, 'The others are gone') },
  errors: [404],
})
payeeMergingRoutes.openapi(postPayeeMerge, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The payees were merged.' }),
    (ctx) => mergePayees(ctx, c.req.valid('param').id, c.req.valid('json').payeeIds),
  ),
)
