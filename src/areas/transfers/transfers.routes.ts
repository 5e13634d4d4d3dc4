import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { ForceQuery } from '../transaction-views/transaction-views.public.ts'
import { presentTransfer, presentTransfers } from './transfers.presenters.ts'
import {
  CreateTransferRequest,
  ListTransfersQuery,
  ListTransfersResponse,
  TransferResponse,
  UpdateTransferRequest,
} from './transfers.schemas.ts'
import {
  bookTransfer,
  changeTransfer,
  findTransfer,
  findTransfers,
  removeTransfer,
} from './transfers.usecases.ts'

export const transferRoutes = newArea()

const transferId = pathId('trf', 'transfer')

export const listTransfers = defineRoute('transfers.read', {
  method: 'get',
  path: '/transfer',
  operationId: 'listTransfers',
  summary: 'Transfers between own accounts, newest first',
  tags: ['Transfers'],
  request: { query: ListTransfersQuery },
  responses: { 200: json(ListTransfersResponse, 'One page of them') },
})
transferRoutes.openapi(listTransfers, (c) =>
  answer(c, 200, presentTransfers, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => findTransfers(ctx, query, page))
  }),
)

export const createTransfer = defineRoute('transfers.write', {
  method: 'post',
  path: '/transfer',
  operationId: 'createTransfer',
  summary: 'Move money between two accounts, in one currency or between two',
  tags: ['Transfers'],
  request: jsonRequest(CreateTransferRequest),
  responses: { 201: json(TransferResponse, 'The new transfer') },
  errors: [404],
})
transferRoutes.openapi(createTransfer, (c) =>
  answer(c, 201, presentTransfer, (ctx) => bookTransfer(ctx, c.req.valid('json'))),
)

export const getTransfer = defineRoute('transfers.read', {
  method: 'get',
  path: '/transfer/{id}',
  operationId: 'getTransfer',
  summary: 'One transfer with both legs',
  tags: ['Transfers'],
  request: { params: transferId },
  responses: { 200: json(TransferResponse, 'The transfer') },
  errors: [404],
})
transferRoutes.openapi(getTransfer, (c) =>
  answer(c, 200, presentTransfer, (ctx) => findTransfer(ctx, c.req.valid('param').id)),
)

export const updateTransfer = defineRoute('transfers.write', {
  method: 'put',
  path: '/transfer/{id}',
  operationId: 'updateTransfer',
  summary: 'Change the fields that are sent, in both legs together',
  tags: ['Transfers'],
  versioned: true,
  request: { params: transferId, ...jsonRequest(UpdateTransferRequest) },
  responses: { 200: json(TransferResponse, 'The changed transfer') },
  errors: [404],
})
transferRoutes.openapi(updateTransfer, (c) =>
  answer(c, 200, presentTransfer, (ctx) =>
    changeTransfer(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteTransfer = defineRoute('transfers.write', {
  method: 'delete',
  path: '/transfer/{id}',
  operationId: 'deleteTransfer',
  summary: 'Move both legs to the trash together',
  tags: ['Transfers'],
  versioned: true,
  request: { params: transferId, query: ForceQuery },
  responses: { 200: json(MessageResponse, 'It is in the trash') },
  errors: [404],
})
transferRoutes.openapi(deleteTransfer, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The transfer is in the trash.' }),
    (ctx) => removeTransfer(ctx, c.req.valid('param').id, c.req.valid('query').force),
  ),
)
