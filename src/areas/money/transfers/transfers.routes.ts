import { pathId, ForceQuery } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import type { Discarded } from '../transactions/transactions.public.ts'
import {
  CreateTransferRequest,
  ListTransfersQuery,
  TransfersResponse,
  presentTransfer,
  presentTransfers,
  TransferResponse,
  UpdateTransferRequest,
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
