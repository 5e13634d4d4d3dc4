import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  AdjustBalanceRequest,
  BalanceAdjustmentResponse,
  presentAdjustment,
} from './adjustments.contract.ts'
import * as adjustments from './adjustments.usecases.ts'

export const adjustBalance = operation({
  access: 'transactions.write',
  on: 'POST /account/{id}/balance-adjustment',
  summary: 'Adjust the account balance on a day',
  tag: 'Accounts',
  request: { params: pathId('acc', 'account'), ...jsonRequest(AdjustBalanceRequest) },
  responses: { 200: json(BalanceAdjustmentResponse, 'The account has the stated balance') },
  run: (ctx, { params, body }) => adjustments.adjustBalance(ctx, params.id, body),
  present: presentAdjustment,
})
