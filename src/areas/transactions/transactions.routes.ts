import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import {
  ForceQuery,
  presentTransaction,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import { presentTransactions } from './transactions.presenters.ts'
import {
  CreateTransactionRequest,
  ListTransactionsQuery,
  ListTransactionsResponse,
  UpdateTransactionRequest,
} from './transactions.schemas.ts'
import { findTransactions } from './listing/listing.usecases.ts'
import type { Created } from './repetition/repetition.usecases.ts'
import {
  bookTransaction,
  changeTransaction,
  findTransaction,
  removeTransaction,
} from './transactions.usecases.ts'

export const transactionRoutes = newArea()

const transactionId = pathId('txn', 'transaction')

export const listTransactions = defineRoute('transactions.read', {
  method: 'get',
  path: '/transaction',
  operationId: 'listTransactions',
  summary: 'Transactions of all kinds that match; a transfer appears once per account',
  tags: ['Transactions'],
  request: { query: ListTransactionsQuery },
  responses: { 200: json(ListTransactionsResponse, 'One page of them') },
})
transactionRoutes.openapi(listTransactions, (c) =>
  answer(c, 200, presentTransactions, (ctx) => {
    const { totals, ...query } = c.req.valid('query')
    return paged(ctx, query, (page) => findTransactions(ctx, query, { ...query, totals }, page))
  }),
)

export const createTransaction = defineRoute('transactions.write', {
  method: 'post',
  path: '/transaction',
  operationId: 'createTransaction',
  summary: 'Record an expense, an income or an adjustment',
  tags: ['Transactions'],
  request: jsonRequest(CreateTransactionRequest),
  responses: {
    200: json(TransactionResponse, 'The account has a transaction with this externalId: this one'),
    201: json(TransactionResponse, 'The new transaction'),
  },
  errors: [404],
})
transactionRoutes.openapi(createTransaction, (c) =>
  answer(
    c,
    ({ isNew }: Created) => (isNew ? 201 : 200),
    ({ row }, ctx) => presentTransaction(row, ctx),
    (ctx) => bookTransaction(ctx, c.req.valid('json')),
  ),
)

export const getTransaction = defineRoute('transactions.read', {
  method: 'get',
  path: '/transaction/{id}',
  operationId: 'getTransaction',
  summary: 'One transaction of any kind',
  tags: ['Transactions'],
  request: { params: transactionId },
  responses: { 200: json(TransactionResponse, 'The transaction') },
  errors: [404],
})
transactionRoutes.openapi(getTransaction, (c) =>
  answer(c, 200, presentTransaction, (ctx) => findTransaction(ctx, c.req.valid('param').id)),
)

export const updateTransaction = defineRoute('transactions.write', {
  method: 'patch',
  path: '/transaction/{id}',
  operationId: 'updateTransaction',
  summary: 'Change the fields that are sent',
  tags: ['Transactions'],
  versioned: true,
  request: { params: transactionId, ...jsonRequest(UpdateTransactionRequest) },
  responses: { 200: json(TransactionResponse, 'The changed transaction') },
  errors: [404],
})
transactionRoutes.openapi(updateTransaction, (c) =>
  answer(c, 200, presentTransaction, (ctx) =>
    changeTransaction(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteTransaction = defineRoute('transactions.write', {
  method: 'delete',
  path: '/transaction/{id}',
  operationId: 'deleteTransaction',
  summary: 'Move a transaction to the trash',
  tags: ['Transactions'],
  versioned: true,
  request: { params: transactionId, query: ForceQuery },
  responses: { 200: json(MessageResponse, 'It is in the trash') },
  errors: [404],
})
transactionRoutes.openapi(deleteTransaction, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The transaction is in the trash.' }),
    (ctx) => removeTransaction(ctx, c.req.valid('param').id, c.req.valid('query').force),
  ),
)
