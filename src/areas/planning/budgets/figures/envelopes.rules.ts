import type { CalendarDate } from '../../../../domain/calendar.ts'
import {
  type Conversion,
  convertSums,
  type Counted,
  type Unconverted,
} from '../../../../domain/budgets/conversion.ts'
import { countEnvelope } from '../../../../domain/budgets/counting.ts'
import {
  type EnvelopeClosing,
  type EnvelopeFigures,
  type EnvelopeState,
  firstEnvelopeState,
  foldEnvelopes,
} from '../../../../domain/budgets/envelopes.ts'
import type { RateOn } from '../../../../domain/exchange.ts'
import type { InsideAccount } from '../../../../domain/budgets/flows.ts'
import type { LimitFigures, LimitState } from '../../../../domain/budgets/limits.ts'
import { type OutsideCategory, outsideCategoriesIn } from '../../../../domain/budgets/outside.ts'
import { type Period, periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import type { StoredSums } from '../../../../domain/budgets/policies.ts'
import { addDays } from '../../../../domain/calendar.ts'
import { lazily, memoized } from '../../../../domain/memoized.ts'
import { sum } from '../../../../domain/money.ts'
import { parsedList, paymentCards, ruleOf } from '../budgets.rules.ts'
import { type LineNeed, needsIn, targetOfLine } from '../targets/targets.rules.ts'
import { scheduledNeedsIn } from '../targets/scheduled.rules.ts'
import {
  type BudgetFacts,
  converted,
  coverages,
  holdingsOf,
  linesIn,
  periodsToFold,
  ratesOn,
  termsOf,
} from './figures.rules.ts'

/** The figures of one period, with what it carries into the next one. */
interface PeriodFigures<Figures, State> {
  period: Period
  isClosed: boolean
  figures: Figures
  after: State
  /** The counted amounts, late ones included: closing the period stores them. */
  sums: StoredSums
  /** The balances of its accounts at its end, in their own currencies. */
  balances: Record<string, number>
  /** The categories behind figures outside of lines, without late amounts. It is not kept for a closed period. */
  outsideCategories: OutsideCategory[]
  unconverted: Unconverted[]
}

/** An envelope period: `assignedAhead` is assigned in later periods; `free` can be assigned without making a later pool negative. */
export type EnvelopePeriod = PeriodFigures<
  EnvelopeFigures & { assignedAhead: number; free: number },
  EnvelopeState
> & {
  /** The amounts that lines with a target still need, by line. Only those of some periods are asked for. */
  needs: () => ReadonlyMap<string, LineNeed>
}
export type LimitPeriod = PeriodFigures<LimitFigures, LimitState>

export type BudgetFigures =
  | { mode: 'envelope'; periods: EnvelopePeriod[]; conversion: Conversion }
  | { mode: 'limit'; periods: LimitPeriod[]; conversion: Conversion }

/** The state that a checkpoint of an envelope budget keeps. */
export interface EnvelopeImage {
  after: EnvelopeState
  balances: Record<string, number>
}

/** Works out an envelope budget through a period, and on through the last one in which anything is assigned or held. */
export function envelopeFigures(facts: BudgetFacts, toIndex: number): BudgetFigures {
  const { budget, accounts, checkpoint, today } = facts
  const rule = ruleOf(budget)
  const periods = periodsToFold(facts, toIndex)
  const periodOf = memoized((day: CalendarDate) => periodIndexOf(rule, day))
  const cardIds = new Set(paymentCards(budget, accounts).map(({ id }) => id))
  const counted = countedIn(facts, cardIds, periodOf)
  const dayBefore = addDays(budget.firstDay, -1)
  const rateOn = ratesOn(facts, [
    dayBefore,
    ...counted.map(({ day }) => day),
    ...periods.map(({ end }) => earlier(end, today)),
  ])
  const conversion = convertSums(counted, budget.currency, rateOn)
  const categoriesIn = outsideCategoriesIn(counted, budget.currency, rateOn)
  const image = checkpoint && (JSON.parse(checkpoint.image) as EnvelopeImage)
  const { atEnd } = holdingsOf(facts, image?.balances ?? {}, periods, periodOf)
  const worthOf = worthIn(facts, rateOn)
  const isCash = (id: string) => !cardIds.has(id)
  const heldBefore = new Map(accounts.map(({ id, beforeMinor }) => [id, sum([beforeMinor])]))
  let state = image?.after ?? firstEnvelopeState(worthOf(heldBefore, dayBefore, isCash))
  const decided = decisionsOf(facts)
  const paymentLines = [...cardIds].flatMap((accountId) =>
    facts.lines.flatMap((line) =>
      line.accountId === accountId ? [{ id: line.id, accountId }] : [],
    ),
  )
  const folded = periods.map((period) => {
    const { index, nominal } = period
    const day = earlier(period.end, today)
    const held = atEnd.get(index) ?? new Map<string, number>()
    const closing = decided.closings.get(nominal)
    const { figures, sums, after } = foldEnvelopes(state, {
      sums: conversion.sums.get(index) ?? new Map<string, number>(),
      ...linesOfPeriod(facts, period, decided),
      paymentLines: paymentLines.map(({ id, accountId }) => ({
        ...{ id, accountId, assignedMinor: decided.assigned(nominal, id) },
        owedMinor: 0 - worthOf(held, day, (one) => one === accountId),
      })),
      heldMinor: decided.held.get(nominal) ?? 0,
      worthMinor: worthOf(held, day, isCash),
      closing,
    })
    state = after
    return {
      ...{ period, isClosed: closing !== undefined, figures, after, sums },
      balances: Object.fromEntries(held),
      outsideCategories: closing ? [] : categoriesIn(index),
      unconverted: namedOnce(
        facts,
        conversion.unconverted.filter((one) => one.period === index),
        unconvertedWorth(facts, held, { period, day, rateOn }),
        periodOf,
      ),
    }
  })
  return { mode: 'envelope', periods: withNeeds(facts, withFree(folded)), conversion }
}

/** Counts the flows of a budget. */
function countedIn(
  facts: BudgetFacts,
  cardIds: ReadonlySet<string>,
  periodOf: (day: CalendarDate) => number,
): Counted[] {
  const { budget, accounts, flows, hidden } = facts
  const rule = ruleOf(budget)
  const nominalOf = memoized((index: number) => periodAt(rule, index).nominal)
  return countEnvelope(flows, hidden, {
    accounts: new Map<string, InsideAccount>(
      accounts.map(({ id, currency }) => [id, { id, currency, isCard: cardIds.has(id) }]),
    ),
    coverageIn: coverages(facts, nominalOf),
    periodOf,
    countPending: budget.countPending,
    incomeInNextPeriod: new Set(parsedList<string>(budget.incomeInNextPeriod)),
  })
}

/** Adds up what some of the accounts held, in the currency of the budget. What has no rate yet is left out. */
const worthIn =
  ({ accounts, budget: { currency: to } }: BudgetFacts, rateOn: RateOn) =>
  (
    held: ReadonlyMap<string, number>,
    day: CalendarDate,
    isWanted: (id: string) => boolean,
  ): number =>
    sum(
      accounts
        .filter(({ id }) => isWanted(id))
        .map(
          ({ id, currency }) => converted(held.get(id) ?? 0, currency, { to, day, rateOn }) ?? 0,
        ),
    )

const earlier = (one: CalendarDate, other: CalendarDate) => (one < other ? one : other)

type HeldUnconverted = Unconverted & { accountId: string }

/** Accounts that are left out of what the cash accounts hold, as their currency has no rate yet. */
const unconvertedWorth = (
  { accounts, budget }: BudgetFacts,
  held: ReadonlyMap<string, number>,
  { period, day, rateOn }: { period: Period; day: CalendarDate; rateOn: RateOn },
): HeldUnconverted[] =>
  accounts.flatMap(({ id, currency }) => {
    const minor = held.get(id) ?? 0
    const isLeftOut = converted(minor, currency, { to: budget.currency, day, rateOn }) === undefined
    return isLeftOut
      ? [{ accountId: id, period: period.index, key: 'held', currency, minor, from: day, to: day }]
      : []
  })

/** An opening balance that is named as what its account holds is not named again. */
function namedOnce(
  { accounts, budget, flows }: BudgetFacts,
  counted: readonly Unconverted[],
  worth: readonly HeldUnconverted[],
  periodOf: (day: CalendarDate) => number,
): Unconverted[] {
  const held = new Set(worth.map(({ accountId }) => accountId))
  const currencyOf = new Map(accounts.map(({ id, currency }) => [id, currency]))
  const openings =
    held.size === 0
      ? []
      : flows.filter(({ flow, accountId }) => flow === 'opening' && held.has(accountId))
  const others = counted.flatMap((one) => {
    if (one.key !== 'opening') {
      return [one]
    }
    const named = openings
      .filter(
        ({ accountId, day }) =>
          currencyOf.get(accountId) === one.currency && periodOf(day) === one.period,
      )
      .map(({ amountMinor, pendingMinor }) =>
        budget.countPending ? amountMinor : amountMinor - pendingMinor,
      )
    const minor = sum([one.minor, ...named.map((opening) => -opening)])
    return minor === 0 ? [] : [{ ...one, minor }]
  })
  return [...others, ...worth.map(({ accountId: _, ...one }) => one)]
}

interface Decisions {
  assigned: (nominal: string, lineId: string) => number
  held: ReadonlyMap<string, number>
  closings: ReadonlyMap<string, EnvelopeClosing>
  terms: ReturnType<typeof termsOf>
}

/** Groups the decisions of people by period. */
function decisionsOf({ amounts, periods, closings, changes }: BudgetFacts): Decisions {
  const byPeriod = new Map(
    [...Map.groupBy(amounts, ({ period }) => period)].map(([nominal, set]) => [
      nominal,
      new Map(set.map(({ lineId, amountMinor }) => [lineId, amountMinor ?? 0])),
    ]),
  )
  return {
    assigned: (nominal, lineId) => byPeriod.get(nominal)?.get(lineId) ?? 0,
    held: new Map(periods.map(({ period, heldMinor }) => [period, heldMinor])),
    closings: new Map(
      closings.map(({ period, image }) => [period, JSON.parse(image) as EnvelopeClosing]),
    ),
    terms: termsOf(changes),
  }
}

function linesOfPeriod({ lines }: BudgetFacts, { nominal }: Period, decided: Decisions) {
  const ended = new Map(
    lines
      .filter(({ archivedFrom }) => archivedFrom !== null && archivedFrom <= nominal)
      .map(({ id, archivedInto }) => [id, archivedInto]),
  )
  // The line that took over may itself have ended since.
  const successorOf = (id: string | null): string | null =>
    id !== null && ended.has(id) ? successorOf(ended.get(id) ?? null) : id
  const carriedInto = [...ended].flatMap(([id]) => {
    const successor = successorOf(id)
    return successor === null ? [] : [[id, successor] as const]
  })
  return {
    lines: linesIn(lines, nominal)
      .filter(({ kind }) => kind === 'line')
      .map(({ id }) => ({
        id,
        policy: decided.terms(id, nominal).policy,
        assignedMinor: decided.assigned(nominal, id),
      })),
    carriedInto: Object.fromEntries(carriedInto),
  }
}

type Folded = Omit<EnvelopePeriod, 'figures' | 'needs'> & { figures: EnvelopeFigures }

/** Adds what is known only once all later periods are. */
function withFree(folded: readonly Folded[]): Omit<EnvelopePeriod, 'needs'>[] {
  let ahead = 0
  let least = Infinity
  return folded
    .toReversed()
    .map((one) => {
      const { assigned, held, toBeBudgeted } = one.figures
      const free = Math.min(toBeBudgeted, least)
      const figures = { ...one.figures, assignedAhead: ahead, free }
      const isDecided =
        held !== 0 ||
        [...one.figures.lines, ...one.figures.payments].some((row) => row.assigned !== 0)
      least = isDecided ? free : least
      ahead = sum([ahead, assigned])
      return { ...one, figures }
    })
    .toReversed()
}

/** Periods that an average looks at, at most. */
const MOST_AVERAGED = 12

/** Adds what the targets of lines ask for. Targets by averages look at the periods before. */
function withNeeds(
  facts: BudgetFacts,
  periods: readonly Omit<EnvelopePeriod, 'needs'>[],
): EnvelopePeriod[] {
  const rule = ruleOf(facts.budget)
  const wanting = facts.lines.filter((line) => targetOfLine(line) !== null)
  const scheduled = scheduledNeedsIn(
    facts,
    periods.map(({ period }) => period),
  )
  return periods.map((one, at) => ({
    ...one,
    needs: lazily(() => {
      const earlier = periods.slice(Math.max(0, at - MOST_AVERAGED), at)
      return needsIn(wanting, rule, one, earlier, scheduled)
    }),
  }))
}
