import {
  type ElapsedDays,
  elapsedDays,
  type Forecast,
  forecastOf,
  type SpendingSoFar,
} from '../../../../domain/budgets/forecast.ts'
import { splitKey } from '../../../../domain/budgets/counting.ts'
import type { Flow } from '../../../../domain/budgets/flows.ts'
import { addDays, dateInZone } from '../../../../domain/calendar.ts'
import { sum } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { requirePeriod } from '../budgets.rules.ts'
import { askedOf, flowsFrom } from '../figures/figures.queries.ts'
import type { BudgetFacts } from '../figures/figures.rules.ts'
import { dayOf, figuresOf, readFactsWith } from '../figures/figures.usecases.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import { foundPeriod } from '../periods/periods.usecases.ts'

export interface ForecastLine extends SpendingSoFar {
  lineId: string
  forecast: Forecast
}

export interface BudgetForecast {
  found: FoundPeriod
  elapsed: ElapsedDays
  lines: ForecastLine[]
}

/** Calculates the spending of the lines of a period so far, and projects it to the end of the period at the same pace. */
export async function getBudgetForecast(
  ctx: SignedIn,
  budgetId: string,
  named: string,
): Promise<BudgetForecast> {
  const day = dayOf(ctx, named)
  // Wherever the budget is, its today is not before this day.
  const yesterday = addDays(dateInZone(ctx.now, 'UTC'), -1)
  const [facts, recent] = await readFactsWith(
    ctx,
    budgetId,
    { from: day, to: day },
    flowsFrom(askedOf(ctx, budgetId, { from: yesterday, to: day })),
  )
  const period = requirePeriod(ctx, facts.budget, named)
  const figures = figuresOf(ctx, facts, period.index)
  const found = foundPeriod({ facts, figures, from: period, to: period }, period.index)
  const elapsed = elapsedDays(period, facts.today)
  const aheadOf = bookedAhead(ctx, facts, recent, period.index)
  return {
    found,
    elapsed,
    lines: spendingOf(found).map(({ lineId, total, spent }) => {
      const stillPlanned = aheadOf(lineId)
      const line = { total, spentSoFar: spent - stillPlanned, planned: 0, stillPlanned }
      return { lineId, ...line, forecast: forecastOf(line, elapsed) }
    }),
  }
}

/** Returns the spending on a line after today. */
function bookedAhead(
  ctx: SignedIn,
  facts: BudgetFacts,
  flows: readonly Flow[],
  index: number,
): (lineId: string) => number {
  const isAhead = ({ day }: Flow) => day > facts.today
  const { conversion } = figuresOf(
    ctx,
    {
      ...facts,
      flows: flows.filter(isAhead),
      hidden: facts.hidden.filter(isAhead),
      labelled: facts.labelled.filter(isAhead),
    },
    index,
  )
  const sums = [...(conversion.sums.get(index) ?? [])]
  const byLine = Map.groupBy(sums, ([key]) => splitKey(key)[0])
  return (lineId) => 0 - sum((byLine.get(lineId) ?? []).map(([, minor]) => minor))
}

/** Returns the money and the spending of each line, including bookings after today. Payment lines of cards are left out. */
export const spendingOf = (
  found: FoundPeriod,
): { lineId: string; total: number; spent: number }[] =>
  found.mode === 'limit'
    ? found.of.figures.lines
    : found.of.figures.lines.map(({ lineId, carriedIn, assigned, activity }) => ({
        lineId,
        total: sum([carriedIn, assigned]),
        spent: 0 - activity,
      }))
