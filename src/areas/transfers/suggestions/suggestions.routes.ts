import { answer } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { DistinctPairRequest } from '../../transactions/transactions.public.ts'
import { presentSuggestions } from './suggestions.presenters.ts'
import { SuggestTransfersQuery, SuggestTransfersResponse } from './suggestions.schemas.ts'
import { dismissSuggestion, suggestTransfers } from './suggestions.usecases.ts'

export const suggestionRoutes = newArea()

export const listSuggestions = defineRoute('transfers.read', {
  method: 'get',
  path: '/transfer/suggestion',
  operationId: 'suggestTransfers',
  summary: 'Pairs of rows that look like one transfer',
  tags: ['Transfers'],
  request: { query: SuggestTransfersQuery },
  responses: { 200: json(SuggestTransfersResponse, 'The best of them') },
})
suggestionRoutes.openapi(listSuggestions, (c) =>
  answer(c, 200, presentSuggestions, (ctx) => suggestTransfers(ctx, c.req.valid('query'))),
)

export const postDismissSuggestion = defineRoute('transfers.write', {
  method: 'post',
  path: '/transfer/suggestion/dismiss',
  operationId: 'dismissTransferSuggestion',
  summary: 'Never suggest these two as one transfer again',
  tags: ['Transfers'],
  request: jsonRequest(DistinctPairRequest),
  responses: { 200: json(MessageResponse, 'They are two') },
  errors: [404],
})
suggestionRoutes.openapi(postDismissSuggestion, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'These two are not suggested again.' }),
    (ctx) => dismissSuggestion(ctx, c.req.valid('json').transactionIds),
  ),
)
