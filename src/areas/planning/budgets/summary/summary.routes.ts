import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import { BudgetSummaryResponse, GetBudgetSummaryQuery, presentSummary } from './summary.contract.ts'
import * as summary from './summary.usecases.ts'

export const getBudgetSummary = operation({
  access: 'budgets.read',
  on: 'GET /budget/summary',
  summary: 'Get a summary of all budgets',
  request: { query: GetBudgetSummaryQuery },
  responses: { 200: json(BudgetSummaryResponse, 'The current period of each budget') },
  errors: [409],
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => summary.getBudgetSummary(ctx, query.on, page)),
  present: presentSummary,
})
