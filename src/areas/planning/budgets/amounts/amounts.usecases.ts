import { parseMoney } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { budgetEvents } from '../budgets.events.ts'
import { modeError, ownerOf } from '../budgets.rules.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { appliedEvent } from '../templates/applying.usecases.ts'
import {
  type PackedTemplate,
  templateById,
  unpackTemplate,
} from '../templates/templates.queries.ts'
import type { StoredTemplate } from '../templates/templates.rules.ts'
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
  changeAmountsInto,
} from './changes.usecases.ts'
import {
  type AmountItem,
  type AssignMethod,
  type AssignMode,
  assignedItems,
  periodsBack,
  type AssignedItems,
} from './assigning.rules.ts'

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
export interface FoundLinePeriod {
  found: FoundPeriod
  lineId: string
}

export async function setAllocation(
  ctx: SignedIn,
  budgetId: string,
  { period, lineId }: { period: string; lineId: string },
  input: AllocationInput,
): Promise<FoundLinePeriod> {
  const { after } = await changeAmounts(ctx, budgetId, period, (seen) =>
    allocationOf(seen, [{ ...input, lineId, field: '' }]),
  )
  return { found: after, lineId }
}

type Item = AllocationInput & {
  lineId: string
  /** The prefix of its field names. */
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

interface AssignInput {
  method: AssignMethod['method']
  periods?: 3 | 6 | 12 | undefined
  templateId?: string | undefined
  lineIds?: string[] | undefined
  mode?: AssignMode | undefined
  keep?: boolean | undefined
  dryRun?: boolean | undefined
}

/** Assigns money to lines by a method, or says what it would assign. */
export async function assignMoney(
  ctx: SignedIn,
  budgetId: string,
  period: string,
  { mode = 'set', keep = false, dryRun = false, lineIds, ...sent }: AssignInput,
): Promise<AssignedItems> {
  const back = periodsBack(methodOf(sent, undefined))
  const { templateId } = sent
  let items: AmountItem[] = []
  return changeAmountsInto(
    ctx,
    budgetId,
    {
      ...{ period, back },
      beside:
        templateId === undefined ? nothing<PackedTemplate>() : templateById(budgetId, templateId),
    },
    (seen, [packed]): AmountsChange => {
      const template = packed && unpackTemplate(packed)
      if (templateId !== undefined && !template) {
        throw budgetErrors.unknownTemplate({ field: 'templateId' })
      }
      const how = methodOf(sent, template)
      const found = requireEnvelope(seen.before, 'Assigning money')
      const { index } = seen.period
      const earlier =
        seen.figures.mode === 'envelope'
          ? seen.figures.periods.filter((one) => one.period.index < index).slice(-back)
          : []
      items = assignedItems(how, { found, earlier, mode, keep, lineIds })
      const kind = MOVEMENT_KIND_OF[how.method] ?? 'auto'
      const moves = items.flatMap((one) => assignMoves(one.lineId, one.after - one.before))
      const events = () =>
        template ? [appliedEvent(seen, template, items)] : assignedEvents(seen, { kind, moves })
      return { moves, kind, events }
    },
    {
      dryRun,
      resultOf: ({ after }) => {
        const { budget, of } = requireEnvelope(after, 'Assigning money')
        return { budget, items, toBeBudgeted: of.figures.toBeBudgeted }
      },
    },
  )
}

const MOVEMENT_KIND_OF: Partial<Record<AssignMethod['method'], 'cover' | 'template'>> = {
  cover: 'cover',
  template: 'template',
}

/** The schema of the request has seen to it that what the method needs is there. */
function methodOf(
  { method, periods }: AssignInput,
  template: StoredTemplate | undefined,
): AssignMethod {
  if (method === 'template') {
    return { method, items: template?.items ?? [] }
  }
  return method === 'averageAssigned' || method === 'averageSpent'
    ? { method, periods: periods ?? 3 }
    : { method }
}
