import type { CalendarDate } from '../calendar.ts'
import { periodIndexOf, type Period, type PeriodRule } from './periods.ts'
import { divideUp } from './targets.ts'

/** The cost of an occurrence of something recurring, in minor units of the budget's currency. */
export interface ScheduledCost {
  /** The day on which it has to be paid. */
  date: CalendarDate
  /** The day on which it was paid; null while it is unpaid. */
  paidOn: CalendarDate | null
  amountMinor: number
}

/** A cost for which a line needs money in a period. */
interface Share {
  due: CalendarDate
  amount: bigint
  /** The periods in which money can be assigned for it, this one included. */
  left: number
  /** The part of it that is saved by the beginning of the period, if the same is assigned in each period. */
  planned: bigint
}

/**
 * Returns the amount that has to be assigned in a period for what recurs, without what is assigned already. All costs that
 * are due in the period are needed in full. Of a series without any, the next cost is divided by the periods until its date.
 * The money that is carried in counts first for costs of before that are still unpaid, then for the planned savings of each
 * cost, then for later costs, and last for those of the period.
 * @param series the costs of each item
 */
export function scheduledNeed(
  series: readonly (readonly ScheduledCost[])[],
  rule: PeriodRule,
  { period, today, carriedIn }: { period: Period; today: CalendarDate; carriedIn: number },
): bigint {
  const all = series.map((costs) =>
    costs.map((cost) => ({ ...cost, ...daysOf(cost, today) })).toSorted(byDue),
  )
  const reserved = all
    .flat()
    .filter(({ paidOn, settled }) => paidOn === null && settled < period.start)
    .reduce((total, { amountMinor }) => total + BigInt(amountMinor), 0n)
  const shares = all.flatMap((costs) => sharesOf(costs, rule, period)).toSorted(byDue)
  const carried = BigInt(carriedIn)
  // Earlier periods ask for what earlier costs lack.
  const free = carried <= 0n ? carried : max(carried - reserved, 0n)
  return withSavings(shares, free).reduce(
    (total, { amount, left, saved }) => total + divideUp(amount - saved, left),
    0n,
  )
}

const byDue = (a: { due: CalendarDate }, b: { due: CalendarDate }): number =>
  a.due < b.due ? -1 : Number(a.due > b.due)

type DatedCost = ScheduledCost & { due: CalendarDate; settled: CalendarDate }

/** A cost is due on its day, or when it was paid before. What is late is expected to be paid today. */
function daysOf({ date, paidOn }: ScheduledCost, today: CalendarDate) {
  const settled = paidOn ?? (date > today ? date : today)
  return { due: settled < date ? settled : date, settled }
}

function sharesOf(costs: readonly DatedCost[], rule: PeriodRule, period: Period): Share[] {
  const indexOf = ({ due }: DatedCost) => periodIndexOf(rule, due)
  const open = costs.filter(({ settled }) => settled >= period.start)
  const inPeriod = open.filter(({ due }) => due <= period.end)
  return (inPeriod.length > 0 ? inPeriod : open.slice(0, 1)).map((cost) => {
    const amount = BigInt(cost.amountMinor)
    if (cost.due < period.start) {
      return { due: cost.due, amount, left: 1, planned: amount }
    }
    const left = indexOf(cost) - period.index + 1
    // The last cost is as far from the one before it as it would be from a next one.
    const at = Math.min(costs.indexOf(cost), costs.length - 2)
    const near = costs.slice(Math.max(0, at), at + 2).map(indexOf)
    const apart = Math.max(...near) - Math.min(...near)
    const planned = (amount * BigInt(Math.max(0, apart - left))) / BigInt(Math.max(1, apart))
    return { due: cost.due, amount, left, planned }
  })
}

/** Shares out the money that is carried in. What is left in the end, or lacks, counts for the first cost. */
function withSavings(shares: readonly Share[], carried: bigint): (Share & { saved: bigint })[] {
  let rest = carried
  const all = shares.map((share) => ({ ...share, saved: 0n }))
  const give = (share: { saved: bigint }, upTo: bigint) => {
    const given = min(max(rest, 0n), upTo - share.saved)
    share.saved += given
    rest -= given
  }
  all.forEach((share) => give(share, share.planned))
  all.filter(({ left }) => left > 1).forEach((share) => give(share, share.amount))
  all.forEach((share) => give(share, share.amount))
  all.slice(0, 1).forEach((share) => (share.saved += rest))
  return all
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
