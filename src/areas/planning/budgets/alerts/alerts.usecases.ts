import { periodAt } from '../../../../domain/budgets/periods.ts'
import { AppError } from '../../../../domain/errors.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { forEachRow } from '../../../../platform/work/each-row.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { unlessRefused } from '../../../../platform/database/refusals.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import {
  insertNotifications,
  type NewNotification,
} from '../../../identity/notifications/notifications.public.ts'
import { budgetEvents } from '../budgets.events.ts'
import { anyBudget, budgetById } from '../budgets.queries.ts'
import {
  type BudgetRow,
  currentPeriod,
  ownerOf,
  ruleOf,
  todayIn,
  existingBudget,
} from '../budgets.rules.ts'
import { checkpointsTask, tasksAfter } from '../checkpoints/checkpoints.usecases.ts'
import { factsFrom, figuresWithinRange, furtherFacts } from '../figures/figures.usecases.ts'
import { foundPeriod } from '../periods/periods.usecases.ts'
import {
  alertsOf,
  insertAlerts,
  lookAgain,
  markBudgets,
  markForRates,
  type MarkedBudget,
  markedBudgets,
  markOfRates,
  otherMarks,
  unmark,
  viewersOf,
  type AlertFilter,
  countOfAlerts,
  pageOfAlerts,
} from './alerts.queries.ts'
import { type Alert, newAlerts, thresholdOf } from './alerts.rules.ts'

/** Budgets of one sweep; what is left is the next one's. */
const MOST_BUDGETS = 100

/** Steps of one sweep through the budgets that rates of the system may change. */
const MOST_STEPS = 50

/** Looks at the budgets that were marked, and tells which thresholds of their current periods were reached. */
export async function watchBudgets(ctx: Context): Promise<void> {
  await markForSystemRates(ctx)
  for (let steps = 0; steps < MOST_BUDGETS; steps++) {
    const [marked] = await read(ctx, otherMarks())
    if (marked.length === 0) {
      break
    }
    await commit(ctx, { changes: [withoutEvents(markBudgets())], result: undefined })
  }
  const [budgets] = await read(ctx, markedBudgets(ctx.now, MOST_BUDGETS))
  await forEachRow(
    ctx,
    {
      ...{ work: 'budgets.watch', rows: budgets, triesOnce: true as const },
      putBack: (budget) => putBack(ctx, budget),
    },
    (budget) => lookAt(ctx, budget),
  )
}

/** After this time, a budget is looked at again that could not be. */
const PUT_BACK_MS = 60 * 60 * 1000

/** Has a budget wait behind all others, unless it was marked again meanwhile. */
const putBack = (ctx: Context, marked: MarkedBudget): Promise<unknown> =>
  unlessRefused(() =>
    commit(ctx, {
      changes: [withoutEvents(lookAgain(marked, ctx.now + PUT_BACK_MS))],
      result: undefined,
    }),
  )

/** Marks budgets that new rates of the system may change, some at a time. What is left is the next sweep's. */
async function markForSystemRates(ctx: Context): Promise<void> {
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const [[mark]] = await read(ctx, markOfRates())
    if (!mark) {
      return
    }
    await commit(ctx, { changes: [withoutEvents(markForRates(ctx, mark))], result: undefined })
  }
}

async function lookAt(ctx: Context, marked: MarkedBudget): Promise<void> {
  const [[budget]] = await read(ctx, anyBudget(ctx, marked.id))
  if (!budget || budget.archived) {
    await commit(ctx, { changes: [withoutEvents([unmark(marked)])], result: undefined })
    return
  }
  const period = currentPeriod(ctx, budget)
  const today = todayIn(ctx, budget)
  const dueAt = instantAfter(
    today < period.start ? period.start : periodAt(ruleOf(budget), period.index + 1).start,
  )
  const span = { from: period.start, to: period.start }
  const [reported, viewers, ...found] = await read(
    ctx,
    alertsOf(budget.id, period.nominal),
    viewersOf(budget.id),
    ...furtherFacts(ctx, budget.id, span),
  )
  const facts = factsFrom(ctx, [[budget], ...found])
  const figures = figuresWithinRange(ctx, facts, period.index)
  const alerts = figures
    ? newAlerts(
        foundPeriod({ facts, figures, from: period, to: period }, period.index),
        reported,
        ctx.now,
      )
    : []
  try {
    await commit(ctx, {
      changes: [
        withoutEvents(lookAgain(marked, dueAt)),
        ...(alerts.length === 0 ? [] : [changeOf(ctx, budget, alerts, viewers)]),
      ],
      // A change that marks a budget may have ended its checkpoints. Without them, reads would compute all its
      // periods until the night.
      tasks: figures
        ? tasksAfter(ctx, { facts, figures }, period.index)
        : [checkpointsTask(ctx, budget.id)],
      result: undefined,
    })
  } catch (error) {
    // The other run that marked or checked it meanwhile has arranged another check.
    if (!(error instanceof AppError) || error.kind !== 'conflict') {
      throw error
    }
  }
}

/** An instant at which a day has begun everywhere. */
const instantAfter = (day: string): number => Date.parse(`${day}T12:00:00Z`)

const changeOf = (
  ctx: Context,
  budget: BudgetRow,
  alerts: Alert[],
  viewers: { userId: string }[],
) => ({
  statements: [
    insertAlerts(alerts),
    insertNotifications(
      alerts.flatMap((alert) => viewers.map(({ userId }) => notificationOf(ctx, alert, userId))),
    ),
  ],
  events: alerts.map((alert) => {
    const { lineId, period, totalMinor, spentMinor } = alert
    const threshold = thresholdOf(alert)
    const tell = threshold === 'over' ? budgetEvents.overspent : budgetEvents.thresholdReached
    return tell(
      { id: budget.id, ...ownerOf(budget) },
      { lineId, period, threshold, totalMinor, spentMinor },
    )
  }),
})

const kindOf = (threshold: number) =>
  thresholdOf({ threshold }) === 'over' ? 'budget.overspent' : 'budget.thresholdReached'

const notificationOf = (
  ctx: Context,
  { budgetId, lineId, period, threshold, createdAt }: Alert,
  userId: string,
): NewNotification => ({
  id: freshId(ctx, 'ntf'),
  userId,
  kind: kindOf(threshold),
  resourceType: 'budget',
  resourceId: budgetId,
  facts: { lineId, period, threshold },
  groupKey: `${kindOf(threshold)} ${lineId}`,
  createdAt,
})

/** An alert with the currency of its amounts. */
export interface ShownAlert {
  alert: Alert
  currency: string
}

export async function listBudgetAlerts(
  ctx: SignedIn,
  budgetId: string,
  filter: AlertFilter,
  page: PageRequest,
): Promise<Page<ShownAlert>> {
  const [[found], alerts, [total]] = await read(
    ctx,
    budgetById(ctx, budgetId),
    pageOfAlerts(budgetId, filter, page),
    countOfAlerts(budgetId, filter),
  )
  const { currency } = existingBudget(found)
  const { rows, next } = cutPage(alerts, page, (alert) => [
    String(alert.createdAt),
    alert.period,
    alert.lineId,
    String(alert.threshold),
  ])
  return { rows: rows.map((alert) => ({ alert, currency })), next, count: total?.count ?? 0 }
}
