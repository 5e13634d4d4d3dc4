import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { DistinctPairRequest } from '../../transactions/transactions.public.ts'
import {
  presentSuggestions,
  SuggestTransfersQuery,
  TransferSuggestionsResponse,
} from './suggestions.contract.ts'
import * as suggestions from './suggestions.usecases.ts'

export const suggestTransfers = operation({
  access: 'transfers.read',
  on: 'GET /transfer/suggestion',
  summary: 'Find possible transfers',
  request: { query: SuggestTransfersQuery },
  responses: { 200: json(TransferSuggestionsResponse, 'The best pairs') },
  run: (ctx, { query }) => suggestions.suggestTransfers(ctx, query),
  present: presentSuggestions,
})

export const dismissTransferSuggestion = operation({
  access: 'transfers.write',
  on: 'POST /transfer/suggestion/dismiss',
  summary: 'Dismiss a possible transfer',
  request: jsonRequest(DistinctPairRequest),
  responses: { 200: json(MessageResponse, 'The pair was dismissed') },
  errors: [404],
  run: (ctx, { body }) => suggestions.dismissTransferSuggestion(ctx, body.transactionIds),
  present: () => ({ message: 'These two are not suggested again.' }),
})
