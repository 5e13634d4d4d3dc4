import type { Counted } from '../../../../domain/budgets/conversion.ts'
import {
  countEnvelope,
  type CountingRules,
  countLimits,
  splitKey,
  totalOf,
} from '../../../../domain/budgets/counting.ts'
import type { Flow } from '../../../../domain/budgets/flows.ts'
import { type RateOn, shareOutConverted } from '../../../../domain/exchange.ts'
import { sum, toMinor } from '../../../../domain/money.ts'
import { parsedList, type BudgetRow } from '../budgets.rules.ts'

/** A flow with the user who recorded it. */
export interface RecordedFlow extends Flow {
  createdBy: string
  /** Only of members, and of the owner of a personal budget. */
  name: string | null
}

/** The spending that a user recorded on the lines by category of a period; spending is positive. */
export interface MemberSpending {
  userId: string
  name: string | null
  spentMinor: number
  lines: { lineId: string; spentMinor: number }[]
}

interface Counting {
  budget: BudgetRow
  /** Index of the period. */
  period: number
  /** Lines that count by category, in their order. */
  lineIds: string[]
  rules: CountingRules
}

/** An amount that counts, and who recorded it. */
interface Recorded extends Counted {
  userId: string
}

/** Counts what each person recorded in a period. */
export function countRecorded(
  flows: readonly RecordedFlow[],
  { budget, period, rules }: Omit<Counting, 'lineIds'>,
): Recorded[] {
  const incomeInNextPeriod = new Set(parsedList<string>(budget.incomeInNextPeriod))
  const { countTransfers } = budget
  const counted = (some: readonly RecordedFlow[]): Counted[] =>
    budget.mode === 'envelope'
      ? countEnvelope(some, [], { ...rules, incomeInNextPeriod })
      : countLimits(some, [], { ...rules, countTransfers, accountLinesIn: () => [] })
  return [...Map.groupBy(flows, ({ createdBy }) => createdBy)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([userId, some]) =>
      counted(some).flatMap((one) => (one.period === period ? [{ ...one, userId }] : [])),
    )
}

/**
 * Converts and adds up what people recorded. Those of one day, currency and line share out its converted sum, so that they
 * add up to what the line says.
 */
export function spendingOfMembers(
  recorded: readonly Recorded[],
  names: ReadonlyMap<string, string | null>,
  { lineIds, budget, rateOn }: { lineIds: string[]; budget: BudgetRow; rateOn: RateOn },
): MemberSpending[] {
  const amounts = new Map<string, number>()
  const add = (userId: string, key: string, minor: number) => {
    const name = `${userId} ${key}`
    amounts.set(name, sum([amounts.get(name) ?? 0, minor]))
  }
  const groups = Map.groupBy(recorded, ({ day, currency, key }) =>
    currency === budget.currency ? key : `${key} ${currency} ${day}`,
  )
  for (const group of groups.values()) {
    const [first] = group as [Recorded, ...Recorded[]]
    const rate = rateOn(first.currency, first.day)
    const own = group.map(({ minor }) => minor)
    const converted = rate
      ? shareOutConverted(own, first.currency, budget.currency, rate).map(toMinor)
      : []
    group.forEach(({ userId, key }, at) => {
      add(userId, isTotal(key) ? key : splitKey(key)[0], converted[at] ?? 0)
    })
  }
  return [...new Set(recorded.map(({ userId }) => userId))].map((userId) => {
    const spent = (key: string) => 0 - (amounts.get(`${userId} ${key}`) ?? 0)
    const lines = lineIds.map((lineId) => ({ lineId, spentMinor: spent(lineId) }))
    const counts = lineIds.map((id) => spent(budget.mode === 'limit' ? totalOf(id) : id))
    return { userId, name: names.get(userId) ?? null, spentMinor: sum(counts), lines }
  })
}

const isTotal = (key: string): boolean => key.startsWith(totalOf(''))
