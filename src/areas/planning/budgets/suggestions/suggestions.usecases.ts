import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { budgetById } from '../budgets.queries.ts'
import { existingBudget, requireWrite } from '../budgets.rules.ts'
import { freeCategories } from './suggestions.queries.ts'

/** A line that the budget could have. */
export interface SuggestedLine {
  name: string
  categoryIds: string[]
}

/** Suggests a line for each name of categories that no line has: people call the same thing by the same name. */
export async function suggestBudgetLines(
  ctx: SignedIn,
  budgetId: string,
): Promise<SuggestedLine[]> {
  const [[budget], categories] = await read(
    ctx,
    budgetById(ctx, budgetId),
    freeCategories(ctx, budgetId),
  )
  requireWrite(ctx, existingBudget(budget))
  return [...Map.groupBy(categories, ({ nameKey }) => nameKey)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, same]) =>
      same.slice(0, 1).map(({ name }) => ({ name, categoryIds: same.map(({ id }) => id) })),
    )
}
