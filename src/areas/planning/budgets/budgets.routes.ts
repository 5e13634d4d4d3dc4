import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  BudgetResponse,
  CreateBudgetRequest,
  ListBudgetsQuery,
  BudgetsResponse,
  presentBudget,
  presentBudgets,
  presentPreview,
  PreviewBudgetPeriodsRequest,
  BudgetPeriodsPreviewResponse,
  UpdateBudgetRequest,
} from './budgets.contract.ts'
import * as budgets from './budgets.usecases.ts'

const budgetId = pathId('bud', 'budget')

export const listBudgets = operation({
  access: 'budgets.read',
  on: 'GET /budget',
  summary: 'List budgets',
  request: { query: ListBudgetsQuery },
  responses: { 200: json(BudgetsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => budgets.listBudgets(ctx, query, page)),
  present: presentBudgets,
})

export const createBudget = operation({
  access: 'budgets.write',
  on: 'POST /budget',
  summary: 'Create a budget',
  request: jsonRequest(CreateBudgetRequest),
  responses: { 201: json(BudgetResponse, 'The new budget') },
  run: (ctx, { body }) => budgets.createBudget(ctx, body),
  present: presentBudget,
})

export const previewBudgetPeriods = operation({
  access: 'budgets.read',
  on: 'POST /budget/preview',
  summary: 'Preview the periods of a rule',
  request: jsonRequest(PreviewBudgetPeriodsRequest),
  responses: { 200: json(BudgetPeriodsPreviewResponse, 'The periods') },
  run: (ctx, { body }) => budgets.previewBudgetPeriods(ctx, body),
  present: presentPreview,
})

export const getBudget = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}',
  summary: 'Get a budget',
  request: { params: budgetId },
  responses: { 200: json(BudgetResponse, 'The budget') },
  run: (ctx, { params }) => budgets.getBudget(ctx, params.id),
  present: presentBudget,
})

export const updateBudget = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}',
  summary: 'Update a budget',
  versioned: true,
  request: { params: budgetId, ...jsonRequest(UpdateBudgetRequest) },
  responses: { 200: json(BudgetResponse, 'The budget as it is now') },
  run: (ctx, { params, body }) => budgets.updateBudget(ctx, params.id, body),
  present: presentBudget,
})
