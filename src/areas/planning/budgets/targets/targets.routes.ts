import { z } from '@hono/zod-openapi'
import { idInPath, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { BudgetLineResponse, presentLine } from '../lines/lines.contract.ts'
import { SetLineTargetRequest, SnoozeLineTargetRequest } from './targets.contract.ts'
import * as targets from './targets.usecases.ts'

const linePath = z.object({
  ...pathId('bud', 'budget').shape,
  lineId: idInPath('bln', 'Id of the line.'),
})

const pathOf = (params: z.infer<typeof linePath>) => ({
  budgetId: params.id,
  lineId: params.lineId,
})

export const setLineTarget = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}/line/{lineId}/target',
  summary: 'Set the target of a line',
  versioned: true,
  request: { params: linePath, ...jsonRequest(SetLineTargetRequest) },
  responses: { 200: json(BudgetLineResponse, 'The line as it is now') },
  run: (ctx, { params, body }) => targets.setLineTarget(ctx, pathOf(params), body),
  present: presentLine,
})

export const deleteLineTarget = operation({
  access: 'budgets.write',
  on: 'DELETE /budget/{id}/line/{lineId}/target',
  summary: 'Delete the target of a line',
  versioned: true,
  request: { params: linePath },
  responses: { 200: json(BudgetLineResponse, 'The line as it is now') },
  run: (ctx, { params }) => targets.deleteLineTarget(ctx, pathOf(params)),
  present: presentLine,
})

export const snoozeLineTarget = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/line/{lineId}/target/snooze',
  summary: 'Snooze the target of a line',
  request: { params: linePath, ...jsonRequest(SnoozeLineTargetRequest) },
  responses: { 200: json(BudgetLineResponse, 'The line as it is now') },
  run: (ctx, { params, body }) => targets.snoozeLineTarget(ctx, pathOf(params), body.period),
  present: presentLine,
})
