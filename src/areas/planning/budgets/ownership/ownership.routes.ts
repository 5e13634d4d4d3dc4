import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { BudgetResponse, presentBudget } from '../budgets.contract.ts'
import { ShareBudgetRequest } from './ownership.contract.ts'
import * as ownership from './ownership.usecases.ts'

const budgetId = pathId('bud', 'budget')

export const shareBudgetToGroup = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}/share-group',
  summary: 'Move a budget to a group',
  versioned: true,
  request: { params: budgetId, ...jsonRequest(ShareBudgetRequest) },
  responses: { 200: json(BudgetResponse, 'The budget of the group') },
  run: (ctx, { params, body }) => ownership.shareBudgetToGroup(ctx, params.id, body.groupId),
  present: presentBudget,
})

export const unshareBudgetFromGroup = operation({
  access: 'budgets.write',
  on: 'DELETE /budget/{id}/share-group',
  summary: 'Move a budget out of its group',
  versioned: true,
  request: { params: budgetId },
  responses: { 200: json(BudgetResponse, 'The budget, which is yours') },
  run: (ctx, { params }) => ownership.unshareBudgetFromGroup(ctx, params.id),
  present: presentBudget,
})
