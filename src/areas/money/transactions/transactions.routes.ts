import { ForceQuery, pathId } from '../../../http/fields.ts'
import { announceNext, paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { answerTable, csv } from '../../../http/files.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import {
  AdjustBalanceRequest,
  BalanceAdjustmentResponse,
  presentAdjustment,
} from './adjustments/adjustments.contract.ts'
import * as adjustments from './adjustments/adjustments.usecases.ts'
import { changeTransaction } from './changes/changes.usecases.ts'
import {
  ListTransactionVersionsQuery,
  presentVersions,
  TransactionVersionsResponse,
} from './history/history.contract.ts'
import * as history from './history/history.usecases.ts'
import {
  AccountLabelParams,
  ListLabelsQuery,
  ListLabelsResponse,
  presentLabels,
} from './labels/labels.contract.ts'
import * as labels from './labels/labels.usecases.ts'
import * as listing from './listing/listing.usecases.ts'
import { transactionsAsCsv } from './listing/tables.contract.ts'
import {
  MatchSplitRequest,
  presentUnmatched,
  UnmatchedSplitResponse,
} from './matching/matching.contract.ts'
import * as matching from './matching/matching.usecases.ts'
import { splitPath } from './splits/splits.contract.ts'
import {
  CreateTransactionRequest,
  GetTransactionQuery,
  ListTransactionsAsCsvQuery,
  ListTransactionsQuery,
  presentTransactions,
  TransactionsResponse,
  UpdateTransactionRequest,
} from './transactions.contract.ts'
import type { CreatedTransaction, Discarded } from './transactions.usecases.ts'
import * as transactions from './transactions.usecases.ts'

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
  request: { params: transactionId, query: GetTransactionQuery },
  responses: { 200: json(TransactionResponse, 'The transaction') },
  run: (ctx, { params, query }) =>
    transactions.findTransaction(ctx, params.id, undefined, query.convert),
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

export const adjustBalance = operation({
  access: 'transactions.write',
  on: 'POST /account/{id}/balance-adjustment',
  summary: 'Adjust the account balance on a day',
  tag: 'Accounts',
  request: { params: pathId('acc', 'account'), ...jsonRequest(AdjustBalanceRequest) },
  responses: { 200: json(BalanceAdjustmentResponse, 'The account has the stated balance') },
  run: (ctx, { params, body }) => adjustments.adjustBalance(ctx, params.id, body),
  present: presentAdjustment,
})

export const listTransactionVersions = operation({
  access: 'transactions.read',
  on: 'GET /transaction/{id}/history',
  summary: 'List the changes of a transaction',
  request: { params: pathId('txn', 'transaction'), query: ListTransactionVersionsQuery },
  responses: { 200: json(TransactionVersionsResponse, 'One page of the changes') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => history.listTransactionVersions(ctx, id, page))
  },
  present: presentVersions,
})

export const listAccountLabels = operation({
  access: 'transactions.read',
  on: 'GET /account/{id}/label',
  summary: 'List labels for an account',
  request: { params: AccountLabelParams, query: ListLabelsQuery },
  responses: { 200: json(ListLabelsResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { kind, search, ...paging } = query
    const filter = { accountId: params.id, kind, search }
    return paged(ctx, { ...paging, ...filter }, (page) =>
      labels.listAccountLabels(ctx, filter, page),
    )
  },
  present: presentLabels,
})

export const matchSplit = operation({
  access: 'transactions.write',
  on: 'POST /transaction/{id}/split/{lineId}/match',
  summary: 'Match a part with a transaction',
  request: { params: splitPath, ...jsonRequest(MatchSplitRequest) },
  responses: { 200: json(TransactionResponse, 'The transaction with its parts') },
  run: (ctx, { params, body }) => matching.matchSplit(ctx, params.id, params.lineId, body),
  present: presentTransaction,
})

export const unmatchSplit = operation({
  access: 'transactions.write',
  on: 'POST /transaction/{id}/split/{lineId}/unmatch',
  summary: 'Separate a part from its match',
  request: { params: splitPath, query: ForceQuery },
  responses: { 200: json(UnmatchedSplitResponse, 'Both transactions') },
  run: (ctx, { params, query }) =>
    matching.unmatchSplit(ctx, params.id, params.lineId, query.force),
  present: presentUnmatched,
})
