import { answer } from '../../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentChanges, presentCreation, presentRemoval } from './bulk.presenters.ts'
import {
  ChangeTransactionsRequest,
  ChangeTransactionsResponse,
  CreateTransactionsRequest,
  CreateTransactionsResponse,
  DeleteTransactionsRequest,
  DeleteTransactionsResponse,
} from './bulk.schemas.ts'
import { changeMany } from './changes.usecases.ts'
import { type Creation, createMany } from './creation.usecases.ts'
import { removeMany } from './removal.usecases.ts'

export const bulkTransactionRoutes = newArea()

const isAnyNew = ({ results }: Creation) =>
  results.some((one) => 'status' in one && one.status === 'created')

export const createTransactions = defineRoute('transactions.write', {
  method: 'post',
  path: '/transaction/bulk',
  operationId: 'createTransactions',
  summary: 'Record up to 500 transactions at once, all or none',
  tags: ['Transactions'],
  request: jsonRequest(CreateTransactionsRequest),
  responses: {
    200: json(CreateTransactionsResponse, 'What would become of each, or that none is new'),
    201: json(CreateTransactionsResponse, 'What became of each'),
  },
  errors: [404],
})
bulkTransactionRoutes.openapi(createTransactions, (c) =>
  answer(
    c,
    (creation: Creation) => (isAnyNew(creation) ? 201 : 200),
    presentCreation,
    (ctx) => createMany(ctx, c.req.valid('json')),
  ),
)

export const updateTransactions = defineRoute('transactions.write', {
  method: 'patch',
  path: '/transaction/bulk',
  operationId: 'updateTransactions',
  summary: 'Change up to 500 transactions at once, by ids or by filter, all or none',
  tags: ['Transactions'],
  versioned: true,
  request: jsonRequest(ChangeTransactionsRequest),
  responses: { 200: json(ChangeTransactionsResponse, 'What became of each, or would') },
  errors: [404],
})
bulkTransactionRoutes.openapi(updateTransactions, (c) =>
  answer(c, 200, presentChanges, (ctx) => changeMany(ctx, c.req.valid('json'))),
)

export const deleteTransactions = defineRoute('transactions.write', {
  method: 'post',
  path: '/transaction/bulk-delete',
  operationId: 'deleteTransactions',
  summary: 'Move up to 500 transactions to the trash at once, by ids or by filter, all or none',
  tags: ['Transactions'],
  request: jsonRequest(DeleteTransactionsRequest),
  responses: { 200: json(DeleteTransactionsResponse, 'What became of each, or would') },
  errors: [404],
})
bulkTransactionRoutes.openapi(deleteTransactions, (c) =>
  answer(c, 200, presentRemoval, (ctx) => removeMany(ctx, c.req.valid('json'))),
)
