import { addDays, addMonths } from '../../../src/domain/calendar.ts'
import { type Fraction, nearest } from '../../domain/reference.ts'
import { anyBudget, anyPeriod, senderOf } from './choices.ts'
import type { EnvelopePeriod } from './envelopes.ts'
import { anyDay, text, type Walk } from './household.ts'
import { fundable } from './movements.ts'
import { type Budget, type Every, type Goal, type Target } from './state.ts'
import type { Step } from './steps.ts'
import { currentOf, type Period, periodsOf } from './time.ts'

export interface Need {
  needed: bigint
  status: 'funded' | 'underfunded' | 'overdue' | 'snoozed'
}

const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

const roundedUp = ({ over, under }: Fraction): bigint =>
  over / under + (over > 0n && over % under !== 0n ? 1n : 0n)

/** The first occurrence on a day or after it. */
function nextOf(date: string, { count, unit }: Every, day: string): string {
  for (let times = 0; ; times += 1) {
    const steps = times * count
    const one =
      unit === 'week'
        ? addDays(date, steps * 7)
        : addMonths(date, unit === 'year' ? steps * 12 : steps)
    if (one >= day) {
      return one
    }
  }
}

/** The periods from one through that of a day; none where the day is before it. */
const periodsUntil = (budget: Budget, start: string, day: string): number =>
  day < start ? 0 : periodsOf(budget, day).filter((one) => one.start >= start).length

/** What was spent on average in so many periods before; of those that there are, where they are fewer. */
function averageOf(before: EnvelopePeriod[], line: string, periods: number): bigint {
  const spent = before
    .slice(-periods)
    .map(({ lines }) => most(0n, -(lines.get(line)?.['activity'] ?? 0n)))
  const sum = spent.reduce((all, one) => all + one, 0n)
  return spent.length === 0 ? 0n : nearest({ over: sum, under: BigInt(spent.length) })
}

interface Place {
  line: string
  at: EnvelopePeriod
  all: EnvelopePeriod[]
}

/** The periods that are left to reach a goal; undefined where it has no date. */
function periodsLeft(budget: Budget, goal: Goal, { start }: Period): number | undefined {
  if (goal.type !== 'byDate') {
    return undefined
  }
  return periodsUntil(budget, start, goal.every ? nextOf(goal.date, goal.every, start) : goal.date)
}

/** What a line should be assigned in a period, all in all. */
function wantedBy(goal: Goal, { line, at, all }: Place, left: number | undefined): bigint {
  const { carriedIn = 0n } = at.lines.get(line) ?? {}
  if (goal.type === 'percentOfIncome') {
    return nearest({ over: (at.sums['income'] ?? 0n) * BigInt(goal.hundredths), under: 10_000n })
  }
  if (goal.type === 'average') {
    return averageOf(all.slice(0, all.indexOf(at)), line, goal.periods)
  }
  if (goal.type === 'amount') {
    return goal.amount
  }
  if (goal.type === 'refill') {
    return goal.amount - most(carriedIn, 0n)
  }
  const missing = goal.amount - carriedIn
  return left ? roundedUp({ over: missing, under: BigInt(left) }) : missing
}

/** What a line still needs in a period. */
export function needOf(budget: Budget, { goal, snoozedIn }: Target, place: Place): Need {
  const { line, at } = place
  const left = periodsLeft(budget, goal, at.period)
  const assigned = at.lines.get(line)?.['assigned'] ?? 0n
  const needed = most(0n, wantedBy(goal, place, left) - assigned)
  const late = left === 0 ? 'overdue' : 'underfunded'
  const unfunded = at.period.nominal === snoozedIn ? 'snoozed' : late
  return { needed, status: needed === 0n ? 'funded' : unfunded }
}

function anyGoal(walk: Walk): Goal {
  const { random } = walk
  const type = random.pick([
    ...(['amount', 'refill', 'balance', 'byDate', 'byDate'] as const),
    ...(['percentOfIncome', 'average'] as const),
  ])
  if (type === 'percentOfIncome') {
    return { type, hundredths: random.whole(1, 10_000) }
  }
  if (type === 'average') {
    return { type, periods: random.pick([3, 3, 6, 12] as const) }
  }
  const amount = BigInt(random.whole(1, 60_000))
  if (type !== 'byDate') {
    return { type, amount }
  }
  const every = { count: random.whole(1, 9), unit: random.pick(['week', 'month', 'year'] as const) }
  return {
    ...{ type, amount, every: random.chance(0.5) ? every : null },
    date: addDays(anyDay(walk), random.pick([-300, 0, 0, 0, 100, 900])),
  }
}

function written(goal: Goal, currency: string): Record<string, unknown> {
  if (goal.type === 'percentOfIncome') {
    return { type: goal.type, percent: (goal.hundredths / 100).toFixed(2) }
  }
  return goal.type === 'average' ? goal : { ...goal, amount: text(goal.amount, currency) }
}

const pathOf = ({ id }: Budget, line: string) => `/budget/${id}/line/${line}/target`

const setTarget: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const line = walk.random.pick(fundable(walk.household, budget, currentOf(budget)))
  const goal = anyGoal(walk)
  const snoozedIn = walk.random.chance(0.2) ? anyPeriod(walk, budget) : null
  const json = { ...written(goal, budget.currency), snoozedIn }
  await senderOf(walk, budget)('PUT', pathOf(budget, line), json)
  budget.targets.set(line, { goal, snoozedIn })
  return true
}

/** A line with a target that has not ended. */
const anyTarget = ({ random, household }: Walk, budget: Budget): string | undefined => {
  const there = new Set(fundable(household, budget, currentOf(budget)))
  const lines = [...budget.targets.keys()].filter((id) => there.has(id))
  return lines.length === 0 ? undefined : random.pick(lines)
}

const snooze: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const line = anyTarget(walk, budget)
  const target = budget.targets.get(line ?? '')
  if (line === undefined || !target) {
    return false
  }
  const period = walk.random.chance(0.3) ? null : anyPeriod(walk, budget)
  await senderOf(walk, budget)('POST', `${pathOf(budget, line)}/snooze`, { period })
  budget.targets.set(line, { ...target, snoozedIn: period })
  return true
}

const dropTarget: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const line = anyTarget(walk, budget)
  if (line === undefined) {
    return false
  }
  await senderOf(walk, budget)('DELETE', pathOf(budget, line))
  budget.targets.delete(line)
  return true
}

export const targetSteps: Record<string, Step> = {
  ...{ setTarget, setTargetAgain: setTarget, setAnyTarget: setTarget, snooze, dropTarget },
}
