import { sum } from '../money.ts'
import type { LineSums } from './conversion.ts'
import { totalOf } from './counting.ts'
import { type Outside, outsideOf } from './flows.ts'
import {
  addSums,
  carriesOver,
  fromSums,
  type CarryPolicy,
  type StoredSums,
  subtractSums,
  sumsToClose,
} from './policies.ts'

/** A line in one period. */
export interface LimitLine {
  id: string
  policy: CarryPolicy
  /** The most surplus that is carried; null for no limit. */
  capMinor: number | null
  amountMinor: number
}

export interface LimitLineFigures {
  lineId: string
  carriedIn: number
  amount: number
  total: number
  spent: number
  /** The part of `spent` that was booked into closed periods after their closing. */
  lateSpent: number
  remaining: number
}

export interface LimitFigures {
  amount: number
  spent: number
  remaining: number
  income: number
  pending: number
  outside: Outside
  lines: LimitLineFigures[]
}

/** The amounts that one period hands to the next one. */
export interface LimitState {
  carried: Record<string, number>
  /** The amounts that were booked into closed periods after their closing, by key. */
  late: StoredSums
}

/** A period as it was worked out. Closing the period stores it. */
export interface LimitClosing {
  figures: LimitFigures
  /** Everything that was counted, late amounts included. */
  sums: StoredSums
  after: LimitState
}

export interface LimitPeriodInput {
  /** With the sign of `activity`. */
  sums: LineSums
  lines: readonly LimitLine[]
  /** The lines that the totals add up. They share nothing, unless they are by category: then each category counts once. */
  topLines: readonly string[]
  isByCategory: boolean
  /** The stored period, if it is closed. */
  closing?: LimitClosing | undefined
}

export const FIRST_LIMIT_STATE: LimitState = { carried: {}, late: {} }

/** Works out one period from what the period before it carries. */
export function foldLimits(before: LimitState, input: LimitPeriodInput): LimitClosing {
  const { sums: live, lines, closing } = input
  if (closing) {
    const late = addSums(before.late, subtractSums(live, closing.sums))
    return { ...closing, after: { ...closing.after, late: fromSums(late) } }
  }
  const sums = addSums(before.late, live)
  const folded = lines.map((line) => {
    const row = limitRow(line, before, sums)
    return { row, carried: carriedOut(line, row.remaining) }
  })
  const rows = folded.map(({ row }) => row)
  return {
    figures: { ...totals(rows, input, sums), lines: rows },
    sums: sumsToClose(sums),
    after: {
      carried: Object.fromEntries(folded.map(({ row, carried }) => [row.lineId, carried])),
      late: {},
    },
  }
}

const spentOf = (sums: LineSums, key: string): number => 0 - (sums.get(key) ?? 0)

function limitRow(
  { id, amountMinor }: LimitLine,
  before: LimitState,
  sums: LineSums,
): LimitLineFigures {
  const carriedIn = before.carried[id] ?? 0
  const total = sum([amountMinor, carriedIn])
  const spent = spentOf(sums, id)
  return {
    lineId: id,
    carriedIn,
    amount: amountMinor,
    total,
    spent,
    lateSpent: 0 - (before.late[id] ?? 0),
    remaining: sum([total, -spent]),
  }
}

function totals(
  rows: readonly LimitLineFigures[],
  { topLines, isByCategory }: LimitPeriodInput,
  sums: LineSums,
): Omit<LimitFigures, 'lines'> {
  const added = rows.filter(({ lineId }) => topLines.includes(lineId))
  const spent = sum(
    isByCategory
      ? rows.map(({ lineId }) => spentOf(sums, totalOf(lineId)))
      : added.map((row) => row.spent),
  )
  return {
    amount: sum(added.map(({ amount }) => amount)),
    spent,
    remaining: sum([...added.map(({ total }) => total), -spent]),
    income: sums.get('income') ?? 0,
    pending: spentOf(sums, 'pending'),
    outside: outsideOf((name) => spentOf(sums, name)),
  }
}

function carriedOut({ policy, capMinor }: LimitLine, remaining: number): number {
  if (!carriesOver(policy, remaining)) {
    return 0
  }
  return capMinor === null ? remaining : Math.min(remaining, capMinor)
}
