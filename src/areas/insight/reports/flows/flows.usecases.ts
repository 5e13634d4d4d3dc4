import type { CalendarDate } from '../../../../domain/calendar.ts'
import { oldestRate } from '../../../../domain/exchange.ts'
import {
  convertAmounts,
  type ConvertedAmounts,
  type ReportAmount,
  type UnconvertedAmounts,
} from '../../../../domain/reports/amounts.ts'
import { boundsOf, type CashPeriod, cashFlowOf } from '../../../../domain/reports/cash-flow.ts'
import { periodIndexIn } from '../../../../domain/reports/intervals.ts'
import {
  byTotal,
  type NamedKey,
  NONE,
  type ReportRow,
  type RowAmount,
  rowsOf,
  upToLimit,
} from '../../../../domain/reports/rows.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  type RateWarning,
  staleWarnings,
} from '../../../money/exchange-rates/exchange-rates.public.ts'
import { pointErrorsOf } from '../reports.rules.ts'
import { findCash } from './cash.usecases.ts'
import {
  findFlows,
  type FlowAmount,
  type FoundFlows,
  type Narrowing,
  type ReportFrame,
} from './finding.usecases.ts'
import { type Breakdown, type FlowsRequest, requireFigures } from './flows.rules.ts'

/** What was earned and spent, in minor units. A refund lowers what was spent. */
export interface FlowSums {
  earned: bigint
  spent: bigint
}

/** What every report of flows tells. */
export interface FlowsModel extends ReportFrame {
  /** Those that the sums are in: one if converted. */
  currencies: string[]
  unconverted: UnconvertedAmounts[]
  /** What is excluded from reports, by currency. */
  excluded: Map<string, FlowSums>
  ratesAsOf: CalendarDate | null
  warnings: RateWarning[]
}

export interface IncomeStatement extends FlowsModel {
  /** By currency, one of each period. */
  series: Map<string, FlowSums[]>
  totals: Map<string, FlowSums>
  earned: ReportRow[]
  spent: ReportRow[]
}

export interface Spending extends FlowsModel {
  by: Breakdown
  side: FlowAmount['side']
  rows: ReportRow[]
  /** By currency. */
  total: Map<string, bigint>
  /** What several rows count, by currency. */
  overlap: Map<string, bigint>
}

export interface CashFlowReport extends FlowsModel {
  series: Map<string, CashPeriod[]>
}

const none = (): FlowSums => ({ earned: 0n, spent: 0n })

/** Sums up by currency. What went into accounts was earned, and what went out was spent. */
function sumsOf(amounts: readonly Pick<ReportAmount, 'currency' | 'side' | 'minor'>[]) {
  const sums = new Map<string, FlowSums>()
  for (const { currency, side, minor } of amounts) {
    const one = sums.get(currency) ?? none()
    one.earned += side === 'earned' || side === 'in' ? minor : 0n
    one.spent += side === 'spent' ? minor : side === 'out' ? -minor : 0n
    sums.set(currency, one)
  }
  return sums
}

/** What all reports tell of their conversion. A day to come has the newest rate, whose age counts from today. */
const conversionOf = (
  { unconverted, rated }: Omit<ConvertedAmounts<unknown>, 'amounts'>,
  today: CalendarDate,
) => ({
  unconverted: unconverted.all(),
  ratesAsOf: oldestRate(rated),
  warnings: staleWarnings(rated.map((one) => ({ ...one, day: one.day < today ? one.day : today }))),
})

/** Converts what was found, and tells what all reports tell of it. */
function modelOf(found: FoundFlows) {
  const { frame, amounts: own, rateFinder } = found
  const { currency } = frame
  const days = own.flatMap((one) => (one.currency === currency ? [] : [one.day]))
  const converted = convertAmounts(own, currency, rateFinder(days))
  const amounts = converted.amounts.filter(({ isExcluded }) => !isExcluded)
  const excluded = sumsOf(converted.amounts.filter(({ isExcluded }) => isExcluded))
  const model: FlowsModel = {
    ...{ ...frame, ...conversionOf(converted, found.today), excluded },
    currencies: currenciesOf(currency, converted.amounts),
  }
  return { model, amounts }
}

const currenciesOf = (currency: string | undefined, all: readonly { currency: string }[]) =>
  currency === undefined ? [...new Set(all.map((one) => one.currency))].toSorted() : [currency]

const categoryOf = ({ categoryId }: FlowAmount) => [categoryId === '' ? NONE : categoryId]

/** Sums up what was earned and spent by category, over at most so many intervals. */
export async function getIncomeStatement(
  ctx: SignedIn,
  asked: FlowsRequest & Narrowing,
  most = Infinity,
): Promise<IncomeStatement> {
  const found = await findFlows(ctx, asked, 'none', false)
  const { model, amounts } = modelOf(found)
  const { periods } = model
  if (periods.length > most) {
    throw pointErrorsOf(most).tooManyPoints({ field: 'interval' })
  }
  const indexOf = periodIndexIn(periods)
  const byPeriod = Map.groupBy(amounts, ({ day }) => indexOf(day))
  const sums = periods.map((_, at) => sumsOf(byPeriod.get(at) ?? []))
  const rows = (side: FlowAmount['side']) => {
    const ofSide = amounts.filter((one) => one.side === side)
    return rowsOf(countedIn(ofSide, categoryOf, model), found.named, periods.length)
  }
  return {
    ...model,
    series: new Map(
      model.currencies.map((code) => [code, sums.map((one) => one.get(code) ?? none())]),
    ),
    totals: sumsOf(amounts),
    earned: rows('earned'),
    spent: rows('spent'),
  }
}

interface Rows {
  keysOf: (amount: FlowAmount) => string[]
  named: ReadonlyMap<string, NamedKey>
}

/** What each row counts. Throws `reports.tooManyPoints`. */
function countedIn(
  amounts: readonly FlowAmount[],
  keysOf: Rows['keysOf'],
  { periods, currencies }: Pick<FlowsModel, 'periods' | 'currencies'>,
): RowAmount[] {
  const indexOf = periodIndexIn(periods)
  requireFigures(new Set(amounts.flatMap(keysOf)).size * periods.length * currencies.length)
  return amounts.flatMap((one) =>
    keysOf(one).map((key) => ({
      ...{ key, currency: one.currency, minor: one.minor },
      period: indexOf(one.day) ?? 0,
    })),
  )
}

/** What a spending report is asked for beside its span. */
export interface SpendingRequest extends FlowsRequest, Narrowing {
  by: Breakdown
  side: 'earned' | 'spent'
  limit: number
}

/** Sums up what was spent, or earned, by one breakdown. */
export async function getSpending(
  ctx: SignedIn,
  { by, side, limit, ...asked }: SpendingRequest,
): Promise<Spending> {
  const labels = by === 'category' || by === 'account' ? 'none' : by
  const found = await findFlows(ctx, asked, labels, by === 'account')
  const { model, amounts: all } = modelOf(found)
  const amounts = all.filter((one) => one.side === side)
  const { keysOf, named } = breakdownOf(by, found)
  const { currency, periods } = model
  const counted = countedIn(amounts, keysOf, model)
  const rows = rowsOf(counted, named, periods.length)
  const total = totalsOf(amounts)
  return {
    ...{ ...model, by, side, total },
    rows: upToLimit(
      currency === undefined ? rows : byTotal(rows, currency),
      limit,
      counted,
      periods.length,
    ),
    overlap: new Map(
      [...totalsOf(counted)].map(([code, minor]) => [code, minor - (total.get(code) ?? 0n)]),
    ),
  }
}

function totalsOf(amounts: readonly { currency: string; minor: bigint }[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { currency, minor } of amounts) {
    sums.set(currency, (sums.get(currency) ?? 0n) + minor)
  }
  return sums
}

function breakdownOf(by: Breakdown, found: FoundFlows): Rows {
  if (by === 'category') {
    return { keysOf: categoryOf, named: found.named }
  }
  if (by === 'account') {
    return { keysOf: ({ accountId }) => [accountId], named: withoutParents(found.accounts) }
  }
  const names = found.amounts.flatMap(({ labels }) =>
    labels.map(([id, name = found.people.get(id) ?? null]) => [id, { name }] as const),
  )
  return {
    keysOf: ({ labels }) => (labels.length === 0 ? [NONE] : labels.map(([id]) => id)),
    named: withoutParents(new Map(names)),
  }
}

const withoutParents = (all: ReadonlyMap<string, { name: string | null }>) =>
  new Map([...all].map(([id, { name }]) => [id, { name, parentId: null }]))

/** Sums up what went into and out of accounts, so that the opening and the closing balance differ by exactly that. */
export async function getCashFlow(ctx: SignedIn, asked: FlowsRequest): Promise<CashFlowReport> {
  const found = await findCash(ctx, asked)
  const { frame, flows, opening } = found
  const { periods, currency } = frame
  const foreign = flows.filter((one) => one.currency !== currency).map(({ day }) => day)
  const rateOn = found.rateFinder([...foreign, ...boundsOf(periods)])
  const converted = cashFlowOf({ periods, opening, flows, into: currency, rateOn })
  const excluded = converted.amounts.filter(
    ({ isExcluded, side }) => isExcluded && (side === 'in' || side === 'out'),
  )
  return {
    ...{ ...frame, ...conversionOf(converted, found.today), series: converted.byCurrency },
    currencies: [...converted.byCurrency.keys()].toSorted(),
    excluded: sumsOf(excluded),
  }
}
