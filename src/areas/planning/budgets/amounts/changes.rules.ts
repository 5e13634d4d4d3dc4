import { addMonths } from '../../../../domain/calendar.ts'
import type { EnvelopeLineFigures } from '../../../../domain/budgets/envelopes.ts'
import type { Period } from '../../../../domain/budgets/periods.ts'
import { add, formatMoney } from '../../../../domain/money.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { type BudgetRow, modeError } from '../budgets.rules.ts'
import type { BudgetFacts } from '../figures/figures.rules.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'

/** A movement as it is stored. */
export interface StoredMovement {
  id: string
  budgetId: string
  /** Nominal start. */
  period: string
  /** Null is the pool. */
  fromLineId: string | null
  toLineId: string | null
  amountMinor: number
  kind: 'assign' | 'move' | 'cover' | 'auto' | 'template' | 'undo'
  note: string | null
  actorId: string
  createdAt: number
  /** The movement that undid this one. */
  undoneBy: string | null
}

/** Money that goes from a line to another one in a period. Null is the pool. */
export interface MoneyMove {
  from: string | null
  to: string | null
  /** More than nothing. */
  minor: number
}

/** The amounts of a period that somebody changes. */
export interface AmountsDecision {
  /** The moves of an envelope budget. */
  moves?: readonly MoneyMove[]
  /** The new sum that an envelope budget holds back. */
  heldMinor?: number | undefined
  /** The limits of a limit budget's period by line; null for the limit of the line. */
  limits?: ReadonlyMap<string, number | null>
}

/** The move that changes what a line is assigned by this much; none where that is nothing. */
export const assignMoves = (lineId: string, deltaMinor: number): MoneyMove[] =>
  deltaMinor === 0
    ? []
    : [
        deltaMinor > 0
          ? { from: null, to: lineId, minor: deltaMinor }
          : { from: lineId, to: null, minor: -deltaMinor },
      ]

/** Returns the change of the assigned amounts that moves make, by line. */
export function deltasOf(moves: readonly MoneyMove[]): Map<string, number> {
  const deltas = new Map<string, number>()
  const change = (lineId: string | null, minor: number) => {
    if (lineId !== null) {
      deltas.set(lineId, add(deltas.get(lineId) ?? 0, minor))
    }
  }
  for (const { from, to, minor } of moves) {
    change(from, -minor)
    change(to, minor)
  }
  return deltas
}

export const changesNothing = ({ moves = [], heldMinor, limits }: AmountsDecision): boolean =>
  moves.length === 0 && heldMinor === undefined && (limits?.size ?? 0) === 0

/** The facts of a budget as they are once amounts of a period are changed. */
export function withDecision(
  facts: BudgetFacts,
  nominal: string,
  decision: AmountsDecision,
): BudgetFacts {
  if (changesNothing(decision)) {
    return facts
  }
  const { moves = [], limits = new Map<string, number | null>(), heldMinor } = decision
  const deltas = deltasOf(moves)
  const isChanged = (lineId: string) => deltas.has(lineId) || limits.has(lineId)
  const of = new Map(
    facts.amounts.filter(({ period }) => period === nominal).map((row) => [row.lineId, row]),
  )
  const changed = [...new Set([...deltas.keys(), ...limits.keys()])].map((lineId) => {
    const before = of.get(lineId)
    const limit = limits.get(lineId)
    return {
      period: nominal,
      lineId,
      note: before?.note ?? null,
      amountMinor:
        limit === undefined ? add(before?.amountMinor ?? 0, deltas.get(lineId) ?? 0) : limit,
    }
  })
  const decided = facts.periods.find(({ period }) => period === nominal)
  return {
    ...facts,
    amounts: [
      ...facts.amounts.filter(({ period, lineId }) => period !== nominal || !isChanged(lineId)),
      ...changed,
    ],
    periods: [
      ...facts.periods.filter(({ period }) => period !== nominal),
      {
        period: nominal,
        note: decided?.note ?? null,
        version: (decided?.version ?? 1) + 1,
        heldMinor: heldMinor ?? decided?.heldMinor ?? 0,
      },
    ],
  }
}

export type EnvelopePeriodFound = Extract<FoundPeriod, { mode: 'envelope' }>

/** Refuses a budget of limits. */
export function requireEnvelope(
  found: FoundPeriod,
  feature: string,
  field?: string,
): EnvelopePeriodFound {
  if (found.mode !== 'envelope') {
    throw modeError(found, feature, field)
  }
  return found
}

/** The row of a line in a period of an envelope budget. */
export function envelopeRowOf(
  { of: { figures } }: EnvelopePeriodFound,
  lineId: string,
): EnvelopeLineFigures {
  const row = [...figures.lines, ...figures.payments].find((one) => one.lineId === lineId)
  if (!row) {
    throw budgetErrors.lineNotFound()
  }
  return row
}

/**
 * Refuses a line that is not there in the period.
 * @param field of the request that names it, if the path does not
 */
export function requireLineIn(found: FoundPeriod, lineId: string, field?: string): void {
  const rows: readonly { lineId: string }[] =
    found.mode === 'envelope'
      ? [...found.of.figures.lines, ...found.of.figures.payments]
      : found.of.figures.lines
  if (!found.lines.some(({ id }) => id === lineId) || !rows.some((row) => row.lineId === lineId)) {
    throw field === undefined ? budgetErrors.lineNotFound() : budgetErrors.unknownLine({ field })
  }
}

/** Returns the amount available in a line in a period; null stands for the pool. */
export const availableIn = (found: EnvelopePeriodFound, lineId: string | null): number =>
  lineId === null ? found.of.figures.toBeBudgeted : envelopeRowOf(found, lineId).available

/**
 * Refuses to take more from a line, or from the pool, than it has.
 * @param held what is held back already and can be taken, too
 */
export function requireEnough(
  found: EnvelopePeriodFound,
  lineId: string | null,
  minor: number,
  held = 0,
): void {
  const available = availableIn(found, lineId) + held
  if (available < minor) {
    const { currency } = found.budget
    const line = found.lines.find(({ id }) => id === lineId)
    throw budgetErrors.notEnough({
      source: line
        ? `The line “${line.name}”`
        : held > 0
          ? 'The pool, with what is held already,'
          : 'The pool',
      available: formatMoney(available, currency),
      currency,
    })
  }
}

/** Refuses what makes the pool of a strict budget negative, in this period or in a later one. */
export function requirePool(before: FoundPeriod, after: FoundPeriod): void {
  if (before.mode !== 'envelope' || after.mode !== 'envelope' || !after.budget.strict) {
    return
  }
  const { free } = after.of.figures
  if (free < 0 && free < before.of.figures.free) {
    throw budgetErrors.overAssigned()
  }
}

const MOST_YEARS_AHEAD = 10

/** Refuses a period that is too far ahead for amounts. */
export function requireNear({ start }: Period, today: string): void {
  if (start > addMonths(today, 12 * MOST_YEARS_AHEAD)) {
    throw budgetErrors.tooMany({
      what: `Amounts can be set at most ${MOST_YEARS_AHEAD} years ahead. Choose an earlier period`,
    })
  }
}

/** The budget as it was read, for what a commit asserts. */
export interface SeenDecisions {
  budget: Pick<BudgetRow, 'id' | 'version'>
  /** The checkpoint that figures were worked out from. */
  checkpointPeriod: string | undefined
  /** Sum of the versions of all periods after it. */
  versions: number
}

export const seenDecisions = ({ budget, checkpoint, periods }: BudgetFacts): SeenDecisions => ({
  budget,
  checkpointPeriod: checkpoint?.period,
  versions: periods.reduce((all, { version }) => all + version, 0),
})
