import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  AdjustBalanceRequest,
  BalanceAdjustmentResponse,
  presentAdjustment,
} from './adjustments.contract.ts'
import * as adjustments from './adjustments.usecases.ts'

export const adjustBalance = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/account/{id}/balance-adjustment',
    operationId: 'adjustBalance',
    summary: 'Adjust the account balance on a day',
    tags: ['Accounts'],
    request: { params: pathId('acc', 'account'), ...jsonRequest(AdjustBalanceRequest) },
    responses: { 200: json(BalanceAdjustmentResponse, 'The account has the stated balance') },
  },
  (c) =>
    answer(c, 200, presentAdjustment, (ctx) =>
      adjustments.adjustBalance(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)
