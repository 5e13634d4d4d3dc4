import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import { ListBudgetAlertsQuery, BudgetAlertsResponse, presentAlerts } from './alerts.contract.ts'
import * as alerts from './alerts.usecases.ts'

export const listBudgetAlerts = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/alert',
  summary: 'List the alerts of a budget',
  request: { params: pathId('bud', 'budget'), query: ListBudgetAlertsQuery },
  responses: { 200: json(BudgetAlertsResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => alerts.listBudgetAlerts(ctx, params.id, query, page)),
  present: presentAlerts,
})
