import { pathId } from '../../../http/fields.ts'
import { json, operation } from '../../../http/route.ts'
import {
  presentDifferenceSuggestions,
  ReconciliationSuggestionsResponse,
} from './suggestions.contract.ts'
import * as suggestions from './suggestions.usecases.ts'

export const suggestForReconciliation = operation({
  access: 'reconciliations.read',
  on: 'GET /reconciliation/{id}/suggestion',
  summary: 'Find explanations of a difference',
  request: { params: pathId('rcn', 'reconciliation') },
  responses: { 200: json(ReconciliationSuggestionsResponse, 'The most likely explanations') },
  run: (ctx, { params }) => suggestions.suggestForReconciliation(ctx, params.id),
  present: presentDifferenceSuggestions,
})
