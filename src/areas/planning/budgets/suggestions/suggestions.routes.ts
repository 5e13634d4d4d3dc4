import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { presentSuggestions, BudgetLineSuggestionsResponse } from './suggestions.contract.ts'
import * as suggestions from './suggestions.usecases.ts'

export const suggestBudgetLines = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/line/suggestion',
    operationId: 'suggestBudgetLines',
    summary: 'Suggest lines for a budget',
    tags: ['Budgets'],
    request: { params: pathId('bud', 'budget') },
    responses: { 200: json(BudgetLineSuggestionsResponse, 'The suggested lines') },
  },
  (c) =>
    answer(c, 200, presentSuggestions, (ctx) =>
      suggestions.suggestBudgetLines(ctx, c.req.valid('param').id),
    ),
)
