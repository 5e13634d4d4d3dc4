import { addDays, type CalendarDate } from '../calendar.ts'
import { allocate, divideHalfEven, MAX_MINOR, sum } from '../money.ts'
import { periodIndexOf, periodOf, type Period, type PeriodRule } from './periods.ts'

/** An amount to have by a date; with `every`, again at each later occurrence, counted from the date. */
export interface ByDateTarget {
  type: 'byDate'
  amountMinor: number
  date: CalendarDate
  every: { count: number; unit: 'week' | 'month' | 'year' } | null
}

/** The target of an envelope in each period. */
export type Target =
  /** `amount`: that much in each period; `refill`: up to that much to spend; `balance`: until that much is in it. */
  | { type: 'amount' | 'refill' | 'balance'; amountMinor: number }
  | ByDateTarget
  /** Hundredths of a percent: 750 is 7.5 %. */
  | { type: 'percentOfIncome'; hundredths: number }
  /** The average spending of that many earlier periods. */
  | { type: 'average'; periods: 3 | 6 | 12 }
  /** The cost of recurring items, and of those that go on from them. */
  | { type: 'schedule'; recurringIds: string[] }

export type TargetStatus = 'funded' | 'underfunded' | 'overdue' | 'snoozed'

/** The figures of a period on which a target depends. Amounts are in minor units. */
export interface TargetFacts {
  carriedIn: number
  assigned: number
  /** The income of the period. */
  income: number
  /** The result of `averageOf`. */
  averageSpent: number
  /** The result of `periodsLeft`, for targets by date. */
  periodsLeft: number
  /** The result of `scheduledNeed`. */
  scheduled: bigint
}

/**
 * Returns the amount that is still to be assigned in the period, within the range of amounts. It depends on the amounts
 * carried in and assigned, and never on spending in the period, so that a purchase does not need its money twice.
 */
export function neededOf(target: Target, facts: TargetFacts): number {
  const missing = assignmentFor(target, facts) - BigInt(facts.assigned)
  return Math.min(Math.max(0, Number(missing)), MAX_MINOR)
}

/** A snoozed target is shown as such only while something is needed. */
export function statusOf(
  target: Target,
  { needed, periodsLeft, isSnoozed }: { needed: number; periodsLeft: number; isSnoozed: boolean },
): TargetStatus {
  if (needed === 0) {
    return 'funded'
  }
  if (isSnoozed) {
    return 'snoozed'
  }
  return target.type === 'byDate' && periodsLeft === 0 ? 'overdue' : 'underfunded'
}

/**
 * The periods in which money can be assigned for the date that counts: from this one through the one that contains the
 * date, 0 after it. Of a target that repeats, the next occurrence on or after the start of this period counts. Throws
 * `calendar.outOfRange` where that is beyond the calendar.
 */
export function periodsLeft(
  { date, every }: ByDateTarget,
  rule: PeriodRule,
  { index, start }: Period,
): number {
  const due =
    every && date < start ? nextStart({ ...every, anchor: date, weekend: 'keep' }, start) : date
  return Math.max(0, periodIndexOf(rule, due) - index + 1)
}

/**
 * The average of the periods before, half to even; 0 where there are none. `values` are those periods since the budget
 * started, the newest last. A younger budget has fewer, and its sum is divided by as many. With `floorAtZero`, as for
 * spending, a period below zero counts as zero.
 */
export function averageOf(
  values: readonly number[],
  periods: number,
  { floorAtZero }: { floorAtZero: boolean },
): number {
  const counted = values.slice(-periods).map((value) => (floorAtZero ? Math.max(0, value) : value))
  const total = counted.reduce((all, value) => all + BigInt(value), 0n)
  return counted.length === 0 ? 0 : Number(divideHalfEven(total, BigInt(counted.length)))
}

/** The need of a line. A priority with a lower number comes first. */
export interface Need {
  lineId: string
  priority: number
  needed: number
}

/**
 * Shares out money over what lines need, by line: one priority after the other, and each line all that it needs. The
 * first priority for which the money is not enough shares what is left in proportion to the needs; then there is
 * nothing more.
 */
export function shareOut(needs: readonly Need[], available: number): Map<string, number> {
  const priorities = [...new Set(needs.map(({ priority }) => priority))].toSorted((a, b) => a - b)
  const given = new Map<string, number>()
  let left = Math.max(0, available)
  for (const priority of priorities) {
    const group = needs.filter((one) => one.priority === priority)
    const parts = partsOf(
      group.map(({ needed }) => needed),
      left,
    )
    group.forEach(({ lineId }, at) => given.set(lineId, Number(parts[at])))
    left -= sum(parts)
  }
  return given
}

/** Returns the amount that the target needs in the period, including what is assigned already. */
function assignmentFor(target: Target, facts: TargetFacts): bigint {
  if (target.type === 'average') {
    return BigInt(facts.averageSpent)
  }
  if (target.type === 'schedule') {
    return facts.scheduled
  }
  if (target.type === 'percentOfIncome') {
    return divideHalfEven(BigInt(facts.income) * BigInt(target.hundredths), 10_000n)
  }
  const amount = BigInt(target.amountMinor)
  if (target.type === 'amount') {
    return amount
  }
  if (target.type === 'refill') {
    return amount - BigInt(Math.max(0, facts.carriedIn))
  }
  const missing = amount - BigInt(facts.carriedIn)
  // After the date, all that is missing is wanted at once.
  return target.type === 'byDate' ? divideUp(missing, Math.max(1, facts.periodsLeft)) : missing
}

/** Rounds up, so that the last period never needs more than the others. */
export function divideUp(amount: bigint, parts: number): bigint {
  const count = BigInt(parts)
  return amount > 0n ? (amount + count - 1n) / count : amount / count
}

/** The first start of a period of the series on or after the day, which is after the anchor. */
function nextStart(series: PeriodRule, day: CalendarDate): CalendarDate {
  return addDays(periodOf(series, addDays(day, -1)).end, 1)
}

function partsOf(needs: readonly number[], available: number): number[] {
  const total = needs.reduce((all, needed) => all + BigInt(needed), 0n)
  return total <= BigInt(available) ? [...needs] : allocate(available, needs)
}
