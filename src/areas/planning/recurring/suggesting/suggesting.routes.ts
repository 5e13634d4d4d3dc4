import { json, operation } from '../../../../http/route.ts'
import { presentSuggestions, SuggestedRecurringResponse } from './suggesting.contract.ts'
import * as suggesting from './suggesting.usecases.ts'

export const suggestRecurring = operation({
  access: 'recurring.read',
  on: 'GET /recurring/suggestion',
  summary: 'Suggest recurring items',
  responses: { 200: json(SuggestedRecurringResponse, 'Items that transactions suggest') },
  run: (ctx) => suggesting.suggestRecurring(ctx),
  present: presentSuggestions,
})
