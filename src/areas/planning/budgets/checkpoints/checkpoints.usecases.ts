import { type Period, periodIndexOf, periodNamed } from '../../../../domain/budgets/periods.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { forEachRow } from '../../../../platform/work/each-row.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import type { NewTask } from '../../../../platform/work/task-rows.ts'
import type { CheckStep } from '../../../../ledger/integrity/integrity.public.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { budgetForJobs, anyBudget } from '../budgets.queries.ts'
import { MOST_PERIODS, ruleOf, todayIn, currentPeriod } from '../budgets.rules.ts'
import {
  figuresWithinRange,
  type FoundFigures,
  readFactsBy,
  factsFrom,
  furtherFacts,
} from '../figures/figures.usecases.ts'
import type { BudgetFacts } from '../figures/figures.rules.ts'
import {
  budgetsAfter,
  checkedBudget,
  type CheckedBudget,
  claimCheckpoints,
  storeCheckpoint,
  budgetsToCheck,
  checkpointsOf,
  deleteCheckpoint,
  heldAtEnd,
} from './checkpoints.queries.ts'
import {
  checkpointPeriods,
  checkpointImage,
  lacksCheckpoints,
  madeFrom,
  brokenIdentity,
  strangeDifferences,
  wrongCheckpoints,
} from './checkpoints.rules.ts'

export const MAKE_CHECKPOINTS = 'budgets.checkpoint'

/** Writes and sweeps do not have the checkpoints of a budget made more often than this. */
const APART_MS = 60_000

/** Budgets of one run, so that it ends well within its lease; the others are another task's. */
const BUDGETS_PER_RUN = 100

/** Checkpoints that are worked out at once: there is one in twelve periods. */
const PER_PIECE = MOST_PERIODS / 12

/** Stores the checkpoints that budgets lack: of one budget, or of all of them in order of their ids. */
export async function makeCheckpoints(
  ctx: Context,
  { budgetId, after = '' }: { budgetId?: string | undefined; after?: string | undefined },
  finish: Statement[],
): Promise<void> {
  const [budgets] = await read(
    ctx,
    budgetId === undefined
      ? budgetsAfter(ctx, after, BUDGETS_PER_RUN)
      : checkedBudget(ctx, budgetId),
  )
  await forEachRow(ctx, { work: MAKE_CHECKPOINTS, rows: budgets }, (budget) =>
    completeCheckpoints(ctx, budget),
  )
  const last = budgets.length === BUDGETS_PER_RUN ? budgets.at(-1) : undefined
  await commit(ctx, {
    changes: [withoutEvents(finish)],
    tasks: last ? [{ kind: MAKE_CHECKPOINTS, payload: { after: last.id } }] : [],
    result: undefined,
  })
}

async function completeCheckpoints(ctx: Context, budget: CheckedBudget): Promise<void> {
  const wanted = checkpointPeriods(budget, todayIn(ctx, budget))
  const stored = new Set(JSON.parse(budget.periods) as string[])
  const lacking = wanted.filter(({ nominal }) => !stored.has(nominal))
  if (lacking.length === 0) {
    return
  }
  await commit(ctx, {
    changes: [withoutEvents(claimCheckpoints(ctx, budget.id, wanted))],
    result: undefined,
  })
  // An old budget has more periods than may be worked out at once: each piece goes on from the one before it.
  for (let at = 0; at < lacking.length; at += PER_PIECE) {
    await storePiece(ctx, budget, lacking.slice(at, at + PER_PIECE))
  }
}

async function storePiece(ctx: Context, budget: CheckedBudget, lacking: Period[]): Promise<void> {
  const [first] = lacking
  const last = lacking.at(-1)
  if (!first || !last) {
    return
  }
  const span = { from: first.nominal, to: last.nominal }
  const facts = await readFactsBy(ctx, budgetForJobs(ctx, budget.id), { id: budget.id, span })
  const names = new Set(lacking.map(({ nominal }) => nominal))
  await commit(ctx, {
    changes: [withoutEvents(storing(ctx, facts, names))],
    result: undefined,
  })
}

/** Statements that store what was worked out. Claims that something else has deleted meanwhile stay deleted. */
function storing(ctx: Context, facts: BudgetFacts, names: ReadonlySet<string>): Statement[] {
  const { budget } = facts
  const rule = ruleOf(budget)
  const periods = [...names].flatMap((name) => periodNamed(rule, name) ?? [])
  const figures = figuresWithinRange(ctx, facts, Math.max(...periods.map(({ index }) => index)))
  return periods.flatMap((period) => {
    const image = figures && checkpointImage(figures, period.index)
    return image === undefined
      ? []
      : [
          storeCheckpoint(ctx, {
            budgetId: budget.id,
            period,
            accounts: madeFrom(facts),
            isConverted: facts.accounts.some(({ currency }) => currency !== budget.currency),
            image,
          }),
        ]
  })
}

/**
 * The task that a write or a sweep leaves which had to work out many periods.
 * @param fromIndex the first period that it asked for
 */
export const tasksAfter = (
  ctx: Context,
  { facts: { budget, today }, figures }: Pick<FoundFigures, 'facts' | 'figures'>,
  fromIndex: number,
): NewTask[] =>
  // Periods to come have none.
  lacksCheckpoints(figures, Math.min(fromIndex, periodIndexOf(ruleOf(budget), today)))
    ? [checkpointsTask(ctx, budget.id)]
    : []

/** The task that makes the checkpoints of a budget. */
export const checkpointsTask = (ctx: Context, budgetId: string): NewTask => ({
  kind: MAKE_CHECKPOINTS,
  payload: { budgetId },
  dedupeKey: `${MAKE_CHECKPOINTS} ${budgetId} ${Math.floor(ctx.now / APART_MS)}`,
})

/** Budgets of one step. */
const BUDGETS_PER_STEP = 5

/**
 * Compares the next budgets with the ledger: stored checkpoints with all periods since the beginning, and the money in envelopes
 * with what their accounts hold. A wrong checkpoint is deleted besides, so that figures are right again.
 */
export async function checkBudgets(ctx: Context, after: string): Promise<CheckStep> {
  const [budgets] = await readOrStop(ctx, budgetsToCheck(after, BUDGETS_PER_STEP))
  const found: string[] = []
  // A budget that cannot be compared is a finding, too.
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
