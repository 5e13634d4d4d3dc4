import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { BudgetResponse, presentBudget } from '../budgets.contract.ts'
import { CopyBudgetRequest } from './copies.contract.ts'
import * as copies from './copies.usecases.ts'

export const copyBudget = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/copy',
    operationId: 'copyBudget',
    summary: 'Copy a budget',
    tags: ['Budgets'],
    request: { params: pathId('bud', 'budget'), ...jsonRequest(CopyBudgetRequest) },
    responses: { 201: json(BudgetResponse, 'The copy') },
  },
  (c) =>
    answer(c, 201, presentBudget, (ctx) =>
      copies.copyBudget(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)
