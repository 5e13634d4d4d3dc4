import { checkPeriodRule, periodNamed } from '../../../../domain/budgets/periods.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { Position } from '../../../../platform/paging.ts'
import { owns } from '../../../identity/access/access.public.ts'
import { budgetErrors } from '../budgets.errors.ts'
import {
  type BudgetRow,
  currentPeriod,
  MOST_PERIODS,
  requireFewPeriods,
  ruleOf,
} from '../budgets.rules.ts'
import { listBudgets } from '../budgets.usecases.ts'
import { requireFewSteps, walkOf } from '../figures/figures.rules.ts'
import { figuresWithinRange, readFacts } from '../figures/figures.usecases.ts'

/** Budgets of one page. */
const PAGE = 100

/**
 * Works out the budgets of a person once they are restored, as no list of a backup does.
 * @throws AppError for a period that no budget could have: every read of the budget would fail, or take very long
 */
export async function readRestoredBudgets(owner: SignedIn): Promise<void> {
  let after: Position | undefined
  do {
    const { rows, next } = await listBudgets(owner, {}, { limit: PAGE, after })
    for (const budget of rows.filter(({ ownerId }) => owns(owner.caller, { ownerId }))) {
      await workOut(owner, budget)
    }
    after = next ?? undefined
  } while (after)
}

async function workOut(owner: SignedIn, budget: BudgetRow): Promise<void> {
  const rule = ruleOf(budget)
  checkPeriodRule(rule)
  requireFewPeriods({ now: budget.createdAt }, budget)
  const { start, index } = currentPeriod(owner, budget)
  const facts = await readFacts(owner, budget.id, { from: start, to: start })
  for (const { period } of [...facts.amounts, ...facts.periods]) {
    if ((periodNamed(rule, period)?.index ?? index) - index > 2 * MOST_PERIODS) {
      throw budgetErrors.noSuchPeriod()
    }
  }
  requireFewSteps(walkOf(facts, index))
  figuresWithinRange(owner, facts, index)
}
