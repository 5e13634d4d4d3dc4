import { z } from '@hono/zod-openapi'
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
import * as budgets from '../budgets.usecases.ts'

const budgetId = pathId('bud', 'budget')
const lineId = z.object({ ...budgetId.shape, lineId: idInPath('bln', 'Id of the line.') })

export const listBudgetLines = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/line',
  summary: 'List the lines of a budget',
  request: { params: budgetId, query: ListBudgetLinesQuery },
  responses: { 200: json(BudgetLinesResponse, 'All lines') },
  run: (ctx, { params, query }) => lines.listBudgetLines(ctx, params.id, query.archived),
  present: presentLines,
})

export const createBudgetLine = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/line',
  summary: 'Create a budget line',
  request: { params: budgetId, ...jsonRequest(CreateBudgetLineRequest) },
  responses: { 201: json(BudgetLineResponse, 'The new line') },
  run: (ctx, { params, body }) => lines.createBudgetLine(ctx, params.id, body),
  present: presentLine,
})

export const reorderBudgetLines = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/line/reorder',
  summary: 'Reorder the lines of a budget',
  request: { params: budgetId, ...jsonRequest(ReorderBudgetLinesRequest) },
  responses: { 200: json(BudgetLinesResponse, 'All lines, in their new order') },
  run: (ctx, { params, body }) => {
    const { lineIds, parents } = body
    return budgets.reorderBudgetLines(ctx, params.id, lineIds, parents)
  },
  present: presentLines,
})

export const getBudgetLine = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/line/{lineId}',
  summary: 'Get a budget line',
  request: { params: lineId },
  responses: { 200: json(BudgetLineResponse, 'The line') },
  run: (ctx, { params }) => lines.getBudgetLine(ctx, params.id, params.lineId),
  present: presentLine,
})

export const updateBudgetLine = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}/line/{lineId}',
  summary: 'Update a budget line',
  versioned: true,
  request: { params: lineId, ...jsonRequest(UpdateBudgetLineRequest) },
  responses: { 200: json(BudgetLineResponse, 'The line as it is now') },
  run: (ctx, { params, body }) => lines.updateBudgetLine(ctx, params.id, params.lineId, body),
  present: presentLine,
})

export const deleteBudgetLine = operation({
  access: 'budgets.write',
  on: 'DELETE /budget/{id}/line/{lineId}',
  summary: 'Delete a budget line',
  versioned: true,
  request: { params: lineId, query: DeleteBudgetLineQuery },
  responses: { 200: json(MessageResponse, 'Archived, or deleted where nothing needs it') },
  run: (ctx, { params, query }) => {
    const { reassignTo } = query
    return deletion.deleteBudgetLine(ctx, params.id, params.lineId, reassignTo)
  },
  present: presentDeletedLine,
})
