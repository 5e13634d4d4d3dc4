import { type CalendarDate, dateInZone } from '../../../../domain/calendar.ts'
import { memoized } from '../../../../domain/memoized.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import type { Page, PageRequest } from '../../../../platform/paging.ts'
import { alertsNear } from '../alerts/alerts.queries.ts'
import type { Alert } from '../alerts/alerts.rules.ts'
import type { BudgetRow } from '../budgets.rules.ts'
import { budgetsOfPage, countOfBudgets, pageOfBudgets } from '../budgets.queries.ts'
import { MOST_WORK, type Walk, walkOf } from '../figures/figures.rules.ts'
import { cutBudgets } from '../budgets.usecases.ts'
import {
  factsByBudget,
  figuresWithinRange,
  furtherFactsOfBudgets,
} from '../figures/figures.usecases.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import { foundPeriod } from '../periods/periods.usecases.ts'
import { LAST_DAY, periodOn } from './summary.rules.ts'

/** A period of a budget, with what people were told of it. */
export interface SummedUp {
  found: FoundPeriod
  alerts: Alert[]
}

const SHOWN = { archived: false }

/**
 * A period of each budget that is not archived, in the order of the budgets. One trip: each statement is about all budgets of
 * the page. One whose sums are out of range keeps nobody from the others: it is left out.
 */
export async function getBudgetSummary(
  ctx: SignedIn,
  on: CalendarDate | undefined,
  page: PageRequest,
): Promise<Page<SummedUp>> {
  const today = dateInZone(ctx.now, 'UTC')
  const day = on === undefined ? today : earlier(on, LAST_DAY)
  const budgets = budgetsOfPage(ctx, SHOWN, page)
  const [budgetRows, [total], told, ...facts] = await read(
    ctx,
    pageOfBudgets(ctx, SHOWN, page),
    countOfBudgets(ctx, SHOWN),
    // Of a budget that ends before that day it is the last period, which is not before the current one.
    alertsNear({ budgets }, { first: earlier(day, today), last: day }),
    ...furtherFactsOfBudgets({ budgets, now: ctx.now, from: day, to: day, back: 0 }),
  )
  const factsOf = memoized(factsByBudget(ctx, facts))
  const { rows: shown, ...list } = cutBudgets(budgetRows, {
    ...page,
    limit: fewOf(budgetRows.slice(0, page.limit), (budget) =>
      walkOf(factsOf(budget), periodOn(ctx, budget, on).index),
    ),
  })
  const byBudget = Map.groupBy(told, ({ budgetId }) => budgetId)
  const rows = shown.flatMap((budget): SummedUp[] => {
    const period = periodOn(ctx, budget, on)
    const own = factsOf(budget)
    const figures = figuresWithinRange(ctx, own, period.index)
    if (!figures) {
      return []
    }
    const summedUp = {
      found: foundPeriod({ facts: own, figures, from: period, to: period }, period.index),
      alerts: (byBudget.get(budget.id) ?? []).filter((alert) => alert.period === period.nominal),
    }
    return [summedUp]
  })
  return { rows, count: total?.count ?? 0, ...list }
}

/** How many budgets a page has: it ends after the one that takes it past the work of one request. */
function fewOf(found: readonly BudgetRow[], walkOfOne: (budget: BudgetRow) => Walk): number {
  let before = 0
  return found.filter((budget) => {
    const fits = before <= MOST_WORK
    const { work } = walkOfOne(budget)
    // What has too much work for a request alone is left out.
    before += work <= MOST_WORK ? work : 0
    return fits
  }).length
}

const earlier = (one: CalendarDate, other: CalendarDate): CalendarDate =>
  one < other ? one : other
