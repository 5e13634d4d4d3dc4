import { pathId, ForceQuery } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentTransfer, TransferResponse } from '../transfers.contract.ts'
import {
  MatchTransferRequest,
  presentParts,
  UnmatchedTransferResponse,
} from './matching.contract.ts'
import * as matching from './matching.usecases.ts'

export const matchTransfer = operation({
  access: 'transfers.write',
  on: 'POST /transfer/match',
  summary: 'Join two transactions into a transfer',
  request: jsonRequest(MatchTransferRequest),
  responses: { 201: json(TransferResponse, 'The transfer that replaces both') },
  errors: [404],
  run: (ctx, { body }) => matching.matchTransfer(ctx, body),
  present: presentTransfer,
})

export const unmatchTransfer = operation({
  access: 'transfers.write',
  on: 'POST /transfer/{id}/unmatch',
  summary: 'Split a transfer into two transactions',
  request: { params: pathId('trf', 'transfer'), query: ForceQuery },
  responses: { 200: json(UnmatchedTransferResponse, 'The expense and the income') },
  run: (ctx, { params, query }) => matching.unmatchTransfer(ctx, params.id, query.force),
  present: presentParts,
})
