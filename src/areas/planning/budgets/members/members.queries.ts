import { sql, type SQL } from 'drizzle-orm'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { isClosedOverPrivate, isInside } from '../../../identity/access/access.public.ts'
import {
  type FiguresRequest,
  budgetWithAccounts,
  DAYS_OF_PERIOD,
  flowColumns,
  IS_HIDDEN,
  MARGIN_DAYS,
  ofOne,
} from '../figures/figures.queries.ts'
import { budgetErrors } from '../budgets.errors.ts'
import type { RecordedFlow } from './members.rules.ts'

/** Reads the bookings in a period, and on some days around it, that everybody who sees the budget may see. */
export const recordedFlows = ofOne((asked: FiguresRequest) =>
  db.all<RecordedFlow>(sql`WITH ${budgetWithAccounts(asked)},
      days AS MATERIALIZED (SELECT date(max(${asked.from}, b.first_day), '-' || (${MARGIN_DAYS} + ${DAYS_OF_PERIOD}) || ' days') AS first,
        date(max(${asked.to}, b.first_day), '+' || (${MARGIN_DAYS} + ${DAYS_OF_PERIOD}) || ' days') AS last FROM b),
      named AS MATERIALIZED (SELECT u.id, u.name FROM b CROSS JOIN users u ON u.id = b.owner_id
        UNION SELECT u.id, u.name FROM b CROSS JOIN group_members m ON m.group_id = b.group_id CROSS JOIN users u ON u.id = m.user_id)
    SELECT ${flowColumns}, t.created_by AS createdBy, (SELECT n.name FROM named n WHERE n.id = t.created_by) AS name
    FROM b CROSS JOIN days CROSS JOIN inside i
      CROSS JOIN entries a ON a.account_id = i.id AND a.side = 'account' AND a.date BETWEEN days.first AND days.last
      CROSS JOIN transactions t ON t.id = a.transaction_id AND NOT ${IS_HIDDEN}
      CROSS JOIN entries e ON e.transaction_id = a.transaction_id AND e.account_id = i.id AND e.pair IS a.pair
    WHERE (e.side = 'expense' OR e.flow_minor IS NOT NULL) AND e.status <> 'void'`),
)

/** Refuses to show the closed periods of a personal budget to a group where they may count private transactions. */
export const mustHideNothing = (budgetId: string): Statement =>
  refuseIf(isClosedOverPrivate(budgetId), budgetErrors.closedPrivate)

/** Forgets the alerts of a personal budget: the sums count private transactions. The watch tells anew what is still reached. */
export const deleteAlerts = (budgetId: string): Statement =>
  db.run(sql`DELETE FROM budget_alerts WHERE budget_id = ${budgetId}`)

/** Refuses where people receive the budget: its group alone decides who sees it from then on. */
export const mustBeUnshared = (budgetId: string): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM shares WHERE budget_id = ${budgetId})`,
    budgetErrors.stillShared,
  )

/** An account that is not shared with a group any more. */
export interface Departure {
  groupId: string
  accountId: string
}

/** A budget that an account left, with the owner of its group. */
export interface LeftBudget {
  id: string
  groupId: string
  ownerId: string
}

/** Budgets of groups that had these accounts, from a table `left` with `group_id` and `account_id`, and have them no more. */
const leftBudgets = (now: number, left: SQL): Statement<LeftBudget[]> =>
  db.all<LeftBudget>(sql`SELECT budgets.id, budgets.group_id AS groupId, o.user_id AS ownerId
    FROM (${left}) gone CROSS JOIN accounts ON accounts.id = gone.account_id
      CROSS JOIN budgets ON budgets.group_id = gone.group_id
      CROSS JOIN group_members o ON o.group_id = gone.group_id AND o.role = 'owner'
    WHERE budgets.deleted_at IS NULL AND NOT (${isInside(now, 'budgets')})
      AND CASE budgets.accounts WHEN 'chosen'
        THEN gone.account_id IN (SELECT value FROM json_each(budgets.account_ids))
        ELSE accounts.on_budget = 1 END
    ORDER BY budgets.id, accounts.id`)

export const budgetsLeftBy = (now: number, departures: Departure[]): Statement<LeftBudget[]> =>
  leftBudgets(
    now,
    sql`SELECT value ->> 'groupId' AS group_id, value ->> 'accountId' AS account_id
      FROM json_each(${JSON.stringify(departures)})`,
  )

/** Tells whether a share `s` expired on a day, in UTC. */
function hasExpiredOn(day: CalendarDate): SQL {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return sql`s.expires_at >= CAST(${midnight} AS INTEGER) AND s.expires_at < CAST(${midnight + DAY_MS} AS INTEGER)`
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Finds the budgets that accounts left because their shares expired on a day. */
export const budgetsLeftOn = (now: number, day: CalendarDate): Statement<LeftBudget[]> =>
  leftBudgets(
    now,
    sql`SELECT s.group_id, s.account_id FROM shares s WHERE s.group_id IS NOT NULL AND ${hasExpiredOn(day)}`,
  )

/** Marks whose shares expired on a day: a group, with budgets of its own and of its members, or a person. */
export const markReceiversOn = (day: CalendarDate): Statement =>
  db.run(sql`INSERT INTO budget_watch (id) SELECT DISTINCT ifnull(s.group_id, s.grantee_user_id) FROM shares s
    WHERE ifnull(s.group_id, s.grantee_user_id) IS NOT NULL AND ${hasExpiredOn(day)}
    ON CONFLICT (id) DO UPDATE SET marks = marks + 1, due_at = 0`)
