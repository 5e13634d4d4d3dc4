import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { budgetAlerts } from '../../../../../drizzle/schema/budgets.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile } from '../../../../platform/refusals.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
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
const MOST_MARKS = 100

/** Marks the budgets that may have marked accounts inside, and takes the marks off the accounts. */
export const markBudgets = (): Statement[] => [
  db.run(sql`INSERT INTO budget_watch (id)
    SELECT b.id FROM (SELECT w.id FROM budget_watch w JOIN accounts a ON a.id = w.id ORDER BY w.id LIMIT ${MOST_MARKS}) w
      JOIN accounts a ON a.id = w.id
      JOIN budgets b ON b.owner_id = a.owner_id
        OR b.owner_id IN (SELECT r.user_id FROM account_receivers r WHERE r.account_id = a.id)
        OR b.group_id IN (SELECT s.group_id FROM shares s WHERE s.account_id = a.id)
    WHERE b.deleted_at IS NULL GROUP BY b.id
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0`),
  db.run(sql`DELETE FROM budget_watch WHERE id IN (SELECT w.id FROM budget_watch w JOIN accounts a ON a.id = w.id
    ORDER BY w.id LIMIT ${MOST_MARKS})`),
]

export const countOfMarkedAccounts = (): Statement<{ count: number }[]> =>
  db.all(sql`SELECT count(*) AS count FROM budget_watch w JOIN accounts a ON a.id = w.id`)

export interface MarkedBudget {
  id: string
  marks: number
}

/** Budgets that have to be looked at now. */
export const markedBudgets = (now: number, limit: number): Statement<MarkedBudget[]> =>
  db.all(sql`SELECT w.id, w.marks FROM budget_watch w CROSS JOIN budgets b ON b.id = w.id
    WHERE w.due_at <= ${now} ORDER BY w.due_at, w.id LIMIT ${limit}`)

/** Looks at a budget again then. Refuses when it was marked since it was read. */
export const lookAgain = ({ id, marks }: MarkedBudget, dueAt: number): Statement[] => [
  db.run(
    sql`UPDATE budget_watch SET marks = marks + 1, due_at = ${dueAt} WHERE id = ${id} AND marks = ${marks}`,
  ),
  requireChangedOne(changedMeanwhile),
]

export const unmark = ({ id, marks }: MarkedBudget): Statement =>
  db.run(sql`DELETE FROM budget_watch WHERE id = ${id} AND marks = ${marks}`)

export const alertsOf = (budgetId: string): Statement<Alert[]> =>
  db.select().from(budgetAlerts).where(eq(budgetAlerts.budgetId, budgetId))

/** What was told of these periods of budgets, newest first. */
export const alertsIn = (periods: (readonly [budgetId: string, nominal: string])[]) =>
  db
    .select()
    .from(budgetAlerts)
    .where(
      sql`(budget_id, period) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(periods)}))`,
    )
    .orderBy(desc(budgetAlerts.createdAt), desc(budgetAlerts.lineId), desc(budgetAlerts.threshold))

/** Those who may see a budget: its owner, or all in its group. */
export const viewersOf = (budgetId: string): Statement<{ userId: string }[]> =>
  db.all(sql`SELECT b.owner_id AS userId FROM budgets b WHERE b.id = ${budgetId} AND b.owner_id IS NOT NULL
    UNION SELECT m.user_id FROM budgets b JOIN group_members m ON m.group_id = b.group_id WHERE b.id = ${budgetId}`)
