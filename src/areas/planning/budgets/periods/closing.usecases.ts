import { periodAt } from '../../../../domain/budgets/periods.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database/database.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetEvents } from '../budgets.events.ts'
import { mustChange } from '../budgets.queries.ts'
import {
  firstOpenIndex,
  managingRole,
  ownerOf,
  requireManage,
  ruleOf,
  todayIn,
  type BudgetRow,
} from '../budgets.rules.ts'
import { tasksAfter } from '../checkpoints/checkpoints.usecases.ts'
import { figuresOf, readFigures } from '../figures/figures.usecases.ts'
import { ensureLine } from '../lines/lines.queries.ts'
import {
  raisePeriod,
  deleteClosing,
  insertClosing,
  mustBeUnchangedBudget,
  mustBeSharedAsRead,
} from './periods.queries.ts'
import type { FoundPeriod } from './periods.rules.ts'
import { foundPeriod } from './periods.usecases.ts'

/**
 * Freezes the oldest open period, once it has ended: its figures and what it carries are stored.
 * @throws budgets.notOldestOpen, budgets.notEnded
 */
export async function closeBudgetPeriod(
  ctx: SignedIn,
  budgetId: string,
  named: string,
): Promise<FoundPeriod> {
  const found = await readFigures(ctx, budgetId, { from: named })
  const before = foundPeriod(found, found.from.index)
  const { budget, version, of } = before
  requireManage(ctx, budget)
  requireOldestOpen(ctx, budget, before)
  const { nominal } = of.period
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget, managingRole(ctx, budget)),
          mustBeUnchangedBudget(budget, found.facts.lines),
          mustBeSharedAsRead(budget),
          // The image names them, so they have to be there under these ids wherever it is restored.
          ...found.facts.lines.filter(({ kind }) => kind === 'cardPayment').map(ensureLine),
          ...raisePeriod({ budgetId, period: nominal, version }),
          insertClosing({
            budgetId,
            period: nominal,
            image: closingOf(before),
            closedBy: ctx.caller.userId,
            closedAt: ctx.now,
          }),
        ],
        events: [
          budgetEvents.periodClosed(
            { id: budgetId, ...ownerOf(budget) },
            { period: nominal, before: { state: 'open' }, after: { state: 'closed' } },
          ),
        ],
      },
    ],
    tasks: tasksAfter(ctx, found, found.from.index),
    result: closed(before),
  })
}

function closed(found: FoundPeriod): FoundPeriod {
  const version = found.version + 1
  const kept = { isClosed: true, outsideCategories: [] }
  return found.mode === 'envelope'
    ? { ...found, version, of: { ...found.of, ...kept } }
    : { ...found, version, of: { ...found.of, ...kept } }
}

function requireOldestOpen(ctx: SignedIn, budget: BudgetRow, { of: { period } }: FoundPeriod) {
  const oldest = firstOpenIndex(budget)
  if (period.index !== oldest) {
    throw budgetErrors.notOldestOpen({ period: periodAt(ruleOf(budget), oldest).nominal })
  }
  if (period.end >= todayIn(ctx, budget)) {
    throw budgetErrors.notEnded({ end: period.end })
  }
}

/** Returns the content of a closing, without anything that later periods decide. */
function closingOf(found: FoundPeriod): string {
  const { sums, after } = found.of
  if (found.mode === 'limit') {
    return JSON.stringify({ figures: found.of.figures, sums, after })
  }
  const { assignedAhead: _ahead, free: _free, ...figures } = found.of.figures
  return JSON.stringify({ figures, sums, after })
}

/**
 * Opens the newest closed period again: everything in it is live from then on.
 * @throws budgets.notNewestClosed
 */
export async function reopenBudgetPeriod(
  ctx: SignedIn,
  budgetId: string,
  named: string,
  reason: string,
): Promise<FoundPeriod> {
  const found = await readFigures(ctx, budgetId, { from: named })
  const { facts, from } = found
  const { budget } = facts
  requireManage(ctx, budget)
  if (from.nominal !== budget.closedThrough) {
    const newest =
      budget.closedThrough === null ? 'This budget has none' : `It is ${budget.closedThrough}`
    throw budgetErrors.notNewestClosed({ newest })
  }
  const closings = facts.closings.filter(({ period }) => period !== from.nominal)
  const live = { ...facts, closings }
  const after = foundPeriod(
    { ...found, facts: live, figures: figuresOf(ctx, live, from.index) },
    from.index,
  )
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget, managingRole(ctx, budget)),
          mustBeUnchangedBudget(budget, facts.lines),
          ...raisePeriod({ budgetId, period: from.nominal, version: after.version }),
          ...deleteClosing(budgetId, from.nominal),
        ],
        events: [
          budgetEvents.periodReopened(
            { id: budgetId, ...ownerOf(budget) },
            { period: from.nominal, reason, before: { state: 'closed' }, after: { state: 'open' } },
          ),
        ],
      },
    ],
    tasks: tasksAfter(ctx, found, found.from.index),
    result: { ...after, version: after.version + 1 },
  })
}
