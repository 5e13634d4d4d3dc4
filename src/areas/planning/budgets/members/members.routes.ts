import { z } from '@hono/zod-openapi'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { periodName } from '../periods/periods.contract.ts'
import { BudgetByMemberResponse, presentByMember } from './members.contract.ts'
import * as members from './members.usecases.ts'

export const getBudgetByMember = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/period/{period}/member',
  summary: 'Get the spending of each member',
  errors: [409],
  request: { params: z.object({ ...pathId('bud', 'budget').shape, period: periodName }) },
  responses: { 200: json(BudgetByMemberResponse, 'What each member recorded on the lines') },
  run: (ctx, { params }) => {
    const { id, period } = params
    return members.getBudgetByMember(ctx, id, period)
  },
  present: presentByMember,
})
