import { answer } from '../../../../http/answer.ts'
import { pathId, ForceQuery } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { changeTransaction } from '../changes/changes.usecases.ts'
import { findTransaction } from '../transactions.usecases.ts'
import {
  SplitsResponse,
  presentSplits,
  ReplaceSplitsRequest,
  splitPath,
  UpdateSplitRequest,
} from './splits.contract.ts'
import * as splits from './splits.usecases.ts'

const transactionId = pathId('txn', 'transaction')
export const listSplits = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/transaction/{id}/split',
    operationId: 'listSplits',
    summary: 'List the parts of a transaction',
    tags: ['Transactions'],
    request: { params: transactionId },
    responses: { 200: json(SplitsResponse, 'The parts') },
  },
  (c) => answer(c, 200, presentSplits, (ctx) => findTransaction(ctx, c.req.valid('param').id)),
)

export const replaceSplits = operation(
  'transactions.write',
  {
    method: 'put',
    path: '/transaction/{id}/split',
    operationId: 'replaceSplits',
    summary: 'Split a transaction',
    tags: ['Transactions'],
    versioned: true,
    request: { params: transactionId, ...jsonRequest(ReplaceSplitsRequest) },
    responses: { 200: json(TransactionResponse, 'The transaction with its parts') },
  },
  (c) =>
    answer(c, 200, presentTransaction, (ctx) =>
      changeTransaction(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const updateSplit = operation(
  'transactions.write',
  {
    method: 'patch',
    path: '/transaction/{id}/split/{lineId}',
    operationId: 'updateSplit',
    summary: 'Change a part of a transaction',
    tags: ['Transactions'],
    versioned: true,
    request: { params: splitPath, ...jsonRequest(UpdateSplitRequest) },
    responses: { 200: json(TransactionResponse, 'The transaction with its parts') },
  },
  (c) => {
    const { id, lineId } = c.req.valid('param')
    return answer(c, 200, presentTransaction, (ctx) =>
      splits.updateSplit(ctx, id, lineId, c.req.valid('json')),
    )
  },
)

export const deleteSplits = operation(
  'transactions.write',
  {
    method: 'delete',
    path: '/transaction/{id}/split',
    operationId: 'deleteSplits',
    summary: 'Make a split transaction whole',
    tags: ['Transactions'],
    versioned: true,
    request: { params: transactionId, query: ForceQuery },
    responses: { 200: json(TransactionResponse, 'The transaction without parts') },
  },
  (c) =>
    answer(c, 200, presentTransaction, (ctx) =>
      changeTransaction(ctx, c.req.valid('param').id, {
        splits: [],
        ...c.req.valid('query'),
      }),
    ),
)
