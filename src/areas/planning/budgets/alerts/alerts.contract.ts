import { z } from '@hono/zod-openapi'
import { toInstant } from '../../../../domain/calendar.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { currency, date, dateInput, id, idInput, instant, money } from '../../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { thresholdOf } from './alerts.rules.ts'
import type { ShownAlert } from './alerts.usecases.ts'

export const ListBudgetAlertsQuery = z.strictObject({
  period: dateInput('Only of the period with this nominal start.').optional(),
  lineId: idInput('bln', 'Only of this line.').optional(),
  ...pageQuery(),
})

export const BudgetAlertResponse = z
  .object({
    lineId: id('bln', 'The line.'),
    period: date('Nominal start of the period.'),
    threshold: z.union([z.number().int(), z.literal('over')]).openapi({
      description: 'Percent of the total that was reached, or `over` for more than there was.',
      example: 80,
    }),
    total: money('Amount that the line had to spend at that time.'),
    spent: money('Amount that was spent at that time.'),
    currency: currency(),
    at: instant('When it was noticed.'),
  })
  .openapi('BudgetAlertResponse')

export const BudgetAlertsResponse = pageResponse(
  'alerts',
  BudgetAlertResponse,
  'One page of alerts, newest first.',
).openapi('BudgetAlertsResponse')

export const presentAlert = ({
  alert,
  currency: code,
}: ShownAlert): z.infer<typeof BudgetAlertResponse> => ({
  lineId: alert.lineId,
  period: alert.period,
  threshold: thresholdOf(alert),
  total: formatMoney(alert.totalMinor, code),
  spent: formatMoney(alert.spentMinor, code),
  currency: code,
  at: toInstant(alert.createdAt),
})

export const presentAlerts = presentPage('alerts', presentAlert)
