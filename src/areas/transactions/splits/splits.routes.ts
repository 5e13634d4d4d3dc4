import { z } from '@hono/zod-openapi'
import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import {
  ForceQuery,
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { changeTransaction, findTransaction } from '../transactions.usecases.ts'
import { presentSplits } from './splits.presenters.ts'
import { ListSplitsResponse, ReplaceSplitsRequest, UpdateSplitRequest } from './splits.schemas.ts'
import { changeSplit } from './splits.usecases.ts'

export const splitRoutes = newArea()

const transactionId = pathId('txn', 'transaction')
const splitPath = transactionId.extend({
  lineId: z.string().openapi({
    description: 'Id of the part',
    example: 'spl_01k9v3q8m5t0w2x4y6z8a1b3c5-2',
  }),
})

export const listSplits = defineRoute('transactions.read', {
  method: 'get',
  path: '/transaction/{id}/split',
  operationId: 'listSplits',
  summary: 'The parts of a transaction',
  tags: ['Transactions'],
  request: { params: transactionId },
  responses: { 200: json(ListSplitsResponse, 'The parts') },
  errors: [404],
})
splitRoutes.openapi(listSplits, (c) =>
  answer(c, 200, presentSplits, (ctx) => findTransaction(ctx, c.req.valid('param').id)),
)

export const replaceSplits = defineRoute('transactions.write', {
  method: 'put',
  path: '/transaction/{id}/split',
  operationId: 'replaceSplits',
  summary: 'Split a transaction, or replace all of its parts',
  tags: ['Transactions'],
  versioned: true,
  request: { params: transactionId, ...jsonRequest(ReplaceSplitsRequest) },
  responses: { 200: json(TransactionResponse, 'The transaction with its parts') },
  errors: [404],
})
splitRoutes.openapi(replaceSplits, (c) =>
  answer(c, 200, presentTransaction, (ctx) =>
    changeTransaction(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const updateSplit = defineRoute('transactions.write', {
  method: 'patch',
  path: '/transaction/{id}/split/{lineId}',
  operationId: 'updateSplit',
  summary: 'Change one part; the sum of all must still be the amount',
  tags: ['Transactions'],
  versioned: true,
  request: { params: splitPath, ...jsonRequest(UpdateSplitRequest) },
  responses: { 200: json(TransactionResponse, 'The transaction with its parts') },
  errors: [404],
})
splitRoutes.openapi(updateSplit, (c) => {
  const { id, lineId } = c.req.valid('param')
  return answer(c, 200, presentTransaction, (ctx) =>
    changeSplit(ctx, id, lineId, c.req.valid('json')),
  )
})

export const deleteSplits = defineRoute('transactions.write', {
  method: 'delete',
  path: '/transaction/{id}/split',
  operationId: 'deleteSplits',
  summary: 'Make a split transaction whole again, without a category',
  tags: ['Transactions'],
  versioned: true,
  request: { params: transactionId, query: ForceQuery },
  responses: { 200: json(TransactionResponse, 'The transaction without parts') },
  errors: [404],
})
splitRoutes.openapi(deleteSplits, (c) =>
  answer(c, 200, presentTransaction, (ctx) =>
    changeTransaction(ctx, c.req.valid('param').id, { splits: [], ...c.req.valid('query') }),
  ),
)
