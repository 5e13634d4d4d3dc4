import { z } from '@hono/zod-openapi'
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

export const listBudgetPeriods = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/period',
  summary: 'List the periods of a budget',
  request: { params: budgetId, query: ListBudgetPeriodsQuery },
  responses: { 200: json(BudgetPeriodsResponse, 'One page of the list') },
  errors: [409],
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => periods.listBudgetPeriods(ctx, params.id, query, page)),
  present: presentPeriods,
})

export const getBudgetPeriod = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/period/{period}',
  summary: 'Get a period of a budget',
  request: { params: periodPath },
  responses: { 200: json(BudgetPeriodResponse, 'The period with its lines') },
  errors: [409],
  run: (ctx, { params }) => {
    const { id, period } = params
    return periods.getBudgetPeriod(ctx, id, period)
  },
  present: presentPeriod,
})

export const updateBudgetPeriod = operation({
  access: 'budgets.write',
  on: 'PATCH /budget/{id}/period/{period}',
  summary: 'Change the notes of a period',
  versioned: true,
  request: { params: periodPath, ...jsonRequest(UpdateBudgetPeriodRequest) },
  responses: { 200: json(BudgetPeriodResponse, 'The period as it is now') },
  run: (ctx, { params, body }) => {
    const { id, period } = params
    return periods.updateBudgetPeriod(ctx, id, period, body)
  },
  present: presentPeriod,
})
