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

export const listTransactions = operation({
  access: 'transactions.read',
  on: 'GET /transaction',
  summary: 'List transactions',
  request: { query: ListTransactionsQuery },
  responses: { 200: json(TransactionsResponse, 'One page of the list') },
  run: (ctx, { query: { totals, ...query } }) =>
    paged(ctx, query, (page) => listing.listTransactions(ctx, query, { ...query, totals }, page)),
  present: presentTransactions,
})

export const listTransactionsAsCsv = operation(
  {
    access: 'transactions.read',
    on: 'GET /transaction.csv',
    summary: 'List transactions as CSV',
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

export const createTransaction = operation({
  access: 'transactions.write',
  on: 'POST /transaction',
  summary: 'Record a transaction',
  request: jsonRequest(CreateTransactionRequest),
  responses: {
    200: json(TransactionResponse, 'The existing transaction with this externalId'),
    201: json(TransactionResponse, 'The new transaction'),
  },
  errors: [404],
  run: (ctx, { body }) => transactions.createTransaction(ctx, body),
  present: ({ row }, ctx) => presentTransaction(row, ctx),
  status: ({ isNew }: CreatedTransaction) => (isNew ? 201 : 200),
})

export const getTransaction = operation({
  access: 'transactions.read',
  on: 'GET /transaction/{id}',
  summary: 'Get a transaction',
  request: { params: transactionId },
  responses: { 200: json(TransactionResponse, 'The transaction') },
  run: (ctx, { params }) => transactions.findTransaction(ctx, params.id),
  present: presentTransaction,
})

export const updateTransaction = operation({
  access: 'transactions.write',
  on: 'PATCH /transaction/{id}',
  summary: 'Update a transaction',
  versioned: true,
  request: { params: transactionId, ...jsonRequest(UpdateTransactionRequest) },
  responses: { 200: json(TransactionResponse, 'The changed transaction') },
  run: (ctx, { params, body }) => changeTransaction(ctx, params.id, body),
  present: presentTransaction,
})

export const deleteTransaction = operation({
  access: 'transactions.write',
  on: 'DELETE /transaction/{id}',
  summary: 'Move a transaction to the trash',
  versioned: true,
  request: { params: transactionId, query: ForceQuery },
  responses: { 200: json(TrashedResponse, 'The item is in the trash') },
  run: (ctx, { params, query }) => transactions.deleteTransaction(ctx, params.id, query.force),
  present: ({ isOwn }: Discarded, ctx, { params }) =>
    presentTrashed(
      ctx,
      { kind: 'transaction', id: params.id, isOwn },
      'The transaction is in the trash.',
    ),
})
