import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { budgetById } from '../budgets.queries.ts'
import { existingBudget } from '../budgets.rules.ts'
import { type AlertFilter, countOfAlerts, pageOfAlerts } from './alerts.queries.ts'
import type { Alert } from './alerts.rules.ts'

/** An alert with the currency of its amounts. */
export interface ShownAlert {
  alert: Alert
  currency: string
}

export async function listBudgetAlerts(
  ctx: SignedIn,
  budgetId: string,
  filter: AlertFilter,
  page: PageRequest,
): Promise<Page<ShownAlert>> {
  const [[found], alerts, [total]] = await read(
    ctx,
    budgetById(ctx, budgetId),
    pageOfAlerts(budgetId, filter, page),
    countOfAlerts(budgetId, filter),
  )
  const { currency } = existingBudget(found)
  const { rows, next } = cutPage(alerts, page, (alert) => [
    String(alert.createdAt),
    alert.period,
    alert.lineId,
    String(alert.threshold),
  ])
  return { rows: rows.map((alert) => ({ alert, currency })), next, count: total?.count ?? 0 }
}
