import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { presentSuggestions, BudgetLineSuggestionsResponse } from './suggestions.contract.ts'
import * as suggestions from './suggestions.usecases.ts'

export const suggestBudgetLines = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/line/suggestion',
  summary: 'Suggest lines for a budget',
  request: { params: pathId('bud', 'budget') },
  responses: { 200: json(BudgetLineSuggestionsResponse, 'The suggested lines') },
  run: (ctx, { params }) => suggestions.suggestBudgetLines(ctx, params.id),
  present: presentSuggestions,
})
