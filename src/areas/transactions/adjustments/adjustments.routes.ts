import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentAdjustment } from './adjustments.presenters.ts'
import { AdjustBalanceRequest, BalanceAdjustmentResponse } from './adjustments.schemas.ts'
import { adjustBalance } from './adjustments.usecases.ts'

export const adjustmentRoutes = newArea()

export const postBalanceAdjustment = defineRoute('transactions.write', {
  method: 'post',
  path: '/account/{id}/balance-adjustment',
  operationId: 'adjustBalance',
  summary: 'Book what the balance of a day differs by from what was really there',
  tags: ['Accounts'],
  request: { params: pathId('acc', 'account'), ...jsonRequest(AdjustBalanceRequest) },
  responses: { 200: json(BalanceAdjustmentResponse, 'The balance is the stated one') },
  errors: [404],
})
adjustmentRoutes.openapi(postBalanceAdjustment, (c) =>
  answer(c, 200, presentAdjustment, (ctx) =>
    adjustBalance(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)
