import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentPeriod } from '../periods/periods-presented.contract.ts'
import { BudgetPeriodResponse, periodName } from '../periods/periods.contract.ts'
import { ReopenBudgetPeriodRequest } from './closing.contract.ts'
import * as closing from './closing.usecases.ts'

const periodPath = z.object({ ...pathId('bud', 'budget').shape, period: periodName })

export const closeBudgetPeriod = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/period/{period}/close',
    operationId: 'closeBudgetPeriod',
    summary: 'Close a period of a budget',
    tags: ['Budgets'],
    request: { params: periodPath },
    responses: { 200: json(BudgetPeriodResponse, 'The closed period') },
  },
  (c) =>
    answer(c, 200, presentPeriod, (ctx) => {
      const { id, period } = c.req.valid('param')
      return closing.closeBudgetPeriod(ctx, id, period)
    }),
)

export const reopenBudgetPeriod = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/period/{period}/reopen',
    operationId: 'reopenBudgetPeriod',
    summary: 'Reopen a closed period',
    tags: ['Budgets'],
    request: { params: periodPath, ...jsonRequest(ReopenBudgetPeriodRequest) },
    responses: { 200: json(BudgetPeriodResponse, 'The open period') },
  },
  (c) =>
    answer(c, 200, presentPeriod, (ctx) => {
      const { id, period } = c.req.valid('param')
      return closing.reopenBudgetPeriod(ctx, id, period, c.req.valid('json').reason)
    }),
)
