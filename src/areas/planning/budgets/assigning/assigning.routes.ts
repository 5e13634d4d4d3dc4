import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { periodName } from '../periods/periods.contract.ts'
import { AssignMoneyRequest, AssignedMoneyResponse, presentAssigned } from './assigning.contract.ts'
import * as assigning from './assigning.usecases.ts'

export const assignMoney = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/period/{period}/assign',
    operationId: 'assignMoney',
    summary: 'Assign money by a method',
    tags: ['Budgets'],
    request: {
      params: z.object({ ...pathId('bud', 'budget').shape, period: periodName }),
      ...jsonRequest(AssignMoneyRequest),
    },
    responses: { 200: json(AssignedMoneyResponse, 'The lines that change, and the pool') },
  },
  (c) =>
    answer(c, 200, presentAssigned, (ctx) => {
      const { id, period } = c.req.valid('param')
      return assigning.assignMoney(ctx, id, period, c.req.valid('json'))
    }),
)
