import { answer } from '../../../../http/answer.ts'
import { pathId, ForceQuery } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentTransfer, TransferResponse } from '../transfers.contract.ts'
import {
  MatchTransferRequest,
  presentParts,
  UnmatchedTransferResponse,
} from './matching.contract.ts'
import * as matching from './matching.usecases.ts'

export const matchTransfer = operation(
  'transfers.write',
  {
    method: 'post',
    path: '/transfer/match',
    operationId: 'matchTransfer',
    summary: 'Join two transactions into a transfer',
    tags: ['Transfers'],
    request: jsonRequest(MatchTransferRequest),
    responses: { 201: json(TransferResponse, 'The transfer that replaces both') },
    errors: [404],
  },
  (c) => answer(c, 201, presentTransfer, (ctx) => matching.matchTransfer(ctx, c.req.valid('json'))),
)

export const unmatchTransfer = operation(
  'transfers.write',
  {
    method: 'post',
    path: '/transfer/{id}/unmatch',
    operationId: 'unmatchTransfer',
    summary: 'Split a transfer into two transactions',
    tags: ['Transfers'],
    request: { params: pathId('trf', 'transfer'), query: ForceQuery },
    responses: { 200: json(UnmatchedTransferResponse, 'The expense and the income') },
  },
  (c) =>
    answer(c, 200, presentParts, (ctx) =>
      matching.unmatchTransfer(ctx, c.req.valid('param').id, c.req.valid('query').force),
    ),
)
