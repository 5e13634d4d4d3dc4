import { z } from '@hono/zod-openapi'
import { idInPath, pathId } from '../../../http/fields.ts'
import { answerSvg, svgResponses } from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import {
  BudgetAlertsResponse,
  ListBudgetAlertsQuery,
  presentAlerts,
} from './alerts/alerts.contract.ts'
import * as watch from './alerts/alerts.usecases.ts'
import {
  AssignedMoneyResponse,
  AssignMoneyRequest,
  presentAssigned,
} from './amounts/amounts.contract.ts'
import * as amounts from './amounts/amounts.usecases.ts'
import {
  BudgetPeriodsPreviewResponse,
  BudgetResponse,
  BudgetsResponse,
  CreateBudgetRequest,
  ListBudgetsQuery,
  presentBudget,
  presentBudgets,
  presentBudgetPreview,
  PreviewBudgetPeriodsRequest,
  UpdateBudgetRequest,
} from './budgets.contract.ts'
import * as budgets from './budgets.usecases.ts'
import * as closing from './periods/closing.usecases.ts'
import { CopyBudgetRequest } from './copies/copies.contract.ts'
import * as copies from './copies/copies.usecases.ts'
import {
  BudgetByMemberResponse,
  presentByMember,
  ShareBudgetRequest,
} from './members/members.contract.ts'
import * as members from './members/members.usecases.ts'
import { presentPeriod } from './periods/periods-presented.contract.ts'
import {
  BudgetPeriodResponse,
  periodName,
  ReopenBudgetPeriodRequest,
} from './periods/periods.contract.ts'
import * as periods from './periods/periods.usecases.ts'
import {
  LineTransactionsResponse,
  ListLineTransactionsQuery,
  presentBudgetRows,
} from './rows/rows.contract.ts'
import * as rows from './rows/rows.usecases.ts'
import {
  BudgetLineSuggestionsResponse,
  presentBudgetSuggestions,
} from './targets/targets.contract.ts'
import * as targets from './targets/targets.usecases.ts'
import {
  BudgetSummaryResponse,
  GetBudgetSummaryQuery,
  presentBudgetSummaryPage,
  GetLineHistoryQuery,
  LineHistoryResponse,
  presentBudgetHistory,
  BudgetForecastResponse,
  presentForecast,
  GetBudgetChartQuery,
  presentChart,
} from './summary/summary.contract.ts'
import * as summary from './summary/summary.usecases.ts'
import * as trash from './trash/trash.usecases.ts'

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
  present: presentBudgetPreview,
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

export const listBudgetAlerts = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/alert',
  summary: 'List the alerts of a budget',
  request: { params: pathId('bud', 'budget'), query: ListBudgetAlertsQuery },
  responses: { 200: json(BudgetAlertsResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => watch.listBudgetAlerts(ctx, params.id, query, page)),
  present: presentAlerts,
})

export const assignMoney = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/period/{period}/assign',
  summary: 'Assign money by a method',
  request: {
    params: z.object({ ...pathId('bud', 'budget').shape, period: periodName }),
    ...jsonRequest(AssignMoneyRequest),
  },
  responses: { 200: json(AssignedMoneyResponse, 'The lines that change, and the pool') },
  run: (ctx, { params, body }) => {
    const { id, period } = params
    return amounts.assignMoney(ctx, id, period, body)
  },
  present: presentAssigned,
})

export const getBudgetChart = operation(
  {
    access: 'budgets.read',
    on: 'GET /budget/{id}/chart.svg',
    summary: 'Get a chart of a budget',
    request: { params: pathId('bud', 'budget'), query: GetBudgetChartQuery },
    responses: svgResponses,
    errors: [409],
  },
  (c) =>
    answerSvg(c, async (ctx) => {
      const { period = 'current', theme = 'auto' } = c.req.valid('query')
      const found = await periods.getBudgetPeriod(ctx, c.req.valid('param').id, period)
      return presentChart(found, theme)
    }),
)

const periodPath = z.object({ ...pathId('bud', 'budget').shape, period: periodName })

export const closeBudgetPeriod = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/period/{period}/close',
  summary: 'Close a period of a budget',
  request: { params: periodPath },
  responses: { 200: json(BudgetPeriodResponse, 'The closed period') },
  run: (ctx, { params }) => {
    const { id, period } = params
    return closing.closeBudgetPeriod(ctx, id, period)
  },
  present: presentPeriod,
})

export const reopenBudgetPeriod = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/period/{period}/reopen',
  summary: 'Reopen a closed period',
  request: { params: periodPath, ...jsonRequest(ReopenBudgetPeriodRequest) },
  responses: { 200: json(BudgetPeriodResponse, 'The open period') },
  run: (ctx, { params, body }) => {
    const { id, period } = params
    return closing.reopenBudgetPeriod(ctx, id, period, body.reason)
  },
  present: presentPeriod,
})

export const copyBudget = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/copy',
  summary: 'Copy a budget',
  request: { params: pathId('bud', 'budget'), ...jsonRequest(CopyBudgetRequest) },
  responses: { 201: json(BudgetResponse, 'The copy') },
  run: (ctx, { params, body }) => copies.copyBudget(ctx, params.id, body),
  present: presentBudget,
})

export const getBudgetForecast = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/period/{period}/forecast',
  summary: 'Get the forecast of a period',
  request: { params: periodPath },
  responses: { 200: json(BudgetForecastResponse, 'The forecast of each line') },
  errors: [409],
  run: (ctx, { params }) => {
    const { id, period } = params
    return summary.getBudgetForecast(ctx, id, period)
  },
  present: presentForecast,
})

const linePath = z.object({
  ...pathId('bud', 'budget').shape,
  lineId: idInPath('bln', 'Id of the line.'),
})

export const getLineHistory = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/line/{lineId}/history',
  summary: 'Get the history of a budget line',
  request: { params: linePath, query: GetLineHistoryQuery },
  responses: { 200: json(LineHistoryResponse, 'The line in each period') },
  errors: [409],
  run: (ctx, { params, query }) => {
    const { id: budgetId, lineId } = params
    return summary.getLineHistory(ctx, budgetId, lineId, query)
  },
  present: presentBudgetHistory,
})

export const getBudgetByMember = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/period/{period}/member',
  summary: 'Get the spending of each member',
  errors: [409],
  request: { params: z.object({ ...pathId('bud', 'budget').shape, period: periodName }) },
  responses: { 200: json(BudgetByMemberResponse, 'What each member recorded on the lines') },
  run: (ctx, { params }) => {
    const { id, period } = params
    return members.getBudgetByMember(ctx, id, period)
  },
  present: presentByMember,
})

export const shareBudgetToGroup = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}/share-group',
  summary: 'Move a budget to a group',
  versioned: true,
  request: { params: budgetId, ...jsonRequest(ShareBudgetRequest) },
  responses: { 200: json(BudgetResponse, 'The budget of the group') },
  run: (ctx, { params, body }) => members.shareBudgetToGroup(ctx, params.id, body.groupId),
  present: presentBudget,
})

export const unshareBudgetFromGroup = operation({
  access: 'budgets.write',
  on: 'DELETE /budget/{id}/share-group',
  summary: 'Move a budget out of its group',
  versioned: true,
  request: { params: budgetId },
  responses: { 200: json(BudgetResponse, 'The budget, which is yours') },
  run: (ctx, { params }) => members.unshareBudgetFromGroup(ctx, params.id),
  present: presentBudget,
})

export const listLineTransactions = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/line/{lineId}/transaction',
  summary: 'List the transactions of a budget line',
  errors: [409],
  request: { params: linePath, query: ListLineTransactionsQuery },
  responses: { 200: json(LineTransactionsResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { id: budgetId, lineId } = params
    return paged(ctx, query, (page) =>
      rows.listLineTransactions(
        ctx,
        budgetId,
        lineId,
        { period: query.period, which: query.what },
        page,
      ),
    )
  },
  present: presentBudgetRows,
})

export const suggestBudgetLines = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/line/suggestion',
  summary: 'Suggest lines for a budget',
  request: { params: pathId('bud', 'budget') },
  responses: { 200: json(BudgetLineSuggestionsResponse, 'The suggested lines') },
  run: (ctx, { params }) => targets.suggestBudgetLines(ctx, params.id),
  present: presentBudgetSuggestions,
})

export const getBudgetSummary = operation({
  access: 'budgets.read',
  on: 'GET /budget/summary',
  summary: 'Get a summary of all budgets',
  request: { query: GetBudgetSummaryQuery },
  responses: { 200: json(BudgetSummaryResponse, 'The current period of each budget') },
  errors: [409],
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => summary.getBudgetSummary(ctx, query.on, page)),
  present: presentBudgetSummaryPage,
})

export const deleteBudget = operation({
  access: 'budgets.write',
  on: 'DELETE /budget/{id}',
  summary: 'Delete a budget',
  versioned: true,
  request: { params: pathId('bud', 'budget') },
  responses: { 200: json(TrashedResponse, 'The budget was deleted') },
  run: (ctx, { params }) => trash.deleteBudget(ctx, params.id),
  present: ({ id, isOwn }: { id: string; isOwn: boolean }, ctx) =>
    presentTrashed(ctx, { kind: 'budget', id, isOwn }, 'The budget was deleted.'),
})
