import { add } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { DomainEvent } from '../../../../platform/log/events.ts'
import { assignMoves } from '../amounts/changes.rules.ts'
import {
  type AmountsChange,
  changeAmountsInto,
  type SeenAmounts,
} from '../amounts/changes.usecases.ts'
import {
  type AmountItem,
  type AssignMode,
  amountsOf,
  assignedItems,
  type AssignedItems,
} from '../amounts/assigning.rules.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetEvents } from '../budgets.events.ts'
import { ownerOf } from '../budgets.rules.ts'
import { templateById, unpackTemplate } from './templates.queries.ts'
import type { StoredTemplate } from './templates.rules.ts'

/**
 * Puts the amounts of a template into a period: they are assigned, or become the limits there. Lines that are not in the period
 * are left out.
 */
export async function applyBudgetTemplate(
  ctx: SignedIn,
  budgetId: string,
  templateId: string,
  {
    period,
    mode = 'set',
    dryRun = false,
  }: { period: string; mode?: AssignMode | undefined; dryRun?: boolean | undefined },
): Promise<AssignedItems> {
  let items: AmountItem[] = []
  return changeAmountsInto(
    ctx,
    budgetId,
    { period, field: 'period', beside: templateById(budgetId, templateId) },
    (seen, [packed]): AmountsChange => {
      if (!packed) {
        throw budgetErrors.templateNotFound()
      }
      const template = unpackTemplate(packed)
      items = changesOf(seen, template, mode)
      return {
        kind: 'template',
        ...(seen.before.mode === 'limit'
          ? { limits: new Map(items.map((one) => [one.lineId, one.after])) }
          : { moves: items.flatMap((one) => assignMoves(one.lineId, one.after - one.before)) }),
        events: () => [appliedEvent(seen, template, items)],
      }
    },
    {
      dryRun,
      resultOf: ({ after }) => ({
        ...{ budget: after.budget, items },
        toBeBudgeted: after.mode === 'envelope' ? after.of.figures.toBeBudgeted : null,
      }),
    },
  )
}

function changesOf(
  { before: found }: SeenAmounts,
  { items }: StoredTemplate,
  mode: AssignMode,
): AmountItem[] {
  if (found.mode === 'envelope') {
    return assignedItems({ method: 'template', items }, { found, earlier: [], mode, keep: false })
  }
  const amounts = amountsOf(items)
  return found.of.figures.lines.flatMap(({ lineId, amount: before }) => {
    const amount = amounts.get(lineId)
    const after = amount === undefined ? before : add(mode === 'add' ? before : 0, amount)
    return after === before ? [] : [{ lineId, before, after }]
  })
}

/** Makes the event of a template that was applied. */
export const appliedEvent = (
  { facts: { budget }, period: { nominal } }: SeenAmounts,
  { id }: StoredTemplate,
  items: readonly AmountItem[],
): DomainEvent =>
  budgetEvents.templateApplied(
    { id: budget.id, ...ownerOf(budget) },
    {
      templateId: id,
      period: nominal,
      before: Object.fromEntries(items.map(({ lineId, before }) => [lineId, before])),
      after: Object.fromEntries(items.map(({ lineId, after }) => [lineId, after])),
    },
  )
