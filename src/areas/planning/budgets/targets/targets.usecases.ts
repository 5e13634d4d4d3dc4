import type { SignedIn } from '../../../../platform/context.ts'
import { commit, requireVersion, read } from '../../../../platform/database/database.ts'
import { nothing, type Statement } from '../../../../platform/database/statements.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetLineEvents } from '../budgets.events.ts'
import { mustChange, budgetById } from '../budgets.queries.ts'
import {
  type BudgetRow,
  currentPeriod,
  modeError,
  requirePeriod,
  requireWrite,
  ruleOf,
  existingBudget,
} from '../budgets.rules.ts'
import { ensureLine, updateLineRow } from '../lines/lines.queries.ts'
import { existingLine, type LineRow, lineThing } from '../lines/lines.rules.ts'
import { readLinesWith, type ShownLine } from '../lines/lines.usecases.ts'
import {
  requireOccurrence,
  type StoredTarget,
  targetFrom,
  type TargetInput,
  targetOfLine,
} from './targets.rules.ts'
import { freeCategories, type ItemOfTarget, itemsForTarget } from './targets.queries.ts'

interface Path {
  budgetId: string
  lineId: string
}

interface NewTarget extends TargetInput {
  priority?: number | undefined
  snoozedIn?: string | null | undefined
}

/** Sets the target of a line, in place of the one it had. */
export async function setLineTarget(
  ctx: SignedIn,
  path: Path,
  { priority = 5, snoozedIn = null, ...sent }: NewTarget,
): Promise<ShownLine> {
  const ids = sent.type === 'schedule' ? (sent.recurringIds ?? []) : []
  const finder = ids.length === 0 ? undefined : itemsForTarget(ctx, path.budgetId, ids)
  const { budget, line, rows } = await readForTarget(ctx, path, finder)
  const unknown = ids.findIndex((id) => rows.every((row) => row.id !== id))
  if (unknown !== -1) {
    throw budgetErrors.unknownItem({ field: `recurringIds.${unknown}` })
  }
  const items = Object.fromEntries(rows.map(({ id, accountId }) => [id, accountId]))
  const target = targetFrom(sent, budget.currency)
  requireOccurrence(target, ruleOf(budget), currentPeriod(ctx, budget))
  const snoozed =
    snoozedIn === null ? null : requirePeriod(ctx, budget, snoozedIn, 'snoozedIn').nominal
  return storeTarget(ctx, budget, { ...line, items }, { ...target, priority, snoozedIn: snoozed })
}

export async function deleteLineTarget(ctx: SignedIn, path: Path): Promise<ShownLine> {
  const { budget, line } = await readForTarget(ctx, path)
  return storeTarget(ctx, budget, line, null)
}

/** Makes the target of a line ask for nothing in a period; null ends that. */
export async function snoozeLineTarget(
  ctx: SignedIn,
  path: Path,
  period: string | null,
): Promise<ShownLine> {
  const { budget, line } = await readForTarget(ctx, path)
  const target = targetOfLine(line)
  if (!target) {
    throw budgetErrors.noTarget()
  }
  const snoozedIn = period === null ? null : requirePeriod(ctx, budget, period, 'period').nominal
  return storeTarget(ctx, budget, line, { ...target, snoozedIn })
}

async function readForTarget(
  ctx: SignedIn,
  { budgetId, lineId }: Path,
  finder: Statement<ItemOfTarget[]> = nothing<ItemOfTarget>(),
): Promise<{ budget: BudgetRow; line: LineRow; rows: ItemOfTarget[] }> {
  const { budget, lines, rows } = await readLinesWith(ctx, budgetId, finder)
  requireWrite(ctx, budget)
  if (budget.mode === 'limit') {
    throw modeError(budget, 'A target')
  }
  const line = existingLine(lines.find(({ id }) => id === lineId))
  requireVersion(ctx, line.version)
  return { budget, line, rows }
}

function storeTarget(
  ctx: SignedIn,
  budget: BudgetRow,
  before: LineRow,
  wanted: StoredTarget | null,
): Promise<ShownLine> {
  const target = wanted && JSON.stringify(wanted)
  if (target === before.target) {
    return commit(ctx, {
      changes: [withoutEvents(mustChange(ctx, budget))],
      result: { line: before, currency: budget.currency },
    })
  }
  const line = { ...before, target, version: before.version + 1, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget),
          ...(before.kind === 'cardPayment' ? [ensureLine(before)] : []),
          ...updateLineRow(ctx, before, { target }),
        ],
        events: [
          budgetLineEvents.targetSet(lineThing(budget, line), {
            budgetId: budget.id,
            before: { target: targetOfLine(before) },
            after: { target: wanted },
          }),
        ],
      },
    ],
    result: { line, currency: budget.currency },
  })
}

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
