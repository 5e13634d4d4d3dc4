import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import { ListBudgetAlertsQuery, BudgetAlertsResponse, presentAlerts } from './alerts.contract.ts'
import * as alerts from './alerts.usecases.ts'

export const listBudgetAlerts = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/alert',
    operationId: 'listBudgetAlerts',
    summary: 'List the alerts of a budget',
    tags: ['Budgets'],
    request: { params: pathId('bud', 'budget'), query: ListBudgetAlertsQuery },
    responses: { 200: json(BudgetAlertsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentAlerts, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) =>
        alerts.listBudgetAlerts(ctx, c.req.valid('param').id, query, page),
      )
    }),
)
