import {
  averageOf,
  neededOf,
  periodsLeft,
  statusOf,
  type Target,
  type TargetStatus,
} from '../../../../domain/budgets/targets.ts'
import type { EnvelopeLineFigures, PaymentRow } from '../../../../domain/budgets/envelopes.ts'
import type { Period, PeriodRule } from '../../../../domain/budgets/periods.ts'
import { AppError } from '../../../../domain/errors.ts'
import { lazily } from '../../../../domain/memoized.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { budgetErrors } from '../budgets.errors.ts'
import type { LineRow } from '../lines/lines.rules.ts'

/** A target as it is stored, as JSON. */
export type StoredTarget = Target & {
  /** From 1 to 9; money goes to lower numbers first. */
  priority: number
  /** Nominal start of the period in which it asks for nothing. */
  snoozedIn: string | null
}

export const targetOfLine = ({ target }: Pick<LineRow, 'target'>): StoredTarget | null =>
  target === null ? null : (JSON.parse(target) as StoredTarget)

export const TARGET_TYPES = [
  'amount',
  'refill',
  'balance',
  'byDate',
  'percentOfIncome',
  'average',
  'schedule',
] as const

/** A target as a request describes it. */
export interface TargetInput {
  type: (typeof TARGET_TYPES)[number]
  amount?: string | null | undefined
  date?: string | null | undefined
  every?: { count: number; unit: 'week' | 'month' | 'year' } | null | undefined
  percent?: string | null | undefined
  periods?: 3 | 6 | 12 | null | undefined
  recurringIds?: string[] | null | undefined
}

/** The fields that each type of target needs; `every` may be left out. */
export const FIELDS_OF_TARGET: Record<
  TargetInput['type'],
  readonly Exclude<keyof TargetInput, 'type'>[]
> = {
  amount: ['amount'],
  refill: ['amount'],
  balance: ['amount'],
  byDate: ['amount', 'date', 'every'],
  percentOfIncome: ['percent'],
  average: ['periods'],
  schedule: ['recurringIds'],
}

/** The schema of the request has seen to it that what the type needs is there. */
export function targetFrom(sent: TargetInput, currency: string): Target {
  const { type, percent, periods, recurringIds, date, every = null } = sent
  if (type === 'average') {
    return { type, periods: sentOf(periods) }
  }
  if (type === 'schedule') {
    return { type, recurringIds: sentOf(recurringIds).toSorted() }
  }
  if (type === 'percentOfIncome') {
    const [whole = '', decimals = ''] = sentOf(percent).split('.')
    return { type, hundredths: Number(whole + decimals.padEnd(2, '0')) }
  }
  const amountMinor = parseMoney(sentOf(sent.amount), currency, {
    field: 'amount',
    allowZero: false,
  })
  return type === 'byDate'
    ? { type, amountMinor, date: sentOf(date), every }
    : { type, amountMinor }
}

function sentOf<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) {
    throw new Error('a target without a field that its type needs')
  }
  return value
}

/** Refuses a target whose next occurrence, from the period on, is beyond the calendar. */
export function requireOccurrence(target: Target, rule: PeriodRule, period: Period): void {
  if (target.type === 'byDate' && occurrenceIn(target, rule, period) === undefined) {
    throw budgetErrors.invalidTarget(
      { problem: 'its next occurrence must be by the year 2200' },
      { field: 'every' },
    )
  }
}

/** The amount that a line still needs in a period. */
export interface LineNeed {
  priority: number
  needed: number
  status: TargetStatus
}

type Row = Pick<EnvelopeLineFigures | PaymentRow, 'lineId' | 'carriedIn' | 'assigned' | 'activity'>

/**
 * Finds the money that a target needs for what recurs in a period, without what is assigned already; undefined where an amount
 * has no rate.
 */
export type ScheduledNeeds = (
  target: Extract<Target, { type: 'schedule' }>,
  period: Period,
  carriedIn: number,
) => bigint | undefined

/** The figures of a period that targets look at. */
interface Funded {
  period: Period
  figures: { income: number; lines: readonly Row[]; payments: readonly Row[] }
}

const rowsOf = ({ figures: { lines, payments } }: Funded): readonly Row[] => [...lines, ...payments]

/** Returns the spending of a line in each of these periods; zero before the line existed. */
export const spentIn = (periods: readonly Funded[], lineId: string): number[] =>
  periods.map((one) => 0 - (rowsOf(one).find((row) => row.lineId === lineId)?.activity ?? 0))

/**
 * Returns the amounts that lines with a target still need in a period, by line. A line whose target does not occur again
 * within the calendar, or costs what cannot be converted, is left out.
 * @param earlier the periods before it, the newest last
 */
export function needsIn(
  lines: readonly LineRow[],
  rule: PeriodRule,
  funded: Funded,
  earlier: readonly Funded[],
  scheduledNeeds: ScheduledNeeds,
): Map<string, LineNeed> {
  const { period, figures } = funded
  const rows = new Map(rowsOf(funded).map((row) => [row.lineId, row]))
  const spent = lazily(() => earlier.map(activityOf))
  return new Map(
    lines.flatMap((line) => {
      const target = targetOfLine(line)
      const row = rows.get(line.id)
      const left = target?.type === 'byDate' ? occurrenceIn(target, rule, period) : 0
      const scheduled =
        target?.type === 'schedule' && row ? scheduledNeeds(target, period, row.carriedIn) : 0n
      if (!target || !row || left === undefined || scheduled === undefined) {
        return []
      }
      const needed = neededOf(target, {
        carriedIn: row.carriedIn,
        assigned: row.assigned,
        income: figures.income,
        averageSpent: target.type === 'average' ? averageSpent(spent(), line.id, target) : 0,
        periodsLeft: left,
        scheduled,
      })
      const isSnoozed = target.snoozedIn === period.nominal
      const status = statusOf(target, { needed, periodsLeft: left, isSnoozed })
      return [[line.id, { priority: target.priority, needed, status }] as const]
    }),
  )
}

const activityOf = (one: Funded): ReadonlyMap<string, number> =>
  new Map(rowsOf(one).map(({ lineId, activity }) => [lineId, activity]))

const averageSpent = (
  earlier: readonly ReadonlyMap<string, number>[],
  lineId: string,
  { periods }: { periods: number },
): number =>
  averageOf(
    earlier.slice(-periods).map((activity) => 0 - (activity.get(lineId) ?? 0)),
    periods,
    { floorAtZero: true },
  )

/** The periods left until the occurrence that counts in a period; undefined where that is beyond the calendar. */
function occurrenceIn(
  target: Extract<Target, { type: 'byDate' }>,
  rule: PeriodRule,
  period: Period,
): number | undefined {
  try {
    return periodsLeft(target, rule, period)
  } catch (error) {
    if (error instanceof AppError && error.code === 'calendar.outOfRange') {
      return undefined
    }
    throw error
  }
}
