import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../../http/trashed.ts'
import * as trash from './trash.usecases.ts'

export const deleteBudget = operation(
  'budgets.write',
  {
    method: 'delete',
    path: '/budget/{id}',
    operationId: 'deleteBudget',
    summary: 'Delete a budget',
    tags: ['Budgets'],
    versioned: true,
    request: { params: pathId('bud', 'budget') },
    responses: { 200: json(TrashedResponse, 'The budget was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      ({ id, isOwn }: { id: string; isOwn: boolean }, ctx) =>
        presentTrashed(ctx, { kind: 'budget', id, isOwn }, 'The budget was deleted.'),
      (ctx) => trash.deleteBudget(ctx, c.req.valid('param').id),
    ),
)
