import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { json, operation } from '../../../http/route.ts'
import { presentSuggestions, ReconciliationSuggestionsResponse } from './suggestions.contract.ts'
import * as suggestions from './suggestions.usecases.ts'

export const suggestForReconciliation = operation(
  'reconciliations.read',
  {
    method: 'get',
    path: '/reconciliation/{id}/suggestion',
    operationId: 'suggestForReconciliation',
    summary: 'Find explanations of a difference',
    tags: ['Reconciliations'],
    request: { params: pathId('rcn', 'reconciliation') },
    responses: { 200: json(ReconciliationSuggestionsResponse, 'The most likely explanations') },
  },
  (c) =>
    answer(c, 200, presentSuggestions, (ctx) =>
      suggestions.suggestForReconciliation(ctx, c.req.valid('param').id),
    ),
)
