import { ForceQuery } from '../../../../http/fields.ts'
import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { splitPath } from '../splits/splits.contract.ts'
import { MatchSplitRequest, presentUnmatched, UnmatchedSplitResponse } from './matching.contract.ts'
import * as matching from './matching.usecases.ts'

export const matchSplit = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/transaction/{id}/split/{lineId}/match',
    operationId: 'matchSplit',
    summary: 'Match a part with a transaction',
    tags: ['Transactions'],
    request: { params: splitPath, ...jsonRequest(MatchSplitRequest) },
    responses: { 200: json(TransactionResponse, 'The transaction with its parts') },
  },
  (c) => {
    const { id, lineId } = c.req.valid('param')
    return answer(c, 200, presentTransaction, (ctx) =>
      matching.matchSplit(ctx, id, lineId, c.req.valid('json')),
    )
  },
)

export const unmatchSplit = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/transaction/{id}/split/{lineId}/unmatch',
    operationId: 'unmatchSplit',
    summary: 'Separate a part from its match',
    tags: ['Transactions'],
    request: { params: splitPath, query: ForceQuery },
    responses: { 200: json(UnmatchedSplitResponse, 'Both transactions') },
  },
  (c) => {
    const { id, lineId } = c.req.valid('param')
    return answer(c, 200, presentUnmatched, (ctx) =>
      matching.unmatchSplit(ctx, id, lineId, c.req.valid('query').force),
    )
  },
)
