import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  BudgetPeriodResponse,
  ListBudgetPeriodsQuery,
  BudgetPeriodsResponse,
  periodName,
  UpdateBudgetPeriodRequest,
} from './periods.contract.ts'
import { presentPeriod, presentPeriods } from './periods-presented.contract.ts'
import * as periods from './periods.usecases.ts'

const budgetId = pathId('bud', 'budget')
const periodPath = z.object({ ...budgetId.shape, period: periodName })

export const listBudgetPeriods = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/period',
    operationId: 'listBudgetPeriods',
    summary: 'List the periods of a budget',
    tags: ['Budgets'],
    request: { params: budgetId, query: ListBudgetPeriodsQuery },
    responses: { 200: json(BudgetPeriodsResponse, 'One page of the list') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentPeriods, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) =>
        periods.listBudgetPeriods(ctx, c.req.valid('param').id, query, page),
      )
    }),
)

export const getBudgetPeriod = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/period/{period}',
    operationId: 'getBudgetPeriod',
    summary: 'Get a period of a budget',
    tags: ['Budgets'],
    request: { params: periodPath },
    responses: { 200: json(BudgetPeriodResponse, 'The period with its lines') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentPeriod, (ctx) => {
      const { id, period } = c.req.valid('param')
      return periods.getBudgetPeriod(ctx, id, period)
    }),
)

export const updateBudgetPeriod = operation(
  'budgets.write',
  {
    method: 'patch',
    path: '/budget/{id}/period/{period}',
    operationId: 'updateBudgetPeriod',
    summary: 'Change the notes of a period',
    tags: ['Budgets'],
    versioned: true,
    request: { params: periodPath, ...jsonRequest(UpdateBudgetPeriodRequest) },
    responses: { 200: json(BudgetPeriodResponse, 'The period as it is now') },
  },
  (c) =>
    answer(c, 200, presentPeriod, (ctx) => {
      const { id, period } = c.req.valid('param')
      return periods.updateBudgetPeriod(ctx, id, period, c.req.valid('json'))
    }),
)
