import type { CheckStep } from '../../../../ledger/integrity/integrity.public.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { forEachRow } from '../../../../platform/work/each-row.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { anyBudget } from '../budgets.queries.ts'
import { currentPeriod } from '../budgets.rules.ts'
import { factsFrom, figuresWithinRange, furtherFacts } from '../figures/figures.usecases.ts'
import {
  budgetsToCheck,
  checkpointsOf,
  deleteCheckpoint,
  heldAtEnd,
} from './checkpoints.queries.ts'
import { brokenIdentity, strangeDifferences, wrongCheckpoints } from './checkpoints.rules.ts'

/** Budgets of one step. */
const BUDGETS_PER_STEP = 5

/**
 * Compares the next budgets with the ledger: stored checkpoints with all periods since the beginning, and the money in envelopes
 * with what their accounts hold. A wrong checkpoint is deleted besides, so that figures are right again.
 */
export async function checkBudgets(ctx: Context, after: string): Promise<CheckStep> {
  const [budgets] = await readOrStop(ctx, budgetsToCheck(after, BUDGETS_PER_STEP))
  const found: string[] = []
  // What cannot be compared is not in order.
  const putBack = ({ id }: { id: string }) =>
    found.push(`budget ${id}: its figures cannot be calculated`)
  await forEachRow(ctx, { work: 'budgets.check', rows: budgets, putBack }, async ({ id }) => {
    found.push(...(await findingsOf(ctx, id)))
  })
  return { found, next: budgets.length === BUDGETS_PER_STEP ? budgets.at(-1)?.id : undefined }
}

async function findingsOf(ctx: Context, id: string): Promise<string[]> {
  const [[known]] = await read(ctx, anyBudget(ctx, id))
  if (!known) {
    return []
  }
  const { index, start, end } = currentPeriod(ctx, known)
  // Before the first day there are no checkpoints, so all periods are worked out.
  const span = { from: known.firstDay, to: start }
  const [[budget], stored, held, ...further] = await read(
    ctx,
    anyBudget(ctx, id),
    checkpointsOf(id),
    heldAtEnd(ctx, id, end),
    ...furtherFacts(ctx, id, span),
  )
  if (budget?.version !== known.version) {
    return []
  }
  const facts = factsFrom(ctx, [[budget], ...further])
  const figures = figuresWithinRange(ctx, facts, index)
  if (!figures) {
    return []
  }
  const wrong = wrongCheckpoints(facts, figures, stored)
  if (wrong.length > 0) {
    const statements = wrong.map((one) => deleteCheckpoint(id, one))
    await commit(ctx, { changes: [withoutEvents(statements)], result: undefined })
  }
  const current =
    figures.mode === 'envelope'
      ? figures.periods.find(({ period }) => period.index === index)
      : undefined
  return [
    ...wrong.map(({ period }) => `budget ${id}: the checkpoint of ${period} is wrong`),
    ...(figures.mode === 'envelope' ? strangeDifferences(facts, figures.periods) : []),
    ...(current
      ? brokenIdentity(facts, current, new Map(held.map((row) => [row.accountId, row.minor])))
      : []),
  ]
}
