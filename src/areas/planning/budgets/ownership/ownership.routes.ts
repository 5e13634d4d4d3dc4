import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { BudgetResponse, presentBudget } from '../budgets.contract.ts'
import { ShareBudgetRequest } from './ownership.contract.ts'
import * as ownership from './ownership.usecases.ts'

const budgetId = pathId('bud', 'budget')

export const shareBudgetToGroup = operation(
  'budgets.write',
  {
    method: 'put',
    path: '/budget/{id}/share-group',
    operationId: 'shareBudgetToGroup',
    summary: 'Move a budget to a group',
    tags: ['Budgets'],
    versioned: true,
    request: { params: budgetId, ...jsonRequest(ShareBudgetRequest) },
    responses: { 200: json(BudgetResponse, 'The budget of the group') },
  },
  (c) =>
    answer(c, 200, presentBudget, (ctx) =>
      ownership.shareBudgetToGroup(ctx, c.req.valid('param').id, c.req.valid('json').groupId),
    ),
)

export const unshareBudgetFromGroup = operation(
  'budgets.write',
  {
    method: 'delete',
    path: '/budget/{id}/share-group',
    operationId: 'unshareBudgetFromGroup',
    summary: 'Move a budget out of its group',
    tags: ['Budgets'],
    versioned: true,
    request: { params: budgetId },
    responses: { 200: json(BudgetResponse, 'The budget, which is yours') },
  },
  (c) =>
    answer(c, 200, presentBudget, (ctx) =>
      ownership.unshareBudgetFromGroup(ctx, c.req.valid('param').id),
    ),
)
