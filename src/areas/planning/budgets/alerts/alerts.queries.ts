import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { budgetAlerts } from '../../../../../drizzle/schema/budgets.ts'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Context } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { isNotRestored } from '../../../../platform/owned-data/owned-data.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { isInside } from '../../../identity/access/access.public.ts'
import { type FiguresRequest, DAYS_OF_PERIOD, MARGIN_DAYS } from '../figures/figures.queries.ts'
import type { Alert } from './alerts.rules.ts'

export interface AlertFilter {
  period?: string | undefined
  lineId?: string | undefined
}

const matches = (budgetId: string, { period, lineId }: AlertFilter) =>
  and(
    eq(budgetAlerts.budgetId, budgetId),
    period === undefined ? undefined : eq(budgetAlerts.period, period),
    lineId === undefined ? undefined : eq(budgetAlerts.lineId, lineId),
  )

/** Newest first: one more than the page. */
export function pageOfAlerts(
  budgetId: string,
  filter: AlertFilter,
  { after, limit }: PageRequest,
): Statement<Alert[]> {
  const [at, period, lineId, threshold] = after ?? []
  const follows: SQL | undefined =
    at === undefined
      ? undefined
      : sql`(created_at, period, line_id, threshold)
          < (CAST(${at} AS INTEGER), ${period}, ${lineId}, CAST(${threshold} AS INTEGER))`
  return db
    .select()
    .from(budgetAlerts)
    .where(and(matches(budgetId, filter), follows))
    .orderBy(
      desc(budgetAlerts.createdAt),
      desc(budgetAlerts.period),
      desc(budgetAlerts.lineId),
      desc(budgetAlerts.threshold),
    )
    .limit(limit + 1)
}

export const countOfAlerts = (budgetId: string, filter: AlertFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(budgetAlerts)
    .where(matches(budgetId, filter))

export const insertAlerts = (alerts: Alert[]): Statement => db.insert(budgetAlerts).values(alerts)

/** Marks of one commit. */
const MOST_MARKS = 50

/** The next marks that are not of budgets. */
const OTHER_MARKS =
  sql.raw(`(SELECT id FROM budget_watch WHERE (id < 'bud_' OR id > 'bud_~') AND id NOT GLOB 'rates after *'
  ORDER BY id LIMIT ${MOST_MARKS})`)

/**
 * Marks the budgets that what is marked may count in, and takes these marks off: of an account the budgets that may have it
 * inside, of a person those of the person, of groups with the person and of who receives accounts of the person, and of a group
 * its own and those of its members.
 */
export const markBudgets = (): Statement[] => [
  db.run(sql`INSERT INTO budget_watch (id)
    SELECT b.id FROM budgets b WHERE b.deleted_at IS NULL AND b.id IN (
      SELECT b.id FROM ${OTHER_MARKS} w JOIN accounts a ON a.id = w.id
        JOIN budgets b ON b.owner_id = a.owner_id
          OR b.owner_id IN (SELECT r.user_id FROM account_receivers r WHERE r.account_id = a.id)
          OR b.group_id IN (SELECT s.group_id FROM shares s WHERE s.account_id = a.id)
      UNION SELECT b.id FROM ${OTHER_MARKS} w JOIN budgets b ON b.owner_id = w.id OR b.group_id = w.id
      UNION SELECT b.id FROM ${OTHER_MARKS} w JOIN group_members m ON m.user_id = w.id
        JOIN budgets b ON b.group_id = m.group_id
      UNION SELECT b.id FROM ${OTHER_MARKS} w JOIN accounts a ON a.owner_id = w.id
        JOIN account_receivers r ON r.account_id = a.id JOIN budgets b ON b.owner_id = r.user_id
      UNION SELECT b.id FROM ${OTHER_MARKS} w JOIN group_members m ON m.group_id = w.id
        JOIN budgets b ON b.owner_id = m.user_id)
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0`),
  db.run(sql`DELETE FROM budget_watch WHERE id IN ${OTHER_MARKS}`),
]

/** One row if anything but budgets is marked. */
export const otherMarks = (): Statement<{ id: string }[]> =>
  db.all(sql`SELECT id FROM ${OTHER_MARKS} LIMIT 1`)

/** Stands for new rates of the system; behind it is the last budget that was marked for them. */
const RATES = 'rates after '

/** Budgets of one step that are marked for rates of the system. */
const MOST_FOR_RATES = 100

/** The mark of rates of the system, if there are new ones. */
export const markOfRates = (): Statement<MarkedBudget[]> =>
  db.all(
    sql`SELECT id, marks FROM budget_watch WHERE id >= ${RATES} AND id < ${`${RATES}~`} ORDER BY id LIMIT 1`,
  )

/** Marks the next budgets that have accounts in other currencies, and moves the mark of rates behind them. */
export const markForRates = (
  ctx: Pick<Context, 'now'>,
  { id, marks }: MarkedBudget,
): Statement[] => {
  const next = sql`(SELECT id FROM budgets WHERE id > ${id.slice(RATES.length)} AND deleted_at IS NULL
    ORDER BY id LIMIT ${MOST_FOR_RATES})`
  return [
    db.run(sql`INSERT INTO budget_watch (id) SELECT b.id FROM ${next} wanted CROSS JOIN budgets b ON b.id = wanted.id
      WHERE EXISTS (SELECT 1 FROM accounts WHERE accounts.currency <> b.currency AND ${isInside(ctx.now, 'b')})
      ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0`),
    db.run(sql`INSERT INTO budget_watch (id) SELECT ${RATES} || max(id) FROM ${next}
      HAVING count(*) = ${MOST_FOR_RATES} ON CONFLICT (id) DO UPDATE SET marks = marks + 1`),
    // Rates that came meanwhile have raised it.
    db.run(sql`DELETE FROM budget_watch WHERE id = ${id} AND marks = ${marks}`),
  ]
}

export interface MarkedBudget {
  id: string
  marks: number
}

/** Budgets that have to be looked at now. Those that are being restored wait: not all that counts in them is there yet. */
export const markedBudgets = (now: number, limit: number): Statement<MarkedBudget[]> =>
  db.all(sql`SELECT w.id, w.marks FROM budget_watch w CROSS JOIN budgets b ON b.id = w.id
    WHERE w.due_at <= ${now} AND ${isNotRestored(sql`b.owner_id`)}
    ORDER BY w.due_at, w.id LIMIT ${limit}`)

/** Looks at a budget again then. Refuses when it was marked since it was read. */
export const lookAgain = ({ id, marks }: MarkedBudget, dueAt: number): Statement[] => [
  db.run(
    sql`UPDATE budget_watch SET marks = marks + 1, due_at = ${dueAt} WHERE id = ${id} AND marks = ${marks}`,
  ),
  requireChangedOne(changedMeanwhile),
]

/** Takes the mark off a budget, unless it was marked since it was read. */
export const unmark = ({ id, marks }: MarkedBudget): Statement =>
  db.run(sql`DELETE FROM budget_watch WHERE id = ${id} AND marks = ${marks}`)

/** The alerts of a period, which is named by its nominal start. */
export const alertsOf = (budgetId: string, period: string): Statement<Alert[]> =>
  db.select().from(budgetAlerts).where(matches(budgetId, { period }))

/**
 * Finds the alerts of budgets in the periods that contain these days or a day between them, and in some periods around
 * them, newest first. A day before a budget stands for its first day.
 */
export const alertsNear = (
  { budgets }: Pick<FiguresRequest, 'budgets'>,
  { first, last }: { first: CalendarDate; last: CalendarDate },
) =>
  db
    .select()
    .from(budgetAlerts)
    .where(
      sql`(budget_id, period) IN (WITH b AS (${budgets}) SELECT sent.budget_id, sent.period
        FROM b CROSS JOIN budget_alerts sent ON sent.budget_id = b.id
          AND sent.period >= date(max(${first}, b.first_day), '-' || (${MARGIN_DAYS} + ${DAYS_OF_PERIOD}) || ' days')
          AND sent.period <= date(max(${last}, b.first_day), '+' || ${MARGIN_DAYS} || ' days'))`,
    )
    .orderBy(desc(budgetAlerts.createdAt), desc(budgetAlerts.lineId), desc(budgetAlerts.threshold))

/** Finds the users who may see a budget: its owner, or all members of its group. */
export const viewersOf = (budgetId: string): Statement<{ userId: string }[]> =>
  db.all(sql`SELECT b.owner_id AS userId FROM budgets b WHERE b.id = ${budgetId} AND b.owner_id IS NOT NULL
    UNION SELECT m.user_id FROM budgets b JOIN group_members m ON m.group_id = b.group_id WHERE b.id = ${budgetId}`)
