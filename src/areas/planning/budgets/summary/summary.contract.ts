import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import { dateInput, id, money, textField } from '../../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { BudgetAlertResponse, presentAlert } from '../alerts/alerts.contract.ts'
import { BudgetResponse } from '../budgets.contract.ts'
import { BudgetPeriodSums } from '../periods/periods.contract.ts'
import { presentSums } from '../periods/periods-presented.contract.ts'
import { standingsOf } from '../periods/standings.rules.ts'
import type { SummedUp } from './summary.usecases.ts'

/** Each budget is worked out anew, by many statements of one batch, so a page has fewer of them than of most lists. */
const MOST_BUDGETS = 20

export const GetBudgetSummaryQuery = z.strictObject({
  on: dateInput(
    'The periods that contain this day, or else are nearest to it; the current ones if left out.',
  ).optional(),
  ...pageQuery(MOST_BUDGETS, MOST_BUDGETS),
})

const { name, mode, color, icon, groupId } = BudgetResponse.shape

const SummaryOfBudget = z
  .object({
    id: id('bud', 'Id of the budget.'),
    ...{ name, mode, color, icon, groupId },
    period: BudgetPeriodSums,
    overspentLines: z
      .array(
        z.object({
          lineId: id('bln', 'Id of the line.'),
          name: textField('Name of the line.', 'Food'),
          overspent: money('Amount by which the line is overspent.'),
        }),
      )
      .openapi({ description: 'Overspent lines, in their order.' }),
    alerts: z
      .array(BudgetAlertResponse)
      .openapi({ description: 'Alerts of the period, newest first.' }),
  })
  .openapi('SummaryOfBudget')

export const BudgetSummaryResponse = pageResponse(
  'budgets',
  SummaryOfBudget,
  'One page of the budgets that are not archived, in their order.',
).openapi('BudgetSummaryResponse')

function presentBudgetSummary({ found, alerts }: SummedUp): z.infer<typeof SummaryOfBudget> {
  const { budget } = found
  const { currency } = budget
  return {
    id: budget.id,
    name: budget.name,
    mode: budget.mode,
    color: budget.color,
    icon: budget.icon,
    groupId: budget.groupId,
    period: presentSums(found),
    overspentLines: standingsOf(found)
      .filter(({ left }) => left < 0)
      .map((line) => ({
        lineId: line.lineId,
        name: line.name,
        overspent: formatMoney(0 - line.left, currency),
      })),
    alerts: alerts.map((alert) => presentAlert({ alert, currency })),
  }
}

export const presentSummary = presentPage('budgets', presentBudgetSummary)
