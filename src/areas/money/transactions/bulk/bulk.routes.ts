import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  ChangeTransactionsRequest,
  ChangeTransactionsResponse,
  CreateTransactionsRequest,
  CreatedTransactionsResponse,
  DeleteTransactionsRequest,
  DeletedTransactionsResponse,
  presentBulkChanges,
  presentCreation,
  presentRemoval,
} from './bulk.contract.ts'
import * as changes from './changes.usecases.ts'
import * as creation from './creation.usecases.ts'
import type { Creation } from './creation.usecases.ts'
import * as removal from './removal.usecases.ts'

const isAnyNew = ({ results }: Creation) =>
  results.some((one) => 'status' in one && one.status === 'created')

export const createTransactions = operation({
  access: 'transactions.write',
  on: 'POST /transaction/bulk',
  summary: 'Record many transactions',
  request: jsonRequest(CreateTransactionsRequest),
  responses: {
    200: json(CreatedTransactionsResponse, 'The outcomes of a dry run, or no item was new'),
    201: json(CreatedTransactionsResponse, 'The outcome of each'),
  },
  errors: [404],
  run: (ctx, { body }) => creation.createTransactions(ctx, body),
  present: presentCreation,
  status: (creation: Creation) => (isAnyNew(creation) ? 201 : 200),
})

export const updateTransactions = operation({
  access: 'transactions.write',
  on: 'PATCH /transaction/bulk',
  summary: 'Change many transactions',
  versioned: true,
  request: jsonRequest(ChangeTransactionsRequest),
  responses: { 200: json(ChangeTransactionsResponse, 'The outcome of each, also in a dry run') },
  errors: [404],
  run: (ctx, { body }) => changes.updateTransactions(ctx, body),
  present: presentBulkChanges,
})

export const deleteTransactions = operation({
  access: 'transactions.write',
  on: 'POST /transaction/bulk-delete',
  summary: 'Move many transactions to the trash',
  request: jsonRequest(DeleteTransactionsRequest),
  responses: { 200: json(DeletedTransactionsResponse, 'The outcome of each, also in a dry run') },
  errors: [404],
  run: (ctx, { body }) => removal.deleteTransactions(ctx, body),
  present: presentRemoval,
})
