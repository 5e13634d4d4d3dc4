import { z } from '@hono/zod-openapi'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentPeriod } from '../periods/periods-presented.contract.ts'
import { BudgetPeriodResponse, periodName } from '../periods/periods.contract.ts'
import { ReopenBudgetPeriodRequest } from './closing.contract.ts'
import * as closing from './closing.usecases.ts'

const periodPath = z.object({ ...pathId('bud', 'budget').shape, period: periodName })

export const closeBudgetPeriod = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/period/{period}/close',
  summary: 'Close a period of a budget',
  request: { params: periodPath },
  responses: { 200: json(BudgetPeriodResponse, 'The closed period') },
  run: (ctx, { params }) => {
    const { id, period } = params
    return closing.closeBudgetPeriod(ctx, id, period)
  },
  present: presentPeriod,
})

export const reopenBudgetPeriod = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/period/{period}/reopen',
  summary: 'Reopen a closed period',
  request: { params: periodPath, ...jsonRequest(ReopenBudgetPeriodRequest) },
  responses: { 200: json(BudgetPeriodResponse, 'The open period') },
  run: (ctx, { params, body }) => {
    const { id, period } = params
    return closing.reopenBudgetPeriod(ctx, id, period, body.reason)
  },
  present: presentPeriod,
})
