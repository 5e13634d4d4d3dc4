import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { isInside } from '../../../identity/access/access.public.ts'

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
