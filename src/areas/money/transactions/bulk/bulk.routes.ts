import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  ChangeTransactionsRequest,
  ChangeTransactionsResponse,
  CreateTransactionsRequest,
  CreatedTransactionsResponse,
  DeleteTransactionsRequest,
  DeletedTransactionsResponse,
  presentChanges,
  presentCreation,
  presentRemoval,
} from './bulk.contract.ts'
import * as changes from './changes.usecases.ts'
import * as creation from './creation.usecases.ts'
import type { Creation } from './creation.usecases.ts'
import * as removal from './removal.usecases.ts'

const isAnyNew = ({ results }: Creation) =>
  results.some((one) => 'status' in one && one.status === 'created')

export const createTransactions = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/transaction/bulk',
    operationId: 'createTransactions',
    summary: 'Record many transactions',
    tags: ['Transactions'],
    request: jsonRequest(CreateTransactionsRequest),
    responses: {
      200: json(CreatedTransactionsResponse, 'The outcomes of a dry run, or no item was new'),
      201: json(CreatedTransactionsResponse, 'The outcome of each'),
    },
    errors: [404],
  },
  (c) =>
    answer(
      c,
      (creation: Creation) => (isAnyNew(creation) ? 201 : 200),
      presentCreation,
      (ctx) => creation.createTransactions(ctx, c.req.valid('json')),
    ),
)

export const updateTransactions = operation(
  'transactions.write',
  {
    method: 'patch',
    path: '/transaction/bulk',
    operationId: 'updateTransactions',
    summary: 'Change many transactions',
    tags: ['Transactions'],
    versioned: true,
    request: jsonRequest(ChangeTransactionsRequest),
    responses: { 200: json(ChangeTransactionsResponse, 'The outcome of each, also in a dry run') },
    errors: [404],
  },
  (c) =>
    answer(c, 200, presentChanges, (ctx) => changes.updateTransactions(ctx, c.req.valid('json'))),
)

export const deleteTransactions = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/transaction/bulk-delete',
    operationId: 'deleteTransactions',
    summary: 'Move many transactions to the trash',
    tags: ['Transactions'],
    request: jsonRequest(DeleteTransactionsRequest),
    responses: { 200: json(DeletedTransactionsResponse, 'The outcome of each, also in a dry run') },
    errors: [404],
  },
  (c) =>
    answer(c, 200, presentRemoval, (ctx) => removal.deleteTransactions(ctx, c.req.valid('json'))),
)
