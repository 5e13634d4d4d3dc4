import type { SignedIn } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database.ts'
import { budgetLineEvents } from '../budgets.events.ts'
import { mustChange } from '../budgets.queries.ts'
import { ownerOf, requireWrite } from '../budgets.rules.ts'
import { ensureLine, mustBeNested, setLineOrder, setParents } from './lines.queries.ts'
import { namedLine, parentsOf, requireParent } from './lines.rules.ts'
import { type ListedLines, readLines } from './lines.usecases.ts'

/** Puts lines into a new order; lines that are not named follow in the order in which they were. */
export async function reorderBudgetLines(
  ctx: SignedIn,
  budgetId: string,
  lineIds: string[],
  parents: Record<string, string | null> = {},
): Promise<ListedLines> {
  const { budget, lines } = await readLines(ctx, budgetId)
  requireWrite(ctx, budget)
  for (const [at, id] of lineIds.entries()) {
    namedLine(lines, id, `lineIds.${at}`)
  }
  for (const id of Object.keys(parents)) {
    namedLine(lines, id, `parents.${id}`)
  }
  const moved = lines.map((line) => ({
    ...line,
    parentLineId: parents[line.id] === undefined ? line.parentLineId : (parents[line.id] ?? null),
  }))
  for (const [id, parent] of Object.entries(parents)) {
    requireParent(moved, id, parent, `parents.${id}`)
  }
  const place = new Map(lineIds.map((id, at) => [id, at]))
  const ordered = moved.toSorted(
    (a, b) => (place.get(a.id) ?? lineIds.length) - (place.get(b.id) ?? lineIds.length),
  )
  const changed = moved.filter(({ parentLineId }, at) => parentLineId !== lines[at]?.parentLineId)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget),
          ...ordered.filter(({ kind }) => kind === 'cardPayment').map(ensureLine),
          setLineOrder(
            budgetId,
            ordered.map(({ id }) => id),
          ),
          ...(changed.length === 0
            ? []
            : [...setParents(ctx, changed), mustBeNested(budgetId, parentsOf(changed, lines))]),
        ],
        events: [
          budgetLineEvents.reordered(
            { id: budgetId, resourceType: 'budget', ...ownerOf(budget) },
            { budgetId, lineIds },
          ),
        ],
      },
    ],
    result: {
      lines: ordered.map((line, order) => ({ ...line, order })),
      currency: budget.currency,
    },
  })
}
