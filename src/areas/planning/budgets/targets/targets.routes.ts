import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
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

export const setLineTarget = operation(
  'budgets.write',
  {
    method: 'put',
    path: '/budget/{id}/line/{lineId}/target',
    operationId: 'setLineTarget',
    summary: 'Set the target of a line',
    tags: ['Budgets'],
    versioned: true,
    request: { params: linePath, ...jsonRequest(SetLineTargetRequest) },
    responses: { 200: json(BudgetLineResponse, 'The line as it is now') },
  },
  (c) =>
    answer(c, 200, presentLine, (ctx) =>
      targets.setLineTarget(ctx, pathOf(c.req.valid('param')), c.req.valid('json')),
    ),
)

export const deleteLineTarget = operation(
  'budgets.write',
  {
    method: 'delete',
    path: '/budget/{id}/line/{lineId}/target',
    operationId: 'deleteLineTarget',
    summary: 'Delete the target of a line',
    tags: ['Budgets'],
    versioned: true,
    request: { params: linePath },
    responses: { 200: json(BudgetLineResponse, 'The line as it is now') },
  },
  (c) =>
    answer(c, 200, presentLine, (ctx) =>
      targets.deleteLineTarget(ctx, pathOf(c.req.valid('param'))),
    ),
)

export const snoozeLineTarget = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/line/{lineId}/target/snooze',
    operationId: 'snoozeLineTarget',
    summary: 'Snooze the target of a line',
    tags: ['Budgets'],
    request: { params: linePath, ...jsonRequest(SnoozeLineTargetRequest) },
    responses: { 200: json(BudgetLineResponse, 'The line as it is now') },
  },
  (c) =>
    answer(c, 200, presentLine, (ctx) =>
      targets.snoozeLineTarget(ctx, pathOf(c.req.valid('param')), c.req.valid('json').period),
    ),
)
