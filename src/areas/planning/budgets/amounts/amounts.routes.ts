import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { idInPath, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { BudgetPeriodResponse, periodName } from '../periods/periods.contract.ts'
import { presentPeriod } from '../periods/periods-presented.contract.ts'
import {
  AllocationResponse,
  HoldMoneyRequest,
  presentAllocation,
  SetAllocationRequest,
  SetAllocationsRequest,
} from './amounts.contract.ts'
import * as amounts from './amounts.usecases.ts'

const periodPath = z.object({ ...pathId('bud', 'budget').shape, period: periodName })
const linePath = z.object({ ...periodPath.shape, lineId: idInPath('bln', 'Id of the line.') })

export const setAllocations = operation(
  'budgets.write',
  {
    method: 'put',
    path: '/budget/{id}/period/{period}/allocation',
    operationId: 'setAllocations',
    summary: 'Assign money to lines',
    tags: ['Budgets'],
    versioned: true,
    request: { params: periodPath, ...jsonRequest(SetAllocationsRequest) },
    responses: { 200: json(BudgetPeriodResponse, 'The period as it is now') },
  },
  (c) =>
    answer(c, 200, presentPeriod, (ctx) => {
      const { id: budgetId, period } = c.req.valid('param')
      return amounts.setAllocations(ctx, budgetId, period, c.req.valid('json').items)
    }),
)

export const setAllocation = operation(
  'budgets.write',
  {
    method: 'put',
    path: '/budget/{id}/period/{period}/allocation/{lineId}',
    operationId: 'setAllocation',
    summary: 'Assign money to a line',
    tags: ['Budgets'],
    versioned: true,
    request: { params: linePath, ...jsonRequest(SetAllocationRequest) },
    responses: { 200: json(AllocationResponse, 'The row of the line in the period') },
  },
  (c) =>
    answer(c, 200, presentAllocation, (ctx) => {
      const { id: budgetId, ...path } = c.req.valid('param')
      return amounts.setAllocation(ctx, budgetId, path, c.req.valid('json'))
    }),
)

export const holdMoney = operation(
  'budgets.write',
  {
    method: 'put',
    path: '/budget/{id}/period/{period}/hold',
    operationId: 'holdMoney',
    summary: 'Hold money for the next period',
    tags: ['Budgets'],
    versioned: true,
    request: { params: periodPath, ...jsonRequest(HoldMoneyRequest) },
    responses: { 200: json(BudgetPeriodResponse, 'The period as it is now') },
  },
  (c) =>
    answer(c, 200, presentPeriod, (ctx) => {
      const { id: budgetId, period } = c.req.valid('param')
      return amounts.holdMoney(ctx, budgetId, period, c.req.valid('json'))
    }),
)
