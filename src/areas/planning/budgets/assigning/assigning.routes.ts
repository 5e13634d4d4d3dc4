import { z } from '@hono/zod-openapi'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { periodName } from '../periods/periods.contract.ts'
import { AssignMoneyRequest, AssignedMoneyResponse, presentAssigned } from './assigning.contract.ts'
import * as assigning from './assigning.usecases.ts'

export const assignMoney = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/period/{period}/assign',
  summary: 'Assign money by a method',
  request: {
    params: z.object({ ...pathId('bud', 'budget').shape, period: periodName }),
    ...jsonRequest(AssignMoneyRequest),
  },
  responses: { 200: json(AssignedMoneyResponse, 'The lines that change, and the pool') },
  run: (ctx, { params, body }) => {
    const { id, period } = params
    return assigning.assignMoney(ctx, id, period, body)
  },
  present: presentAssigned,
})
