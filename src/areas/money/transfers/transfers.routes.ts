import { ForceQuery, MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import { type Discarded, DistinctPairRequest } from '../transactions/transactions.public.ts'
import {
  ConvertToTransferRequest,
  MatchTransferRequest,
  presentParts,
  UnmatchedTransferResponse,
} from './matching/matching.contract.ts'
import * as matching from './matching/matching.usecases.ts'
import {
  CreateTransferRequest,
  ListTransfersQuery,
  presentTransfer,
  presentTransfers,
  TransferResponse,
  TransfersResponse,
  UpdateTransferRequest,
  presentTransferSuggestions,
  SuggestTransfersQuery,
  TransferSuggestionsResponse,
} from './transfers.contract.ts'
import * as transfers from './transfers.usecases.ts'

const transferId = pathId('trf', 'transfer')

export const listTransfers = operation({
  access: 'transfers.read',
  on: 'GET /transfer',
  summary: 'List transfers',
  request: { query: ListTransfersQuery },
  responses: { 200: json(TransfersResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => transfers.listTransfers(ctx, query, page)),
  present: presentTransfers,
})

export const createTransfer = operation({
  access: 'transfers.write',
  on: 'POST /transfer',
  summary: 'Create a transfer',
  request: jsonRequest(CreateTransferRequest),
  responses: { 201: json(TransferResponse, 'The new transfer') },
  errors: [404],
  run: (ctx, { body }) => transfers.createTransfer(ctx, body),
  present: presentTransfer,
})

export const getTransfer = operation({
  access: 'transfers.read',
  on: 'GET /transfer/{id}',
  summary: 'Get a transfer',
  request: { params: transferId },
  responses: { 200: json(TransferResponse, 'The transfer') },
  run: (ctx, { params }) => transfers.getTransfer(ctx, params.id),
  present: presentTransfer,
})

export const updateTransfer = operation({
  access: 'transfers.write',
  on: 'PUT /transfer/{id}',
  summary: 'Update a transfer',
  versioned: true,
  request: { params: transferId, ...jsonRequest(UpdateTransferRequest) },
  responses: { 200: json(TransferResponse, 'The changed transfer') },
  run: (ctx, { params, body }) => transfers.updateTransfer(ctx, params.id, body),
  present: presentTransfer,
})

export const deleteTransfer = operation({
  access: 'transfers.write',
  on: 'DELETE /transfer/{id}',
  summary: 'Move a transfer to the trash',
  versioned: true,
  request: { params: transferId, query: ForceQuery },
  responses: { 200: json(TrashedResponse, 'The item is in the trash') },
  run: (ctx, { params, query }) => transfers.deleteTransfer(ctx, params.id, query.force),
  present: ({ isOwn }: Discarded, ctx, { params }) =>
    presentTrashed(
      ctx,
      { kind: 'transfer', id: params.id, isOwn },
      'The transfer is in the trash.',
    ),
})

export const matchTransfer = operation({
  access: 'transfers.write',
  on: 'POST /transfer/match',
  summary: 'Join two transactions into a transfer',
  request: jsonRequest(MatchTransferRequest),
  responses: { 201: json(TransferResponse, 'The transfer that replaces both') },
  errors: [404],
  run: (ctx, { body }) => matching.matchTransfer(ctx, body),
  present: presentTransfer,
})

export const unmatchTransfer = operation({
  access: 'transfers.write',
  on: 'POST /transfer/{id}/unmatch',
  summary: 'Split a transfer into two transactions',
  request: { params: pathId('trf', 'transfer'), query: ForceQuery },
  responses: { 200: json(UnmatchedTransferResponse, 'The transactions in its place') },
  run: (ctx, { params, query }) => matching.unmatchTransfer(ctx, params.id, query.force),
  present: presentParts,
})

export const suggestTransfers = operation({
  access: 'transfers.read',
  on: 'GET /transfer/suggestion',
  summary: 'Find possible transfers',
  request: { query: SuggestTransfersQuery },
  responses: { 200: json(TransferSuggestionsResponse, 'The best pairs') },
  run: (ctx, { query }) => transfers.suggestTransfers(ctx, query),
  present: presentTransferSuggestions,
})

export const dismissTransferSuggestion = operation({
  access: 'transfers.write',
  on: 'POST /transfer/suggestion/dismiss',
  summary: 'Dismiss a possible transfer',
  request: jsonRequest(DistinctPairRequest),
  responses: { 200: json(MessageResponse, 'The pair was dismissed') },
  errors: [404],
  run: (ctx, { body }) => transfers.dismissTransferSuggestion(ctx, body.transactionIds),
  present: () => ({ message: 'These two are not suggested again.' }),
})

const transactionId = pathId('txn', 'transaction')

export const convertToTransfer = operation({
  access: 'transfers.write',
  on: 'POST /transaction/{id}/transfer',
  summary: 'Make a transaction a transfer',
  request: { params: transactionId, ...jsonRequest(ConvertToTransferRequest) },
  responses: { 201: json(TransferResponse, 'The transfer that replaces the transaction') },
  run: (ctx, { params, body }) => matching.convertToTransfer(ctx, params.id, body),
  present: presentTransfer,
})

export const revertToSingle = operation({
  access: 'transfers.write',
  on: 'DELETE /transaction/{id}/transfer',
  summary: 'Make a transfer a single transaction again',
  versioned: true,
  request: { params: transactionId, query: ForceQuery },
  responses: { 200: json(UnmatchedTransferResponse, 'The transactions in its place') },
  run: (ctx, { params, query }) => matching.revertToSingle(ctx, params.id, query.force),
  present: presentParts,
})
