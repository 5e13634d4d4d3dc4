import type { Period } from '../../../../domain/budgets/periods.ts'
import { AppError } from '../../../../domain/errors.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, requireVersion } from '../../../../platform/database/database.ts'
import { type DomainEvent, withoutEvents } from '../../../../platform/log/events.ts'
import { nothing, type Statement } from '../../../../platform/database/statements.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetEvents } from '../budgets.events.ts'
import { mustChange } from '../budgets.queries.ts'
import { requireOpenPeriod, requireWrite, ownerOf } from '../budgets.rules.ts'
import { tasksAfter } from '../checkpoints/checkpoints.usecases.ts'
import type { BudgetFacts } from '../figures/figures.rules.ts'
import type { BudgetFigures } from '../figures/envelopes.rules.ts'
import {
  figuresOf,
  type FoundFigures,
  readFigures,
  readFiguresWith,
  withinRange,
} from '../figures/figures.usecases.ts'
import { ensureLine } from '../lines/lines.queries.ts'
import { raisePeriod } from '../periods/periods.queries.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import { foundPeriod } from '../periods/periods.usecases.ts'
import {
  addToAmounts,
  amountsChangedMeanwhile,
  insertMovements,
  mustBeAsSeen,
  mustBeOpen,
  mustHaveLines,
  setHeld,
  setLimits,
} from './changes.queries.ts'
import {
  type AmountsDecision,
  changesNothing,
  deltasOf,
  requireNear,
  requirePool,
  seenDecisions,
  type StoredMovement,
  withDecision,
} from './changes.rules.ts'

/** A budget as it was read, with the period whose amounts somebody changes. */
export interface SeenAmounts {
  facts: BudgetFacts
  period: Period
  before: FoundPeriod
  /** All periods that were worked out: the ones before it, as far as they were asked for, and later ones. */
  figures: BudgetFigures
  /** So many periods before it were asked for. */
  back: number
}

/** The result of a change of amounts. */
export interface AmountsMade {
  before: FoundPeriod
  after: FoundPeriod
  movements: StoredMovement[]
}

export interface AmountsChange extends AmountsDecision {
  /** The kind of the movements. */
  kind: StoredMovement['kind']
  note?: string | null | undefined
  /** Refuses what the period must not become. */
  check?: (after: FoundPeriod) => void
  /** More statements of the same commit. They stand behind those of the amounts. */
  statements?: (made: AmountsMade) => Statement[]
  /** Returns the events of the change; there are none if nothing changes. */
  events: (made: AmountsMade) => DomainEvent[]
}

interface Storing<Result> {
  /** To store nothing. */
  dryRun?: boolean
  /** Returns the data for the answer. */
  resultOf: (made: AmountsMade) => Result
}

/**
 * Changes amounts of an open period: reads the budget, decides, checks what the period would become, and stores the change
 * with its movements. Two trips. When somebody else decided meanwhile, it reads and decides once more.
 * @param decide it may run twice
 * @throws budgets.changedMeanwhile when that happens again
 */
export const changeAmounts = (
  ctx: SignedIn,
  budgetId: string,
  named: string,
  decide: (seen: SeenAmounts) => AmountsChange,
): Promise<AmountsMade> =>
  twice(async () => {
    const seen = seenAmounts(ctx, await readFigures(ctx, budgetId, { from: named }))
    return storeAmounts(ctx, seen, decide(seen), { resultOf: (made) => made })
  })

/** Like `changeAmounts`, with another answer, which the commit keeps for the Idempotency-Key. */
export const changeAmountsInto = <Result, Row>(
  ctx: SignedIn,
  budgetId: string,
  named: NamedPeriod<Row>,
  decide: (seen: SeenAmounts, rows: Row[]) => AmountsChange,
  storing: Storing<Result>,
): Promise<Result> =>
  twice(async () => {
    const { back = 0, field, beside = nothing<Row>() } = named
    const span = { from: named.period, back, field }
    const [found, rows] = await readFiguresWith(ctx, budgetId, span, beside)
    const seen = seenAmounts(ctx, found, back)
    return storeAmounts(ctx, seen, decide(seen, rows), storing)
  })

interface NamedPeriod<Row> {
  period: string
  /** So many periods before it are worked out, too. */
  back?: number
  /** The field of the body that names it, if the path does not. */
  field?: string
  /** Finds something else in the same trip. */
  beside?: Statement<Row[]>
}

/** Runs what checks and changes amounts, and once more when somebody else changed them in between. */
export async function twice<Result>(attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof AppError && error.code === budgetErrors.changedMeanwhile().code) {
      return attempt()
    }
    throw error
  }
}

/** A budget that was read for a change of amounts in a period, which the caller must be allowed to make. */
export function seenAmounts(ctx: SignedIn, found: FoundFigures, back = 0): SeenAmounts {
  const { facts, from: period } = found
  const before = foundPeriod(found, period.index)
  requireWrite(ctx, facts.budget)
  requireVersion(ctx, before.version)
  requireOpenPeriod(facts.budget, period)
  requireNear(period, facts.today)
  return { facts, period, before, figures: found.figures, back }
}

/** The period as it is after a change that is not stored. */
export function afterDecision(
  ctx: SignedIn,
  { facts, period, before }: SeenAmounts,
  decision: AmountsDecision,
): FoundPeriod {
  if (changesNothing(decision)) {
    return before
  }
  return withinRange(() => {
    const changed = withDecision(facts, period.nominal, decision)
    const figures = figuresOf(ctx, changed, period.index)
    return foundPeriod({ facts: changed, figures, from: period, to: period }, period.index)
  })
}

/** Makes an event for each line that was assigned another amount or given another limit. */
export const assignedEvents = (
  { facts, period: { nominal } }: SeenAmounts,
  { kind, moves = [], limits = new Map() }: Pick<AmountsChange, 'kind' | 'moves' | 'limits'>,
): DomainEvent[] => {
  const of = new Map(
    facts.amounts
      .filter(({ period }) => period === nominal)
      .map(({ lineId, amountMinor }) => [lineId, amountMinor]),
  )
  const assigned = [...deltasOf(moves)].map(
    ([lineId, delta]) => [lineId, (of.get(lineId) ?? 0) + delta] as const,
  )
  return [...assigned, ...limits].map(([lineId, amountMinor]) =>
    budgetEvents.assigned(
      { id: facts.budget.id, ...ownerOf(facts.budget) },
      {
        ...{ period: nominal, lineId, kind },
        before: { amountMinor: of.get(lineId) ?? null },
        after: { amountMinor },
      },
    ),
  )
}

/** Stores a change with its movements, if nobody decided since the budget was read. */
export async function storeAmounts<Result>(
  ctx: SignedIn,
  seen: SeenAmounts,
  change: AmountsChange,
  { dryRun = false, resultOf }: Storing<Result>,
): Promise<Result> {
  const { before, facts, period } = seen
  const after = afterDecision(ctx, seen, change)
  change.check?.(after)
  requirePool(before, after)
  const { moves = [], kind, note = null } = change
  const movements = moves.map(({ from, to, minor }): StoredMovement => ({
    id: freshId(ctx, 'bmv'),
    budgetId: facts.budget.id,
    period: period.nominal,
    fromLineId: from,
    toLineId: to,
    amountMinor: minor,
    kind,
    note,
    actorId: ctx.caller.userId,
    createdAt: ctx.now,
    undoneBy: null,
  }))
  const made = { before, after, movements }
  const changes =
    dryRun || changesNothing(change)
      ? // The version that a caller names must hold even then.
        [withoutEvents([...mustChange(ctx, facts.budget), mustBeAsSeen(seenDecisions(facts))])]
      : [
          {
            statements: [
              ...mustChange(ctx, facts.budget),
              ...amountStatements(seen, change, movements),
              ...(change.statements?.(made) ?? []),
            ],
            events: change.events(made),
          },
        ]
  return commit(ctx, {
    changes,
    tasks: dryRun ? [] : tasksAfter(ctx, seen, period.index - seen.back),
    result: resultOf(made),
  })
}

function amountStatements(
  { facts, period: { nominal }, before }: SeenAmounts,
  { moves = [], limits = new Map<string, number | null>(), heldMinor }: AmountsDecision,
  movements: readonly StoredMovement[],
): Statement[] {
  const period = { budgetId: facts.budget.id, period: nominal, version: before.version }
  const deltas = deltasOf(moves)
  const lineIds = [...deltas.keys(), ...limits.keys()]
  const payments = facts.lines.filter(
    ({ id, kind }) => kind === 'cardPayment' && lineIds.includes(id),
  )
  return [
    mustBeAsSeen(seenDecisions(facts)),
    mustBeOpen(period),
    ...payments.map(ensureLine),
    ...(lineIds.length === 0 ? [] : [mustHaveLines(period, lineIds)]),
    ...raisePeriod(period, amountsChangedMeanwhile),
    ...(deltas.size === 0 ? [] : [addToAmounts(period, deltas)]),
    ...(limits.size === 0 ? [] : [setLimits(period, limits)]),
    ...(heldMinor === undefined ? [] : [setHeld(period, heldMinor)]),
    ...(movements.length === 0 ? [] : [insertMovements(movements)]),
  ]
}
