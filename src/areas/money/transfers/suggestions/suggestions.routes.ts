import { answer } from '../../../../http/answer.ts'
import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { DistinctPairRequest } from '../../transactions/transactions.public.ts'
import {
  presentSuggestions,
  SuggestTransfersQuery,
  TransferSuggestionsResponse,
} from './suggestions.contract.ts'
import * as suggestions from './suggestions.usecases.ts'

export const suggestTransfers = operation(
  'transfers.read',
  {
    method: 'get',
    path: '/transfer/suggestion',
    operationId: 'suggestTransfers',
    summary: 'Find possible transfers',
    tags: ['Transfers'],
    request: { query: SuggestTransfersQuery },
    responses: { 200: json(TransferSuggestionsResponse, 'The best pairs') },
  },
  (c) =>
    answer(c, 200, presentSuggestions, (ctx) =>
      suggestions.suggestTransfers(ctx, c.req.valid('query')),
    ),
)

export const dismissTransferSuggestion = operation(
  'transfers.write',
  {
    method: 'post',
    path: '/transfer/suggestion/dismiss',
    operationId: 'dismissTransferSuggestion',
    summary: 'Dismiss a possible transfer',
    tags: ['Transfers'],
    request: jsonRequest(DistinctPairRequest),
    responses: { 200: json(MessageResponse, 'The pair was dismissed') },
    errors: [404],
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'These two are not suggested again.' }),
      (ctx) => suggestions.dismissTransferSuggestion(ctx, c.req.valid('json').transactionIds),
    ),
)
