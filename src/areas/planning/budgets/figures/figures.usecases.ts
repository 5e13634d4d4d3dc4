import { type CalendarDate, dateInZone, isCalendarDate } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import type { Period } from '../../../../domain/budgets/periods.ts'
import { chargeWork } from '../../../../platform/database/time-budgets.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { rangeErrors } from '../../../../platform/platform.errors.ts'
import { type Results, nothing, type Statement } from '../../../../platform/database/statements.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetById } from '../budgets.queries.ts'
import {
  existingBudget,
  periodError,
  requirePeriod,
  todayIn,
  type BudgetRow,
} from '../budgets.rules.ts'
import { linesOfBudget, linesOfBudgets, unpackLine } from '../lines/lines.queries.ts'
import { withPaymentLines } from '../lines/deletion.usecases.ts'
import { type BudgetFigures, envelopeFigures } from './envelopes.rules.ts'
import {
  accountsOfOneBudget,
  accountsOfBudgets,
  type FiguresRequest,
  askedOf,
  categoriesOf,
  categoriesOfBudgets,
  changesOfBudget,
  changesOfBudgets,
  decisionsOf,
  decisionsOfBudgets,
  flowsOfBudget,
  flowsOfBudgets,
  hiddenFlowsOf,
  hiddenFlowsOfBudgets,
  labelledFlowsOf,
  labelledFlowsOfBudgets,
  ratesFor,
  ratesOfBudgets,
  scopesOf,
  scopesOfBudgets,
  type FiguresSpan,
} from './figures.queries.ts'
import { type BudgetFacts, decided, flowsInside, requireFewSteps, walkOf } from './figures.rules.ts'
import { limitFigures } from './limits.rules.ts'

/** The figures of a budget in a span of periods, with what they follow from. */
export interface FoundFigures {
  facts: BudgetFacts
  figures: BudgetFigures
  /** The first and the last period that was asked for. */
  from: Period
  to: Period
}

/** A period as a request names it: by its nominal start, or `current`. */
type Named = string

interface NamedSpan {
  from: Named
  to?: Named | undefined
  /** So many periods before them are worked out, too, where there are any. */
  back?: number | undefined
  /** The field of the body that names the periods, if the path or query does not. */
  field?: string | undefined
}

/**
 * Works out a budget from the newest checkpoint, or from its beginning, through the periods that are asked for: one trip.
 * Nothing is stored.
 * @throws budgets.notFound, budgets.noSuchPeriod
 */
export async function readFigures(
  ctx: SignedIn,
  budgetId: string,
  { from, to = from, back = 0, field }: NamedSpan,
): Promise<FoundFigures> {
  const [found] = await readFiguresWith(ctx, budgetId, { from, to, back, field }, nothing())
  return found
}

/** Like `readFigures`, together with another query in the same round trip. */
export async function readFiguresWith<Row>(
  ctx: SignedIn,
  budgetId: string,
  { from, to = from, back = 0, field }: NamedSpan,
  finder: Statement<Row[]>,
): Promise<[FoundFigures, Row[]]> {
  const days = { from: dayOfPeriod(ctx, from, field), to: dayOfPeriod(ctx, to, field), back }
  const [facts, rows] = await readFactsWith(ctx, budgetId, days, finder)
  return [figuresIn(ctx, facts, { from, to, field }), rows]
}

/** The figures of a span of periods, of facts that were read for it. */
export function figuresIn(
  ctx: SignedIn,
  facts: BudgetFacts,
  { from, to = from, field }: NamedSpan,
): FoundFigures {
  const span = {
    from: requirePeriod(ctx, facts.budget, from, field),
    to: requirePeriod(ctx, facts.budget, to, field),
  }
  if (span.to.index < span.from.index) {
    throw budgetErrors.invalidSpan({ most: 120 }, { field: 'to' })
  }
  return { facts, figures: figuresOf(ctx, facts, span.to.index), ...span }
}

/** A day of a named period, or near one. */
export function dayOfPeriod(ctx: SignedIn, named: Named, field?: string): CalendarDate {
  if (named === 'current') {
    return dateInZone(ctx.now, 'UTC')
  }
  if (!isCalendarDate(named)) {
    throw periodError(field)
  }
  return named
}

/** Reads all that figures follow from. */
export const readFacts = async (
  ctx: SignedIn,
  id: string,
  span: FiguresSpan,
): Promise<BudgetFacts> => factsFrom(ctx, await read(ctx, ...factFinders(ctx, id, span)))

/** Like `readFacts`, for a budget that another query finds. */
export const readFactsBy = async (
  ctx: Context,
  finder: Statement<BudgetRow[]>,
  { id, span }: { id: string; span: FiguresSpan },
): Promise<BudgetFacts> => factsFrom(ctx, await read(ctx, finder, ...furtherFacts(ctx, id, span)))

/** Reads all that figures follow from, and something else in the same trip. */
export async function readFactsWith<Row>(
  ctx: SignedIn,
  id: string,
  span: FiguresSpan,
  finder: Statement<Row[]>,
): Promise<[BudgetFacts, Row[]]> {
  const [rows, ...found] = await read(ctx, finder, ...factFinders(ctx, id, span))
  return [factsFrom(ctx, found), rows]
}

/** The queries of all that figures follow from. */
const factFinders = (ctx: SignedIn, id: string, span: FiguresSpan) =>
  [budgetById(ctx, id), ...furtherFacts(ctx, id, span)] as const

/** The queries of all that figures follow from but the budget itself. */
export function furtherFacts(ctx: Pick<Context, 'now'>, id: string, span: FiguresSpan) {
  const asked = askedOf(ctx, id, span)
  return [
    flowsOfBudget(asked),
    accountsOfOneBudget(asked),
    decisionsOf(asked),
    linesOfBudget(asked),
    scopesOf(asked),
    changesOfBudget(asked),
    hiddenFlowsOf(asked),
    labelledFlowsOf(asked),
    categoriesOf(asked),
    ratesFor(asked),
  ] as const
}

/** Like `furtherFacts`, for many budgets. */
export const furtherFactsOfBudgets = (asked: FiguresRequest) =>
  [
    flowsOfBudgets(asked),
    accountsOfBudgets(asked),
    decisionsOfBudgets(asked),
    linesOfBudgets(asked),
    scopesOfBudgets(asked),
    changesOfBudgets(asked),
    hiddenFlowsOfBudgets(asked),
    labelledFlowsOfBudgets(asked),
    categoriesOfBudgets(asked),
    ratesOfBudgets(asked),
  ] as const

type FurtherFacts = Results<ReturnType<typeof furtherFactsOfBudgets>>

/** Finds the facts of each budget among those of many. */
export function factsByBudget(
  ctx: Pick<Context, 'now'>,
  [flows, accounts, ...others]: FurtherFacts,
): (budget: BudgetRow) => BudgetFacts {
  const byAccount = Map.groupBy(flows, ({ accountId }) => accountId)
  const accountsBy = Map.groupBy(accounts, ({ budgetId }) => budgetId)
  const byBudget = others.map((rows) =>
    Map.groupBy<string, { budgetId: string }>(rows, ({ budgetId }) => budgetId),
  )
  return (budget) => {
    const inside = accountsBy.get(budget.id) ?? []
    const own = byBudget.map((rows) => rows.get(budget.id) ?? [])
    const found = [flowsInside(inside, byAccount), inside, ...own]
    return factsFrom(ctx, [[budget], ...(found as unknown as FurtherFacts)])
  }
}

type FoundFacts = Results<ReturnType<typeof factFinders>>

/** The facts of a budget, of what its queries found. */
export function factsFrom(
  ctx: Pick<Context, 'now'>,
  [
    [found],
    flows,
    accounts,
    decisions,
    lines,
    scopes,
    changes,
    hidden,
    labelled,
    categories,
    rates,
  ]: FoundFacts,
): BudgetFacts {
  const budget: BudgetRow = existingBudget(found)
  return {
    budget,
    today: todayIn(ctx, budget),
    ...decided(decisions),
    lines: withPaymentLines(budget, lines.map(unpackLine), accounts),
    ...{ scopes, changes, accounts, flows, hidden, labelled, categories, rates },
  }
}

/** Works out figures; a sum beyond the range of amounts conflicts with what is stored. */
export function withinRange<Figures>(workOut: () => Figures): Figures {
  try {
    return workOut()
  } catch (error) {
    if (error instanceof AppError && error.code === 'money.outOfRange') {
      throw rangeErrors.outOfRange({ cause: error })
    }
    throw error
  }
}

/**
 * The figures of all periods from the one after the checkpoint through an index. The work counts against the budget of the caller.
 * @throws budgets.tooLong
 */
export function figuresOf(ctx: Context, facts: BudgetFacts, toIndex: number): BudgetFigures {
  const walk = walkOf(facts, toIndex)
  requireFewSteps(walk)
  chargeWork(ctx, walk.work)
  return withinRange(() =>
    facts.budget.mode === 'envelope'
      ? envelopeFigures(facts, toIndex)
      : limitFigures(facts, toIndex),
  )
}

/** Budgets that have no figures, so that work on all budgets can continue with the next one. */
const NO_FIGURES = new Set([rangeErrors.outOfRange().code, budgetErrors.tooLong().code])

/** Like `figuresOf`, but undefined if a sum is out of range, or the periods are too many. */
export function figuresWithinRange(
  ctx: Context,
  facts: BudgetFacts,
  toIndex: number,
): BudgetFigures | undefined {
  try {
    return figuresOf(ctx, facts, toIndex)
  } catch (error) {
    if (error instanceof AppError && NO_FIGURES.has(error.code)) {
      return undefined
    }
    throw error
  }
}
