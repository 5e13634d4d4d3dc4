import { answer } from '../../../http/answer.ts'
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

export const listTransfers = operation(
  'transfers.read',
  {
    method: 'get',
    path: '/transfer',
    operationId: 'listTransfers',
    summary: 'List transfers',
    tags: ['Transfers'],
    request: { query: ListTransfersQuery },
    responses: { 200: json(TransfersResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentTransfers, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => transfers.listTransfers(ctx, query, page))
    }),
)

export const createTransfer = operation(
  'transfers.write',
  {
    method: 'post',
    path: '/transfer',
    operationId: 'createTransfer',
    summary: 'Create a transfer',
    tags: ['Transfers'],
    request: jsonRequest(CreateTransferRequest),
    responses: { 201: json(TransferResponse, 'The new transfer') },
    errors: [404],
  },
  (c) =>
    answer(c, 201, presentTransfer, (ctx) => transfers.createTransfer(ctx, c.req.valid('json'))),
)

export const getTransfer = operation(
  'transfers.read',
  {
    method: 'get',
    path: '/transfer/{id}',
    operationId: 'getTransfer',
    summary: 'Get a transfer',
    tags: ['Transfers'],
    request: { params: transferId },
    responses: { 200: json(TransferResponse, 'The transfer') },
  },
  (c) =>
    answer(c, 200, presentTransfer, (ctx) => transfers.getTransfer(ctx, c.req.valid('param').id)),
)

export const updateTransfer = operation(
  'transfers.write',
  {
    method: 'put',
    path: '/transfer/{id}',
    operationId: 'updateTransfer',
    summary: 'Update a transfer',
    tags: ['Transfers'],
    versioned: true,
    request: { params: transferId, ...jsonRequest(UpdateTransferRequest) },
    responses: { 200: json(TransferResponse, 'The changed transfer') },
  },
  (c) =>
    answer(c, 200, presentTransfer, (ctx) =>
      transfers.updateTransfer(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteTransfer = operation(
  'transfers.write',
  {
    method: 'delete',
    path: '/transfer/{id}',
    operationId: 'deleteTransfer',
    summary: 'Move a transfer to the trash',
    tags: ['Transfers'],
    versioned: true,
    request: { params: transferId, query: ForceQuery },
    responses: { 200: json(TrashedResponse, 'The item is in the trash') },
  },
  (c) =>
    answer(
      c,
      200,
      ({ isOwn }: Discarded, ctx) =>
        presentTrashed(
          ctx,
          { kind: 'transfer', id: c.req.valid('param').id, isOwn },
          'The transfer is in the trash.',
        ),
      (ctx) => transfers.deleteTransfer(ctx, c.req.valid('param').id, c.req.valid('query').force),
    ),
)
