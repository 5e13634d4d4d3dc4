import { parseMoney } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { budgetEvents } from '../budgets.events.ts'
import { modeError, ownerOf } from '../budgets.rules.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import {
  assignMoves,
  envelopeRowOf,
  requireEnough,
  requireEnvelope,
  requireLineIn,
} from './changes.rules.ts'
import {
  type AmountsChange,
  assignedEvents,
  changeAmounts,
  type SeenAmounts,
} from './changes.usecases.ts'

/** The amount to set: `assigned` for an envelope, `amount` for a limit, where null stands for the amount of the line. */
interface AllocationInput {
  assigned?: string | undefined
  amount?: string | null | undefined
}

/** Sets what lines are assigned in a period, or their limits in it. */
export async function setAllocations(
  ctx: SignedIn,
  budgetId: string,
  period: string,
  items: readonly (AllocationInput & { lineId: string })[],
): Promise<FoundPeriod> {
  const { after } = await changeAmounts(ctx, budgetId, period, (seen) =>
    allocationOf(
      seen,
      items.map((item, at) => ({ ...item, field: `items.${at}.` })),
    ),
  )
  return after
}

/** A line with a period that shows it. */
export interface FoundRow {
  found: FoundPeriod
  lineId: string
}

export async function setAllocation(
  ctx: SignedIn,
  budgetId: string,
  { period, lineId }: { period: string; lineId: string },
  input: AllocationInput,
): Promise<FoundRow> {
  const { after } = await changeAmounts(ctx, budgetId, period, (seen) =>
    allocationOf(seen, [{ ...input, lineId, field: '' }]),
  )
  return { found: after, lineId }
}

type Item = AllocationInput & {
  lineId: string
  /** What the names of its fields begin with. */
  field: string
}

function allocationOf(seen: SeenAmounts, items: readonly Item[]): AmountsChange {
  for (const { lineId, field } of items) {
    requireLineIn(seen.before, lineId, field === '' ? undefined : `${field}lineId`)
  }
  const { mode } = seen.before
  const wrong = mode === 'limit' ? 'assigned' : 'amount'
  for (const item of items) {
    if (item[wrong] !== undefined) {
      throw modeError({ mode }, `\`${wrong}\``, `${item.field}${wrong}`)
    }
  }
  const change =
    mode === 'limit' ? { limits: limitsOf(seen, items) } : { moves: movesOf(seen, items) }
  return {
    ...change,
    kind: 'assign',
    events: () => assignedEvents(seen, { ...change, kind: 'assign' }),
  }
}

function movesOf(seen: SeenAmounts, items: readonly Item[]) {
  const before = requireEnvelope(seen.before, 'Assigning money')
  const { currency } = before.budget
  return items.flatMap(({ lineId, assigned = '0', field }) => {
    const minor = parseMoney(assigned, currency, { signed: true, field: `${field}assigned` })
    return assignMoves(lineId, minor - envelopeRowOf(before, lineId).assigned)
  })
}

function limitsOf({ facts, period }: SeenAmounts, items: readonly Item[]) {
  const of = new Map(
    facts.amounts
      .filter((row) => row.period === period.nominal)
      .map(({ lineId, amountMinor }) => [lineId, amountMinor]),
  )
  const wanted = items.map(({ lineId, amount = null, field }) => {
    const minor =
      amount === null
        ? null
        : parseMoney(amount, facts.budget.currency, { field: `${field}amount` })
    return [lineId, minor] as const
  })
  return new Map(wanted.filter(([lineId, minor]) => (of.get(lineId) ?? null) !== minor))
}

/** Keeps money of the pool back for the next period. */
export async function holdMoney(
  ctx: SignedIn,
  budgetId: string,
  period: string,
  { amount, allowNegative = false }: { amount: string; allowNegative?: boolean | undefined },
): Promise<FoundPeriod> {
  const { after } = await changeAmounts(ctx, budgetId, period, (seen) => {
    const { budget } = seen.facts
    const before = requireEnvelope(seen.before, 'Holding money')
    const wanted = parseMoney(amount, budget.currency, { field: 'amount' })
    const { held } = before.of.figures
    if (!allowNegative && wanted > held) {
      requireEnough(before, null, wanted, held)
    }
    return {
      kind: 'assign',
      heldMinor: wanted === held ? undefined : wanted,
      events: () => [
        budgetEvents.held(
          { id: budget.id, ...ownerOf(budget) },
          {
            period: seen.period.nominal,
            before: { heldMinor: held },
            after: { heldMinor: wanted },
          },
        ),
      ],
    }
  })
  return after
}
