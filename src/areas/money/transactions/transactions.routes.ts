import { answer } from '../../../http/answer.ts'
import { pathId, ForceQuery } from '../../../http/fields.ts'
import { announceNext, paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { answerTable, csv } from '../../../http/tables.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import {
  CreateTransactionRequest,
  ListTransactionsAsCsvQuery,
  ListTransactionsQuery,
  TransactionsResponse,
  presentTransactions,
  UpdateTransactionRequest,
} from './transactions.contract.ts'
import { changeTransaction } from './changes/changes.usecases.ts'
import { transactionsAsCsv } from './listing/tables.contract.ts'
import * as listing from './listing/listing.usecases.ts'
import type { CreatedTransaction } from './transactions.usecases.ts'
import * as transactions from './transactions.usecases.ts'
import type { Discarded } from './transactions.usecases.ts'

const transactionId = pathId('txn', 'transaction')

export const listTransactions = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/transaction',
    operationId: 'listTransactions',
    summary: 'List transactions',
    tags: ['Transactions'],
    request: { query: ListTransactionsQuery },
    responses: { 200: json(TransactionsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentTransactions, (ctx) => {
      const { totals, ...query } = c.req.valid('query')
      return paged(ctx, query, (page) =>
        listing.listTransactions(ctx, query, { ...query, totals }, page),
      )
    }),
)

export const listTransactionsAsCsv = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/transaction.csv',
    operationId: 'listTransactionsAsCsv',
    summary: 'List transactions as CSV',
    tags: ['Transactions'],
    request: { query: ListTransactionsAsCsvQuery },
    responses: { 200: csv('One page of the list') },
  },
  (c) =>
    answerTable(c, { fileName: 'transactions.csv', of: transactionsAsCsv }, async (ctx) => {
      const query = c.req.valid('query')
      const found = await paged(ctx, query, (page) =>
        listing.listTransactions(ctx, query, { ...query, totals: false, named: true }, page),
      )
      announceNext(c, found.nextCursor)
      return found
    }),
)

export const createTransaction = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/transaction',
    operationId: 'createTransaction',
    summary: 'Record a transaction',
    tags: ['Transactions'],
    request: jsonRequest(CreateTransactionRequest),
    responses: {
      200: json(TransactionResponse, 'The existing transaction with this externalId'),
      201: json(TransactionResponse, 'The new transaction'),
    },
    errors: [404],
  },
  (c) =>
    answer(
      c,
      ({ isNew }: CreatedTransaction) => (isNew ? 201 : 200),
      ({ row }, ctx) => presentTransaction(row, ctx),
      (ctx) => transactions.createTransaction(ctx, c.req.valid('json')),
    ),
)

export const getTransaction = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/transaction/{id}',
    operationId: 'getTransaction',
    summary: 'Get a transaction',
    tags: ['Transactions'],
    request: { params: transactionId },
    responses: { 200: json(TransactionResponse, 'The transaction') },
  },
  (c) =>
    answer(c, 200, presentTransaction, (ctx) =>
      transactions.findTransaction(ctx, c.req.valid('param').id),
    ),
)

export const updateTransaction = operation(
  'transactions.write',
  {
    method: 'patch',
    path: '/transaction/{id}',
    operationId: 'updateTransaction',
    summary: 'Update a transaction',
    tags: ['Transactions'],
    versioned: true,
    request: { params: transactionId, ...jsonRequest(UpdateTransactionRequest) },
    responses: { 200: json(TransactionResponse, 'The changed transaction') },
  },
  (c) =>
    answer(c, 200, presentTransaction, (ctx) =>
      changeTransaction(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteTransaction = operation(
  'transactions.write',
  {
    method: 'delete',
    path: '/transaction/{id}',
    operationId: 'deleteTransaction',
    summary: 'Move a transaction to the trash',
    tags: ['Transactions'],
    versioned: true,
    request: { params: transactionId, query: ForceQuery },
    responses: { 200: json(TrashedResponse, 'The item is in the trash') },
  },
  (c) =>
    answer(
      c,
      200,
      ({ isOwn }: Discarded, ctx) =>
        presentTrashed(
          ctx,
          { kind: 'transaction', id: c.req.valid('param').id, isOwn },
          'The transaction is in the trash.',
        ),
      (ctx) =>
        transactions.deleteTransaction(ctx, c.req.valid('param').id, c.req.valid('query').force),
    ),
)
