import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  dateInput,
  id,
  money,
  textField,
  date,
  currency,
  integerField,
} from '../../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { type BarTable, drawBars } from '../../../../domain/charts/bars.ts'
import { isolated, shownText } from '../../../../domain/charts/svg.ts'
import type { Theme } from '../../../../domain/charts/themes.ts'
import { type Drawn, themeInput } from '../../../../http/files.ts'
import { BudgetAlertResponse, presentAlert } from '../alerts/alerts.contract.ts'
import { BudgetResponse } from '../budgets.contract.ts'
import { BudgetPeriodSums, EnvelopeRow, LimitRow, periodName } from '../periods/periods.contract.ts'
import {
  presentPeriodSums,
  presentEnvelopeRows,
  presentLimitRows,
} from '../periods/periods-presented.contract.ts'
import { type FoundPeriod, lineStandings, type LineStanding } from '../periods/periods.rules.ts'
import type { SummedUp, LineHistory, BudgetForecast } from './summary.usecases.ts'

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
    period: presentPeriodSums(found),
    overspentLines: lineStandings(found)
      .filter(({ left }) => left < 0)
      .map((line) => ({
        lineId: line.lineId,
        name: line.name,
        overspent: formatMoney(0 - line.left, currency),
      })),
    alerts: alerts.map((alert) => presentAlert({ alert, currency })),
  }
}

export const presentBudgetSummaryPage = presentPage('budgets', presentBudgetSummary)

export const GetLineHistoryQuery = z.strictObject({
  from: dateInput(
    'Nominal start of the first period; by default there are 24 periods, or all since the budget began.',
  ).optional(),
  to: dateInput('Nominal start of the last period; the current one if left out.').optional(),
})

const days = {
  period: date('Nominal start, which names the period.'),
  start: date('First day.'),
  end: date('Last day.'),
}

const EnvelopeOfPeriod = z.object({ ...days, ...EnvelopeRow.shape }).openapi('EnvelopeOfPeriod')
const LimitOfPeriod = z.object({ ...days, ...LimitRow.shape }).openapi('LimitOfPeriod')

export const LineHistoryResponse = z
  .object({
    periods: z.array(z.union([EnvelopeOfPeriod, LimitOfPeriod])).openapi({
      description: 'The row of the line in each period that it is in, the oldest first.',
    }),
  })
  .openapi('LineHistoryResponse')

type Row = z.infer<typeof EnvelopeOfPeriod> | z.infer<typeof LimitOfPeriod>

function rowsOf(found: FoundPeriod): Row[] {
  const { nominal: period, start, end } = found.of.period
  const rows =
    found.mode === 'envelope'
      ? presentEnvelopeRows(found, found.of)
      : presentLimitRows(found, found.of)
  return rows.map((row) => ({ period, start, end, ...row }))
}

export const presentBudgetHistory = ({
  lineId,
  periods,
}: LineHistory): z.infer<typeof LineHistoryResponse> => ({
  periods: periods.flatMap(rowsOf).filter((row) => row.lineId === lineId),
})

const ForecastLine = z
  .object({
    lineId: id('bln', 'Id of the line.'),
    total: money(
      'The limit with what was carried in; of an envelope, what was carried in and assigned.',
    ),
    spentSoFar: money('Spending up to today, less refunds.'),
    planned: money('Part of the spending that is linked to recurring items.'),
    stillPlanned: money(
      'Spending that is booked after today, and that is expected of recurring items.',
    ),
    expectedByNow: money('The part of the total that belongs to the days that have begun.'),
    pace: money(
      'Amount by which spending exceeds the expectation for today; negative if it is below.',
    ),
    projected: money('Spending at the end of the period at the current pace.'),
    projectedRemaining: money('Amount of the total that will be left then.'),
    perDayLeft: money('Amount that can be spent on each remaining day, today included.'),
  })
  .openapi('BudgetForecastLine')

export const BudgetForecastResponse = z
  .object({
    period: date('Nominal start, which names the period.'),
    start: date('First day.'),
    end: date('Last day.'),
    currency: currency(),
    days: integerField('Days of the period.', 30),
    elapsedDays: integerField('Days that have begun, today included.', 10),
    lines: z.array(ForecastLine).openapi({ description: 'All lines but payment lines of cards.' }),
  })
  .openapi('BudgetForecastResponse')

export function presentForecast({
  found,
  elapsed,
  lines,
}: BudgetForecast): z.infer<typeof BudgetForecastResponse> {
  const { period } = found.of
  const code = found.budget.currency
  const byLine = new Map(lines.map((line) => [line.lineId, line]))
  return {
    period: period.nominal,
    start: period.start,
    end: period.end,
    currency: code,
    days: elapsed.days,
    elapsedDays: elapsed.begun,
    lines: found.lines.flatMap(({ id: lineId }) => {
      const line = byLine.get(lineId)
      return line
        ? [
            {
              lineId,
              total: formatMoney(line.total, code),
              spentSoFar: formatMoney(line.spentSoFar, code),
              planned: formatMoney(line.planned, code),
              stillPlanned: formatMoney(line.stillPlanned, code),
              expectedByNow: formatMoney(line.forecast.expectedByNow, code),
              pace: formatMoney(line.forecast.pace, code),
              projected: formatMoney(line.forecast.projected, code),
              projectedRemaining: formatMoney(line.forecast.projectedRemaining, code),
              perDayLeft: formatMoney(line.forecast.perDayLeft, code),
            },
          ]
        : []
    }),
  }
}

export const GetBudgetChartQuery = z.strictObject({
  period: periodName.optional(),
  theme: themeInput,
})

/** Lines that are named in the description. */
const MOST_NAMED = 5

/** Draws what each line was assigned, has spent and has left. */
export function presentChart(found: FoundPeriod, theme: Theme): Drawn {
  return { svg: drawBars(tableOf(found), theme), version: found.version }
}

function tableOf(found: FoundPeriod): BarTable {
  const { budget, of, mode } = found
  const { start, end } = of.period
  const money = (minor: number) => formatMoney(minor, budget.currency)
  const lines = lineStandings(found)
  const days = `${start} to ${end}`
  return {
    title: `${isolated(budget.name)}, ${days}`,
    description: descriptionOf(lines, budget.currency),
    heading: shownText(budget.name),
    subtitle: [days, budget.currency, ...(of.isClosed ? ['closed'] : []), sumOf(found)].join(' · '),
    columns: [
      { name: mode === 'envelope' ? 'Assigned' : 'Limit', kind: 'thin' },
      { name: 'Spent', kind: 'full' },
      { name: 'Left', kind: 'rest' },
    ],
    rows: lines.map(({ name, assigned, spent, left }) => ({
      name,
      bars: [
        { text: money(assigned), from: 0, to: assigned },
        { text: money(spent), from: 0, to: spent },
        { text: money(left), from: spent, to: spent + left },
      ],
    })),
    nothing: 'The budget has no lines in this period.',
  }
}

/** The figures of the budget as a whole that matter most. */
function sumOf(found: FoundPeriod): string {
  const money = (minor: number) => formatMoney(minor, found.budget.currency)
  if (found.mode === 'envelope') {
    return `${money(found.of.figures.toBeBudgeted)} to be budgeted`
  }
  const { spent, remaining } = found.of.figures
  return `${money(spent)} spent, ${money(remaining)} left`
}

function descriptionOf(lines: readonly LineStanding[], currency: string): string {
  const over = lines.filter(({ left }) => left < 0)
  const named = over
    .slice(0, MOST_NAMED)
    .map(({ name, left }) => `${isolated(name)} ${formatMoney(left, currency)}`)
  const more = over.length > MOST_NAMED ? ` and ${over.length - MOST_NAMED} more` : ''
  return [
    `Bars of what was assigned, spent and left in ${currency}, for each of ${lines.length} lines.`,
    over.length === 0 ? 'None is overspent.' : `Overspent: ${named.join(', ')}${more}.`,
  ].join(' ')
}
