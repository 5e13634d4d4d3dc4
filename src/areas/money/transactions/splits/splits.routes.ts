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
export const listSplits = operation({
  access: 'transactions.read',
  on: 'GET /transaction/{id}/split',
  summary: 'List the parts of a transaction',
  request: { params: transactionId },
  responses: { 200: json(SplitsResponse, 'The parts') },
  run: (ctx, { params }) => findTransaction(ctx, params.id),
  present: presentSplits,
})

export const replaceSplits = operation({
  access: 'transactions.write',
  on: 'PUT /transaction/{id}/split',
  summary: 'Split a transaction',
  versioned: true,
  request: { params: transactionId, ...jsonRequest(ReplaceSplitsRequest) },
  responses: { 200: json(TransactionResponse, 'The transaction with its parts') },
  run: (ctx, { params, body }) => changeTransaction(ctx, params.id, body),
  present: presentTransaction,
})

export const updateSplit = operation({
  access: 'transactions.write',
  on: 'PATCH /transaction/{id}/split/{lineId}',
  summary: 'Change a part of a transaction',
  versioned: true,
  request: { params: splitPath, ...jsonRequest(UpdateSplitRequest) },
  responses: { 200: json(TransactionResponse, 'The transaction with its parts') },
  run: (ctx, { params, body }) => splits.updateSplit(ctx, params.id, params.lineId, body),
  present: presentTransaction,
})

export const deleteSplits = operation({
  access: 'transactions.write',
  on: 'DELETE /transaction/{id}/split',
  summary: 'Make a split transaction whole',
  versioned: true,
  request: { params: transactionId, query: ForceQuery },
  responses: { 200: json(TransactionResponse, 'The transaction without parts') },
  run: (ctx, { params, query }) =>
    changeTransaction(ctx, params.id, {
      splits: [],
      ...query,
    }),
  present: presentTransaction,
})
