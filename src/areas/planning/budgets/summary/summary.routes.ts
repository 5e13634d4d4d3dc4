import { answer } from '../../../../http/answer.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import { BudgetSummaryResponse, GetBudgetSummaryQuery, presentSummary } from './summary.contract.ts'
import * as summary from './summary.usecases.ts'

export const getBudgetSummary = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/summary',
    operationId: 'getBudgetSummary',
    summary: 'Get a summary of all budgets',
    tags: ['Budgets'],
    request: { query: GetBudgetSummaryQuery },
    responses: { 200: json(BudgetSummaryResponse, 'The current period of each budget') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentSummary, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => summary.getBudgetSummary(ctx, query.on, page))
    }),
)
