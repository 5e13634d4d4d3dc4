import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../../http/trashed.ts'
import * as trash from './trash.usecases.ts'

export const deleteBudget = operation({
  access: 'budgets.write',
  on: 'DELETE /budget/{id}',
  summary: 'Delete a budget',
  versioned: true,
  request: { params: pathId('bud', 'budget') },
  responses: { 200: json(TrashedResponse, 'The budget was deleted') },
  run: (ctx, { params }) => trash.deleteBudget(ctx, params.id),
  present: ({ id, isOwn }: { id: string; isOwn: boolean }, ctx) =>
    presentTrashed(ctx, { kind: 'budget', id, isOwn }, 'The budget was deleted.'),
})
