import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { BudgetResponse, presentBudget } from '../budgets.contract.ts'
import { CopyBudgetRequest } from './copies.contract.ts'
import * as copies from './copies.usecases.ts'

export const copyBudget = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/copy',
  summary: 'Copy a budget',
  request: { params: pathId('bud', 'budget'), ...jsonRequest(CopyBudgetRequest) },
  responses: { 201: json(BudgetResponse, 'The copy') },
  run: (ctx, { params, body }) => copies.copyBudget(ctx, params.id, body),
  present: presentBudget,
})
