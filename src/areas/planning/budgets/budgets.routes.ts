import { answer } from '../../../http/answer.ts'
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

export const listBudgets = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget',
    operationId: 'listBudgets',
    summary: 'List budgets',
    tags: ['Budgets'],
    request: { query: ListBudgetsQuery },
    responses: { 200: json(BudgetsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentBudgets, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => budgets.listBudgets(ctx, query, page))
    }),
)

export const createBudget = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget',
    operationId: 'createBudget',
    summary: 'Create a budget',
    tags: ['Budgets'],
    request: jsonRequest(CreateBudgetRequest),
    responses: { 201: json(BudgetResponse, 'The new budget') },
  },
  (c) => answer(c, 201, presentBudget, (ctx) => budgets.createBudget(ctx, c.req.valid('json'))),
)

export const previewBudgetPeriods = operation(
  'budgets.read',
  {
    method: 'post',
    path: '/budget/preview',
    operationId: 'previewBudgetPeriods',
    summary: 'Preview the periods of a rule',
    tags: ['Budgets'],
    request: jsonRequest(PreviewBudgetPeriodsRequest),
    responses: { 200: json(BudgetPeriodsPreviewResponse, 'The periods') },
  },
  (c) =>
    answer(c, 200, presentPreview, (ctx) => budgets.previewBudgetPeriods(ctx, c.req.valid('json'))),
)

export const getBudget = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}',
    operationId: 'getBudget',
    summary: 'Get a budget',
    tags: ['Budgets'],
    request: { params: budgetId },
    responses: { 200: json(BudgetResponse, 'The budget') },
  },
  (c) => answer(c, 200, presentBudget, (ctx) => budgets.getBudget(ctx, c.req.valid('param').id)),
)

export const updateBudget = operation(
  'budgets.write',
  {
    method: 'put',
    path: '/budget/{id}',
    operationId: 'updateBudget',
    summary: 'Update a budget',
    tags: ['Budgets'],
    versioned: true,
    request: { params: budgetId, ...jsonRequest(UpdateBudgetRequest) },
    responses: { 200: json(BudgetResponse, 'The budget as it is now') },
  },
  (c) =>
    answer(c, 200, presentBudget, (ctx) =>
      budgets.updateBudget(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)
