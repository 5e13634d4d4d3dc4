import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { periodName } from '../periods/periods.contract.ts'
import { BudgetByMemberResponse, presentByMember } from './members.contract.ts'
import * as members from './members.usecases.ts'

export const getBudgetByMember = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/period/{period}/member',
    operationId: 'getBudgetByMember',
    summary: 'Get the spending of each member',
    tags: ['Budgets'],
    errors: [409],
    request: { params: z.object({ ...pathId('bud', 'budget').shape, period: periodName }) },
    responses: { 200: json(BudgetByMemberResponse, 'What each member recorded on the lines') },
  },
  (c) =>
    answer(c, 200, presentByMember, (ctx) => {
      const { id, period } = c.req.valid('param')
      return members.getBudgetByMember(ctx, id, period)
    }),
)
