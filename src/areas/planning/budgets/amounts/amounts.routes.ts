import { z } from '@hono/zod-openapi'
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

export const setAllocations = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}/period/{period}/allocation',
  summary: 'Assign money to lines',
  versioned: true,
  request: { params: periodPath, ...jsonRequest(SetAllocationsRequest) },
  responses: { 200: json(BudgetPeriodResponse, 'The period as it is now') },
  run: (ctx, { params, body }) => {
    const { id: budgetId, period } = params
    return amounts.setAllocations(ctx, budgetId, period, body.items)
  },
  present: presentPeriod,
})

export const setAllocation = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}/period/{period}/allocation/{lineId}',
  summary: 'Assign money to a line',
  versioned: true,
  request: { params: linePath, ...jsonRequest(SetAllocationRequest) },
  responses: { 200: json(AllocationResponse, 'The row of the line in the period') },
  run: (ctx, { params, body }) => {
    const { id: budgetId, ...path } = params
    return amounts.setAllocation(ctx, budgetId, path, body)
  },
  present: presentAllocation,
})

export const holdMoney = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}/period/{period}/hold',
  summary: 'Hold money for the next period',
  versioned: true,
  request: { params: periodPath, ...jsonRequest(HoldMoneyRequest) },
  responses: { 200: json(BudgetPeriodResponse, 'The period as it is now') },
  run: (ctx, { params, body }) => {
    const { id: budgetId, period } = params
    return amounts.holdMoney(ctx, budgetId, period, body)
  },
  present: presentPeriod,
})
