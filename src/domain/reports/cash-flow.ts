import { type CalendarDate, nearDay } from '../calendar.ts'
import { convertForDisplay, type RateOn } from '../exchange.ts'
import type { DaySpan } from '../named-periods.ts'
import { convertAmounts, type ConvertedAmounts, type ReportAmount } from './amounts.ts'
import { periodIndexIn } from './intervals.ts'

/** The sums of a cash flow. `exchange` is what transfers between its own accounts moved in one currency. */
export const CASH_SIDES = ['in', 'out', 'otherAccounts', 'adjustments', 'exchange'] as const
type CashSide = (typeof CASH_SIDES)[number]

/** The money of accounts in a period, in one currency: `opening` and the sums together are `closing`. */
export type CashPeriod = Record<CashSide | 'opening' | 'closing', bigint>

/** An amount as its account sees it: what goes out is negative. */
export interface CashAmount extends ReportAmount {
  side: CashSide
}

/** The balance before the first period of an account, or of several in one currency. */
export interface CashBalance {
  accountId: string
  currency: string
  minor: bigint
}

export interface CashFlow<Amount> extends ConvertedAmounts<Amount> {
  /** By currency; converted, `exchange` is the effect of rates. */
  byCurrency: Map<string, CashPeriod[]>
}

interface Asked<Amount> {
  periods: readonly DaySpan[]
  opening: readonly CashBalance[]
  flows: readonly Amount[]
  /** Nothing is converted without it. */
  into: string | undefined
  rateOn: RateOn
}

/** Sums up what went into and out of accounts in each period. */
export function cashFlowOf<Amount extends CashAmount>(asked: Asked<Amount>): CashFlow<Amount> {
  const { periods, into, rateOn } = asked
  const found = convertAmounts(
    asked.flows.filter(({ side }) => into === undefined || side !== 'exchange'),
    into,
    rateOn,
    { countsExcluded: true },
  )
  const indexOf = periodIndexIn(periods)
  const byCurrency = new Map<string, CashPeriod[]>()
  const periodsIn = (currency: string): CashPeriod[] => {
    const known = byCurrency.get(currency)
    const made = known ?? periods.map(() => ({ ...EMPTY }))
    byCurrency.set(currency, made)
    return made
  }
  for (const { currency, day, side, minor } of found.amounts) {
    for (const period of periodsIn(currency)
      .slice(indexOf(day) ?? periods.length)
      .slice(0, 1)) {
      period[side] += minor
    }
  }
  const valueAt = ({ accountId, currency, minor }: CashBalance, day: CalendarDate): bigint => {
    if (into === undefined || currency === into || minor === 0n) {
      return minor
    }
    const chosen = rateOn(currency, day)
    if (!chosen) {
      found.unconverted.add({ ...{ accountId, currency, day, minor: 0n }, side: 'in' })
      return 0n
    }
    found.rated.push({ currency, minor, day, chosen })
    return convertForDisplay(minor, currency, into, chosen.rate)
  }
  const moved = Map.groupBy(asked.flows, accountIn)
  for (const one of asked.opening) {
    const steps = Map.groupBy(moved.get(accountIn(one)) ?? [], ({ day }) => indexOf(day))
    let { minor } = one
    const values = boundsOf(periods).map((day, at) => {
      minor += sumOf((steps.get(at - 1) ?? []).map((step) => step.minor))
      return valueAt({ ...one, minor }, day)
    })
    periodsIn(into ?? one.currency).forEach((period, at) => {
      period.opening += sumOf(values.slice(at, at + 1))
      period.closing += sumOf(values.slice(at + 1, at + 2))
    })
  }
  for (const period of into === undefined ? [] : periodsIn(into)) {
    const { opening, closing, in: earned, out, otherAccounts, adjustments } = period
    period.exchange = closing - opening - earned - out - otherAccounts - adjustments
  }
  return { ...found, byCurrency }
}

const EMPTY: CashPeriod = {
  ...{ opening: 0n, in: 0n, out: 0n, otherAccounts: 0n, adjustments: 0n },
  ...{ exchange: 0n, closing: 0n },
}

/** The days of balances: that before the first period, and the last one of each. */
export const boundsOf = (periods: readonly DaySpan[]): CalendarDate[] => [
  ...periods.slice(0, 1).map(({ from }) => nearDay(from, -1)),
  ...periods.map(({ to }) => to),
]

/** The account of a flow or balance, or all that are joined in a currency. */
const accountIn = ({ accountId, currency }: Omit<CashBalance, 'minor'>) =>
  `${accountId} ${currency}`

const sumOf = (minors: readonly bigint[]) => minors.reduce((sum, minor) => sum + minor, 0n)
