import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read, type Results } from '../../../../platform/database.ts'
import type { Page, PageRequest } from '../../../../platform/paging.ts'
import { alertsIn } from '../alerts/alerts.queries.ts'
import type { Alert } from '../alerts/alerts.rules.ts'
import { listBudgets } from '../budgets.usecases.ts'
import { factsFrom, figuresWithinRange, furtherFacts } from '../figures/figures.usecases.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import { foundPeriod } from '../periods/periods.usecases.ts'
import { periodOn } from './summary.rules.ts'

/** A period of a budget, with what people were told of it. */
export interface SummedUp {
  found: FoundPeriod
  alerts: Alert[]
}

type Facts = Results<ReturnType<typeof furtherFacts>>

/**
 * A period of each budget that is not archived, in the order of the budgets: a trip for the budgets, and one for their figures. One whose
 * sums are out of range keeps nobody from the others: it is left out.
 */
export async function getBudgetSummary(
  ctx: SignedIn,
  on: CalendarDate | undefined,
  page: PageRequest,
): Promise<Page<SummedUp>> {
  const { rows: budgets, ...list } = await listBudgets(ctx, { archived: false }, page)
  const wanted = budgets.map((budget) => ({ budget, period: periodOn(ctx, budget, on) }))
  const finders = wanted.map(({ budget, period: { start } }) =>
    furtherFacts(ctx, budget.id, { from: start, to: start }),
  )
  const [told, ...found] = await read(
    ctx,
    alertsIn(wanted.map(({ budget: { id }, period: { nominal } }) => [id, nominal])),
    ...finders.flat(),
  )
  const byBudget = Map.groupBy(told, ({ budgetId }) => budgetId)
  const results = found.values()
  const rows = wanted.flatMap(({ budget, period }, at): SummedUp[] => {
    const ofBudget = Array.from(results.take(finders[at]?.length ?? 0)) as unknown as Facts
    const facts = factsFrom(ctx, [[budget], ...ofBudget])
    const figures = figuresWithinRange(facts, period.index)
    if (!figures) {
      return []
    }
    const summedUp = {
      found: foundPeriod({ facts, figures, from: period, to: period }, period.index),
      alerts: byBudget.get(budget.id) ?? [],
    }
    return [summedUp]
  })
  return { rows, ...list }
}
