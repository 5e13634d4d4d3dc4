import { ForceQuery } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { splitPath } from '../splits/splits.contract.ts'
import { MatchSplitRequest, presentUnmatched, UnmatchedSplitResponse } from './matching.contract.ts'
import * as matching from './matching.usecases.ts'

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
