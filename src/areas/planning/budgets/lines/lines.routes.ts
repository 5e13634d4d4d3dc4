import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { idInPath, MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  BudgetLineResponse,
  CreateBudgetLineRequest,
  DeleteBudgetLineQuery,
  ListBudgetLinesQuery,
  BudgetLinesResponse,
  presentDeletedLine,
  presentLine,
  presentLines,
  ReorderBudgetLinesRequest,
  UpdateBudgetLineRequest,
} from './lines.contract.ts'
import * as deletion from './deletion.usecases.ts'
import * as lines from './lines.usecases.ts'
import * as order from './order.usecases.ts'

const budgetId = pathId('bud', 'budget')
const lineId = z.object({ ...budgetId.shape, lineId: idInPath('bln', 'Id of the line.') })

export const listBudgetLines = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/line',
    operationId: 'listBudgetLines',
    summary: 'List the lines of a budget',
    tags: ['Budgets'],
    request: { params: budgetId, query: ListBudgetLinesQuery },
    responses: { 200: json(BudgetLinesResponse, 'All lines') },
  },
  (c) =>
    answer(c, 200, presentLines, (ctx) =>
      lines.listBudgetLines(ctx, c.req.valid('param').id, c.req.valid('query').archived),
    ),
)

export const createBudgetLine = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/line',
    operationId: 'createBudgetLine',
    summary: 'Create a budget line',
    tags: ['Budgets'],
    request: { params: budgetId, ...jsonRequest(CreateBudgetLineRequest) },
    responses: { 201: json(BudgetLineResponse, 'The new line') },
  },
  (c) =>
    answer(c, 201, presentLine, (ctx) =>
      lines.createBudgetLine(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const reorderBudgetLines = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/line/reorder',
    operationId: 'reorderBudgetLines',
    summary: 'Reorder the lines of a budget',
    tags: ['Budgets'],
    request: { params: budgetId, ...jsonRequest(ReorderBudgetLinesRequest) },
    responses: { 200: json(BudgetLinesResponse, 'All lines, in their new order') },
  },
  (c) =>
    answer(c, 200, presentLines, (ctx) => {
      const { lineIds, parents } = c.req.valid('json')
      return order.reorderBudgetLines(ctx, c.req.valid('param').id, lineIds, parents)
    }),
)

export const getBudgetLine = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/line/{lineId}',
    operationId: 'getBudgetLine',
    summary: 'Get a budget line',
    tags: ['Budgets'],
    request: { params: lineId },
    responses: { 200: json(BudgetLineResponse, 'The line') },
  },
  (c) =>
    answer(c, 200, presentLine, (ctx) => {
      const params = c.req.valid('param')
      return lines.getBudgetLine(ctx, params.id, params.lineId)
    }),
)

export const updateBudgetLine = operation(
  'budgets.write',
  {
    method: 'put',
    path: '/budget/{id}/line/{lineId}',
    operationId: 'updateBudgetLine',
    summary: 'Update a budget line',
    tags: ['Budgets'],
    versioned: true,
    request: { params: lineId, ...jsonRequest(UpdateBudgetLineRequest) },
    responses: { 200: json(BudgetLineResponse, 'The line as it is now') },
  },
  (c) =>
    answer(c, 200, presentLine, (ctx) => {
      const params = c.req.valid('param')
      return lines.updateBudgetLine(ctx, params.id, params.lineId, c.req.valid('json'))
    }),
)

export const deleteBudgetLine = operation(
  'budgets.write',
  {
    method: 'delete',
    path: '/budget/{id}/line/{lineId}',
    operationId: 'deleteBudgetLine',
    summary: 'Delete a budget line',
    tags: ['Budgets'],
    versioned: true,
    request: { params: lineId, query: DeleteBudgetLineQuery },
    responses: { 200: json(MessageResponse, 'Archived, or deleted where nothing needs it') },
  },
  (c) =>
    answer(c, 200, presentDeletedLine, (ctx) => {
      const params = c.req.valid('param')
      const { reassignTo } = c.req.valid('query')
      return deletion.deleteBudgetLine(ctx, params.id, params.lineId, reassignTo)
    }),
)
