import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import { currency, date, id, integerField, money } from '../../../../http/fields.ts'
import type { BudgetForecast } from './forecast.usecases.ts'

const ForecastLine = z
  .object({
    lineId: id('bln', 'Id of the line.'),
    total: money(
      'The limit with what was carried in; of an envelope, what was carried in and assigned.',
    ),
    spentSoFar: money('Spending up to today, less refunds.'),
    planned: money('Part of the spending that recurs.'),
    stillPlanned: money('Spending that is booked after today.'),
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
