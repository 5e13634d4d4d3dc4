import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { ForceQuery } from '../../transaction-views/transaction-views.public.ts'
import { presentTransfer, TransferResponse } from '../transfers.contract.ts'
import { MatchTransferRequest, presentParts, UnmatchTransferResponse } from './matching.contract.ts'
import * as matching from './matching.usecases.ts'

export const matchTransfer = operation(
  'transfers.write',
  {
    method: 'post',
    path: '/transfer/match',
    operationId: 'matchTransfer',
    summary: 'Join two rows into a transfer',
    tags: ['Transfers'],
    request: jsonRequest(MatchTransferRequest),
    responses: { 201: json(TransferResponse, 'The transfer in the place of both') },
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
    summary: 'Split a transfer into its rows',
    tags: ['Transfers'],
    request: { params: pathId('trf', 'transfer'), query: ForceQuery },
    responses: { 200: json(UnmatchTransferResponse, 'Both rows; matched ones as they were') },
  },
  (c) =>
    answer(c, 200, presentParts, (ctx) =>
      matching.unmatchTransfer(ctx, c.req.valid('param').id, c.req.valid('query').force),
    ),
)
