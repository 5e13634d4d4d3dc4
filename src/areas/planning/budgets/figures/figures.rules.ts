import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { CategoryLine, BudgetCategory, Coverage } from '../../../../domain/budgets/coverage.ts'
import { coverageOf } from '../../../../domain/budgets/coverage.ts'
import type { RateOn } from '../../../../domain/exchange.ts'
import type { Flow } from '../../../../domain/budgets/flows.ts'
import { type Period, periodNamed, periodsBetween } from '../../../../domain/budgets/periods.ts'
import type { CarryPolicy } from '../../../../domain/budgets/policies.ts'
import { convert } from '../../../../domain/exchange.ts'
import { sum } from '../../../../domain/money.ts'
import {
  type PackedRate,
  ratesOnDays,
} from '../../../money/exchange-rates/exchange-rates.public.ts'
import { budgetErrors } from '../budgets.errors.ts'
import {
  firstIndexOf,
  type Inside,
  MOST_PERIODS,
  ruleOf,
  type BudgetRow,
} from '../budgets.rules.ts'
import { type LineRow, MOST_BUDGET_LINES } from '../lines/lines.rules.ts'

/** A row of one of several budgets. */
export type InBudget<Row> = Row & { budgetId: string }

export interface InsideRow extends Inside {
  /** The balance on the day before the first day that was read; without pending amounts where they do not count. */
  beforeMinor: number
  /** The grain in which its flows are read, and the first and last day. */
  grain: FlowRow['grain']
  since: CalendarDate
  through: CalendarDate
}

export interface FlowRow extends Flow {
  grain: 'day' | 'month'
}

/** Returns those of the flows of many budgets that one budget takes. */
export function flowsInside(
  accounts: readonly InsideRow[],
  byAccount: ReadonlyMap<string, readonly FlowRow[]>,
): Flow[] {
  return accounts.flatMap(({ id, grain, since, through }) => {
    // A month is named by its first day.
    const first = grain === 'month' ? `${since.slice(0, 7)}-01` : since
    return (byAccount.get(id) ?? []).filter(
      (flow) => flow.grain === grain && flow.day >= first && flow.day <= through,
    )
  })
}

/** A flow with a label that a line names, or named once. */
export interface LabelledFlow extends Flow {
  lineId: string
  /** The tag or payee. */
  targetId: string
  transactionId: string
  /** The line of the entry. */
  line: number
  isHidden: number
}

export interface BudgetCategoryRow {
  id: string
  parentId: string | null
  isExcluded: number
}

export interface ScopeRow {
  lineId: string
  targetId: string
  fromPeriod: string
  untilPeriod: string | null
}

export interface ChangeRow {
  /** Empty for the defaults of the budget. */
  lineId: string
  fromPeriod: string
  policy: CarryPolicy | null
  capMinor: number | null
  amountMinor: number | null
}

/** The checkpoint that figures go on from, or what was decided in a period after it. What it has no use for is empty. */
export interface DecisionRow {
  kind: 'checkpoint' | 'amount' | 'period' | 'closing' | 'item'
  /** Nominal start. */
  period: string
  /** The line; of an item, the id by which a target names it. */
  lineId: string
  /** The amount of a line, or what a period holds. */
  minor: number | null
  note: string | null
  version: number
  /** JSON. */
  image: string
}

interface AmountRow {
  period: string
  lineId: string
  amountMinor: number | null
  note: string | null
}

interface PeriodRow {
  period: string
  heldMinor: number
  note: string | null
  version: number
}

/** A recurring item with what is known of its occurrences. */
export interface ItemRow {
  /** The id by which a target names it: its own, or that of an item that it goes on from. */
  namedBy: string
  /** JSON, for `unpackItem`. */
  image: string
}

/** The stored state of a period that has ended. */
type Image = Pick<DecisionRow, 'period' | 'image'>

/** Groups decisions by what they are about. */
export function decided(
  rows: readonly DecisionRow[],
): Pick<BudgetFacts, 'checkpoint' | 'amounts' | 'periods' | 'closings' | 'items'> {
  const of = (wanted: DecisionRow['kind']) => rows.filter(({ kind }) => kind === wanted)
  return {
    checkpoint: of('checkpoint').at(0),
    amounts: of('amount').map(({ minor, ...row }) => ({ ...row, amountMinor: minor })),
    periods: of('period').map(({ minor, ...row }) => ({ ...row, heldMinor: minor ?? 0 })),
    closings: of('closing'),
    items: of('item').map(({ lineId, image }) => ({ namedBy: lineId, image })),
  }
}

/** All that the figures of a budget follow from, as it was read. */
export interface BudgetFacts {
  budget: BudgetRow
  /** The day where the budget is. */
  today: CalendarDate
  checkpoint: Image | undefined
  /** Payment lines included. */
  lines: LineRow[]
  scopes: ScopeRow[]
  changes: ChangeRow[]
  amounts: AmountRow[]
  periods: PeriodRow[]
  closings: Image[]
  /** The recurring items that targets name, and those that go on from them. */
  items: ItemRow[]
  accounts: InsideRow[]
  flows: Flow[]
  hidden: Flow[]
  labelled: LabelledFlow[]
  categories: BudgetCategoryRow[]
  rates: PackedRate[]
}

/** Finds the lines that a category counts in, in each period. */
export function coverages(
  { lines, scopes, categories }: Pick<BudgetFacts, 'lines' | 'scopes' | 'categories'>,
  nominalOf: (index: number) => string,
): (index: number) => Coverage {
  const nodes: BudgetCategory[] = categories.map(({ isExcluded, ...node }) => ({
    ...node,
    isExcluded: isExcluded === 1,
  }))
  const byCategory = new Set(
    lines.filter(({ scopeKind }) => scopeKind === 'category').map(({ id }) => id),
  )
  const ofLines = scopes.filter(({ lineId }) => byCategory.has(lineId))
  const changesAt = [
    ...new Set(ofLines.flatMap(({ fromPeriod, untilPeriod }) => [fromPeriod, untilPeriod ?? ''])),
  ].toSorted()
  const known = new Map<string, Coverage>()
  return (index) => {
    const nominal = nominalOf(index)
    const since = changesAt.findLast((change) => change <= nominal) ?? ''
    const coverage = known.get(since) ?? coverageOf(nodes, linesAt(byCategory, ofLines, nominal))
    known.set(since, coverage)
    return coverage
  }
}

/** The lines by category, with the categories that they name in a period. One that names none then stands below no other. */
function linesAt(
  byCategory: ReadonlySet<string>,
  scopes: readonly ScopeRow[],
  nominal: string,
): CategoryLine[] {
  const there = scopes.filter((scope) => isIn(scope, nominal))
  const named = Map.groupBy(there, ({ lineId }) => lineId)
  return [...new Set([...named.keys(), ...byCategory])].map((id) => ({
    id,
    categoryIds: (named.get(id) ?? []).map(({ targetId }) => targetId),
  }))
}

/** Tells whether a row of a scope applies in a period. */
export const isIn = ({ fromPeriod, untilPeriod }: ScopeRow, nominal: string): boolean =>
  fromPeriod <= nominal && (untilPeriod === null || nominal < untilPeriod)

/** The terms of a line in a period. */
export interface Terms {
  policy: CarryPolicy
  capMinor: number | null
  amountMinor: number | null
}

/** Finds what holds of a line in a period: its newest change by then, and the default of the budget. */
export function termsOf(changes: readonly ChangeRow[]): (lineId: string, nominal: string) => Terms {
  const byLine = Map.groupBy(changes, ({ lineId }) => lineId)
  const newest = (lineId: string, nominal: string) =>
    byLine.get(lineId)?.findLast(({ fromPeriod }) => fromPeriod <= nominal)
  return (lineId, nominal) => {
    const change = newest(lineId, nominal)
    return {
      policy: change?.policy ?? newest('', nominal)?.policy ?? 'surplus',
      capMinor: change?.capMinor ?? null,
      amountMinor: change?.amountMinor ?? null,
    }
  }
}

/** The lines that are there in a period. */
export const linesIn = (lines: readonly LineRow[], nominal: string): LineRow[] =>
  lines.filter(({ archivedFrom }) => archivedFrom === null || nominal < archivedFrom)

/** A period itself takes as much work as so many of its lines. */
const PERIOD_TAKES = 20

/** The most work: that of the largest budget that can be created, with as many accounts as lines. */
export const MOST_WORK = MOST_PERIODS * (PERIOD_TAKES + 2 * MOST_BUDGET_LINES)

/** The periods that have to be calculated, and how much work that is. */
export interface PeriodWalk {
  firstIndex: number
  lastIndex: number
  /** Counted in lines and accounts of periods: unlike time, it is the same on every host and under any load. */
  work: number
}

/** Finds the periods that have to be calculated: from the one after the checkpoint to the last one that matters. */
export function walkOf(facts: BudgetFacts, toIndex: number): PeriodWalk {
  const { budget, checkpoint, amounts, periods, lines, accounts } = facts
  const rule = ruleOf(budget)
  const firstIndex = checkpoint
    ? (periodNamed(rule, checkpoint.period)?.index ?? firstIndexOf(budget) - 1) + 1
    : firstIndexOf(budget)
  const decidedLast = [
    ...amounts.filter(({ amountMinor }) => amountMinor !== null && amountMinor !== 0),
    ...periods.filter(({ heldMinor }) => heldMinor !== 0),
  ].reduce((latest, { period }) => (period > latest ? period : latest), '')
  const lastIndex =
    budget.mode === 'envelope' && decidedLast !== ''
      ? Math.max(toIndex, periodNamed(rule, decidedLast)?.index ?? toIndex)
      : toIndex
  const count = Math.max(0, lastIndex - firstIndex + 1)
  return { firstIndex, lastIndex, work: count * (PERIOD_TAKES + lines.length + accounts.length) }
}

/** @throws budgets.tooLong */
export function requireFewSteps({ work }: PeriodWalk): void {
  // NaN is refused, too.
  if (!(work <= MOST_WORK)) {
    throw budgetErrors.tooLong()
  }
}

/** @throws budgets.tooLong */
export function periodsToFold(facts: BudgetFacts, toIndex: number): Period[] {
  const walk = walkOf(facts, toIndex)
  requireFewSteps(walk)
  return periodsBetween(ruleOf(facts.budget), walk.firstIndex, walk.lastIndex)
}

/** Finds the rate of a currency on a day among those that were read, on any of these days. */
export function ratesOn(
  { budget, rates }: Pick<BudgetFacts, 'budget' | 'rates'>,
  days: Iterable<CalendarDate>,
): RateOn {
  const inOrder = [...new Set(days)].toSorted()
  const finders = ratesOnDays(rates, inOrder, {
    target: budget.currency,
    base: budget.baseCurrency,
  })
  const byDay = new Map(inOrder.map((day, at) => [day, finders[at]]))
  return (currency, day) => byDay.get(day)?.(currency)
}

/** The money in accounts at the ends of periods. */
export interface Holdings {
  /** In the currency of the account, by account. */
  atEnd: ReadonlyMap<number, ReadonlyMap<string, number>>
}

/** Works out what each account held at the end of each period, from what it held before them and what it moved since. */
export function holdingsOf(
  { accounts, flows, budget }: BudgetFacts,
  before: Readonly<Record<string, number>>,
  periods: readonly Period[],
  periodOf: (day: CalendarDate) => number,
): Holdings {
  const moved = Map.groupBy(flows, ({ day }) => periodOf(day))
  let held = new Map(accounts.map(({ id, beforeMinor }) => [id, before[id] ?? sum([beforeMinor])]))
  const atEnd = new Map<number, Map<string, number>>()
  for (const { index } of periods) {
    held = new Map(held)
    for (const { accountId, amountMinor, pendingMinor } of moved.get(index) ?? []) {
      const minor = budget.countPending ? amountMinor : amountMinor - pendingMinor
      held.set(accountId, sum([held.get(accountId) ?? 0, minor]))
    }
    atEnd.set(index, held)
  }
  return { atEnd }
}

/** An amount in the currency of the budget; undefined where there is no rate yet. */
export function converted(
  minor: number,
  from: string,
  { to, day, rateOn }: { to: string; day: CalendarDate; rateOn: RateOn },
): number | undefined {
  if (from === to || minor === 0) {
    return minor
  }
  const rate = rateOn(from, day)
  return rate && convert(minor, from, to, rate.rate)
}
