import { type CalendarDate, dateInZone, addDays } from '../../../../domain/calendar.ts'
import { memoized } from '../../../../domain/memoized.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../../platform/database/paging.ts'
import { type Period, periodAt } from '../../../../domain/budgets/periods.ts'
import {
  type ElapsedDays,
  elapsedDays,
  type Forecast,
  forecastOf,
  type SpendingSoFar,
} from '../../../../domain/budgets/forecast.ts'
import { splitKey } from '../../../../domain/budgets/counting.ts'
import type { Flow } from '../../../../domain/budgets/flows.ts'
import { sum } from '../../../../domain/money.ts'
import { alertsNear } from '../alerts/alerts.queries.ts'
import type { Alert } from '../alerts/alerts.rules.ts'
import { type BudgetRow, firstIndexOf, requirePeriod, ruleOf } from '../budgets.rules.ts'
import { budgetById, budgetsOfPage, countOfBudgets, pageOfBudgets } from '../budgets.queries.ts'
import { MOST_WORK, type PeriodWalk, walkOf, type BudgetFacts } from '../figures/figures.rules.ts'
import { cutBudgets } from '../budgets.usecases.ts'
import {
  factsByBudget,
  figuresWithinRange,
  furtherFactsOfBudgets,
  dayOfPeriod,
  figuresOf,
  factsFrom,
  furtherFacts,
  readFacts,
} from '../figures/figures.usecases.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import { foundPeriod } from '../periods/periods.usecases.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { existingLine } from '../lines/lines.rules.ts'
import { seenLines } from '../lines/deletion.usecases.ts'
import { askedOf, flowsFrom } from '../figures/figures.queries.ts'
import { activeItems, type LinkedFlow, linkedFlows } from './planned.queries.ts'
import { type CountedFlows, expectedFlows } from './planned.rules.ts'
import { LAST_DAY, periodOn } from './summary.rules.ts'

/** A period of a budget, with the alerts that people got. */
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
  const [budgetRows, [total], thresholds, ...facts] = await read(
    ctx,
    pageOfBudgets(ctx, SHOWN, page),
    countOfBudgets(ctx, SHOWN),
    // For a budget that ends before that day, the period is its last one, which is not before the current one.
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
  const byBudget = Map.groupBy(thresholds, ({ budgetId }) => budgetId)
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

/** Returns the number of budgets on a page: it ends after the one that takes it past the work of one request. */
function fewOf(found: readonly BudgetRow[], walkOfOne: (budget: BudgetRow) => PeriodWalk): number {
  let before = 0
  return found.filter((budget) => {
    const fits = before <= MOST_WORK
    const { work } = walkOfOne(budget)
    // Budgets with too much work for a request alone are left out.
    before += work <= MOST_WORK ? work : 0
    return fits
  }).length
}

const earlier = (one: CalendarDate, other: CalendarDate): CalendarDate =>
  one < other ? one : other

/** Periods that are shown if nobody says how many, and at most. */
const PERIODS = { default: 24, most: 120 }

export interface LineHistory {
  lineId: string
  periods: FoundPeriod[]
}

/** The periods of a line, from the oldest: by default the last ones up to the current one. */
export async function getLineHistory(
  ctx: SignedIn,
  budgetId: string,
  lineId: string,
  { from, to = 'current' }: { from?: CalendarDate | undefined; to?: CalendarDate | undefined },
): Promise<LineHistory> {
  const day = dayOfPeriod(ctx, to)
  const facts = await readFacts(ctx, budgetId, {
    from: from ?? day,
    to: day,
    back: from === undefined ? PERIODS.default : 0,
  })
  const { budget, lines } = facts
  existingLine(seenLines(budget, lines).find(({ id }) => id === lineId))
  const last = requirePeriod(ctx, budget, to)
  const first: Period =
    from === undefined
      ? periodAt(ruleOf(budget), Math.max(firstIndexOf(budget), last.index - PERIODS.default + 1))
      : requirePeriod(ctx, budget, from)
  const count = last.index - first.index + 1
  if (count < 1 || count > PERIODS.most) {
    throw budgetErrors.invalidSpan({ most: PERIODS.most }, { field: 'to' })
  }
  const found = { facts, figures: figuresOf(ctx, facts, last.index), from: first, to: last }
  const periods = Array.from({ length: count }, (_, at) => foundPeriod(found, first.index + at))
  return { lineId, periods }
}

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
  const day = dayOfPeriod(ctx, named)
  // Wherever the budget is, its today is not before this day.
  const yesterday = addDays(dateInZone(ctx.now, 'UTC'), -1)
  const asked = askedOf(ctx, budgetId, { from: day, to: day })
  const [recent, linked, items, ...budgetFacts] = await read(
    ctx,
    flowsFrom(askedOf(ctx, budgetId, { from: yesterday, to: day })),
    linkedFlows(asked),
    activeItems(asked),
    budgetById(ctx, budgetId),
    ...furtherFacts(ctx, budgetId, { from: day, to: day }),
  )
  const facts = factsFrom(ctx, budgetFacts)
  const period = requirePeriod(ctx, facts.budget, named)
  const figures = figuresOf(ctx, facts, period.index)
  const found = foundPeriod({ facts, figures, from: period, to: period }, period.index)
  const elapsed = elapsedDays(period, facts.today)
  const isAhead = ({ day: booked }: Flow) => booked > facts.today
  const plannedOf = spendingIn(ctx, facts, period, linkedOf(facts, linked))
  const aheadOf = spendingIn(ctx, facts, period, bookedIn({ ...facts, flows: recent }, isAhead))
  const expectedOf = spendingIn(ctx, facts, period, expectedFlows(facts, items, period))
  return {
    found,
    elapsed,
    lines: spendingOfLines(found).map(({ lineId, total, spent }) => {
      const [ahead, planned] = [aheadOf(lineId), plannedOf(lineId)]
      const stillPlanned = sum([ahead, expectedOf(lineId)])
      const line = { total, spentSoFar: spent - ahead, planned, stillPlanned }
      return { lineId, ...line, forecast: forecastOf(line, elapsed) }
    }),
  }
}

/** Those of the flows on some days. */
const bookedIn = (
  { flows, hidden, labelled }: CountedFlows,
  isCounted: (flow: Flow) => boolean,
): CountedFlows => ({
  flows: flows.filter(isCounted),
  hidden: hidden.filter(isCounted),
  labelled: labelled.filter(isCounted),
})

/** The flows up to today of transactions that are linked to recurring items. */
function linkedOf({ labelled, today }: BudgetFacts, flows: readonly LinkedFlow[]): CountedFlows {
  const ids = new Set(flows.map(({ transactionId }) => transactionId))
  const ofItems = labelled.filter(({ transactionId }) => ids.has(transactionId))
  return bookedIn({ flows: [...flows], hidden: [], labelled: ofItems }, ({ day }) => day <= today)
}

/** Returns the spending on a line in a period by these flows alone. */
function spendingIn(
  ctx: SignedIn,
  facts: BudgetFacts,
  { index }: Period,
  counted: CountedFlows,
): (lineId: string) => number {
  const { conversion } = figuresOf(ctx, { ...facts, ...counted }, index)
  const sums = [...(conversion.sums.get(index) ?? [])]
  const byLine = Map.groupBy(sums, ([key]) => splitKey(key)[0])
  return (lineId) => 0 - sum((byLine.get(lineId) ?? []).map(([, minor]) => minor))
}

/** Returns the money and the spending of each line, including bookings after today. Payment lines of cards are left out. */
export const spendingOfLines = (
  found: FoundPeriod,
): { lineId: string; total: number; spent: number }[] =>
  found.mode === 'limit'
    ? found.of.figures.lines
    : found.of.figures.lines.map(({ lineId, carriedIn, assigned, activity }) => ({
        lineId,
        total: sum([carriedIn, assigned]),
        spent: 0 - activity,
      }))
