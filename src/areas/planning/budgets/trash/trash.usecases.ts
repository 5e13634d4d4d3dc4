import { dateInZone } from '../../../../domain/calendar.ts'
import { trashErrors } from '../../../../domain/owned-data.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { changedInTrash, type TrashedKind } from '../../../../platform/owned-data/owned-data.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetEvents } from '../budgets.events.ts'
import { budgetById, mustBeInGroup, mustChange, mustHaveRoomForBudget } from '../budgets.queries.ts'
import { storedOf } from '../budget-input.rules.ts'
import {
  currentPeriod,
  existingBudget,
  managingRole,
  ownerOf,
  requireManage,
  requireOwnerOrGroup,
  type BudgetRow,
} from '../budgets.rules.ts'
import { requireFewSteps, walkOf } from '../figures/figures.rules.ts'
import { factsFrom, furtherFacts } from '../figures/figures.usecases.ts'
import {
  eraseTrashedBudget,
  restoreBudget,
  trashBudget,
  trashedBudgetById,
} from './trash.queries.ts'
import { isInOwnTrash, requireCreatable, requireCreatableLines } from './trash.rules.ts'

/** Puts a budget in the trash: that of its owner, or of the owner of its group. */
export async function deleteBudget(
  ctx: SignedIn,
  id: string,
): Promise<{ id: string; isOwn: boolean }> {
  const [[found]] = await read(ctx, budgetById(ctx, id))
  const budget = existingBudget(found)
  requireManage(ctx, budget)
  requireOwnerOrGroup(ctx, budget)
  requireVersion(ctx, budget.version)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget, managingRole(ctx, budget)),
          ...trashBudget(ctx, budget, changedMeanwhile),
        ],
        events: [
          budgetEvents.deleted(
            { id, version: budget.version + 1, ...ownerOf(budget) },
            { before: storedOf(budget) },
          ),
        ],
      },
    ],
    result: { id, isOwn: isInOwnTrash(ctx, budget) },
  })
}

/** A budget comes back with all that was decided about it. */
export const trashedBudget: TrashedKind = {
  restore: async (ctx, id) => {
    const today = dateInZone(ctx.now, 'UTC')
    const [[found], ...further] = await read(
      ctx,
      trashedBudgetById(ctx, id),
      ...furtherFacts(ctx, id, { from: today, to: today }),
    )
    const budget = existingInTrash(found)
    if (budget.isSuspended === 1) {
      throw budgetErrors.groupSuspended()
    }
    requireCreatable(budget)
    const facts = factsFrom(ctx, [[budget], ...further])
    requireCreatableLines(facts.lines)
    requireFewSteps(walkOf(facts, currentPeriod(ctx, budget).index))
    const before = storedOf(budget)
    return commit(ctx, {
      changes: [
        {
          statements: [
            ...(budget.groupId === null ? [] : [mustBeInGroup(ctx, budget.groupId, 'owner')]),
            mustHaveRoomForBudget(budget),
            ...restoreBudget(ctx, budget, changedInTrash),
          ],
          events: [
            budgetEvents.restored(
              { id, version: budget.version + 1, ...ownerOf(budget) },
              { before, after: { ...before, deletedAt: null } },
            ),
          ],
        },
      ],
      result: undefined,
      conflicts: { 'budgets.name_key': () => trashErrors.nameTaken() },
    })
  },
  erase: async (ctx, id) => {
    const budget = await findTrashed(ctx, id)
    requireVersion(ctx, budget.version)
    return commit(ctx, {
      changes: [
        {
          statements: eraseTrashedBudget(budget, changedInTrash),
          events: [
            budgetEvents.erased(
              { id, version: budget.version, ...ownerOf(budget) },
              { before: storedOf(budget) },
            ),
          ],
        },
      ],
      result: { isDone: true },
    })
  },
}

async function findTrashed(ctx: SignedIn, id: string): Promise<BudgetRow> {
  const [[found]] = await read(ctx, trashedBudgetById(ctx, id))
  return existingInTrash(found)
}

function existingInTrash(budget: BudgetRow | undefined): BudgetRow {
  if (!budget) {
    throw trashErrors.notFound()
  }
  return budget
}
