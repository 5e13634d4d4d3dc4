import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { ForceQuery } from '../../transaction-views/transaction-views.public.ts'
import { presentTransfer } from '../transfers.presenters.ts'
import { TransferResponse } from '../transfers.schemas.ts'
import { presentParts } from './matching.presenters.ts'
import { MatchTransferRequest, UnmatchTransferResponse } from './matching.schemas.ts'
import { matchRows, unmatchLegs } from './matching.usecases.ts'

export const matchingRoutes = newArea()

export const postMatchTransfer = defineRoute('transfers.write', {
  method: 'post',
  path: '/transfer/match',
  operationId: 'matchTransfer',
  summary: 'Join an expense and an income into one transfer',
  tags: ['Transfers'],
  request: jsonRequest(MatchTransferRequest),
  responses: { 201: json(TransferResponse, 'The transfer in the place of both') },
  errors: [404],
})
matchingRoutes.openapi(postMatchTransfer, (c) =>
  answer(c, 201, presentTransfer, (ctx) => matchRows(ctx, c.req.valid('json'))),
)

export const postUnmatchTransfer = defineRoute('transfers.write', {
  method: 'post',
  path: '/transfer/{id}/unmatch',
  operationId: 'unmatchTransfer',
  summary: 'Split a transfer back into an expense and an income',
  tags: ['Transfers'],
  request: { params: pathId('trf', 'transfer'), query: ForceQuery },
  responses: { 200: json(UnmatchTransferResponse, 'Both rows; matched ones as they were') },
  errors: [404],
})
matchingRoutes.openapi(postUnmatchTransfer, (c) =>
  answer(c, 200, presentParts, (ctx) =>
    unmatchLegs(ctx, c.req.valid('param').id, c.req.valid('query').force),
  ),
)
