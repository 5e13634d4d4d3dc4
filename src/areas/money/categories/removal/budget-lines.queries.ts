import { sql } from 'drizzle-orm'
import {
  type PeriodRule,
  periodAt,
  periodIndexOf,
  periodNamed,
} from '../../../../domain/budgets/periods.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'
import { MOST_TAKERS } from '../categories.rules.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'

// Lines of budgets when a category goes into another one: what they have goes where the bookings go. Areas of budgets cannot be
// asked, as they know categories.

/** A line that counts a category which goes into another one. */
export interface FollowingLine extends Omit<PeriodRule, 'count'> {
  lineId: string
  budgetId: string
  mode: 'envelope' | 'limit'
  /** 1 if it counts no other category. */
  isLast: 0 | 1
  /** The line of the budget that counts the other category, by its name or by that of one above it. */
  into: string | null
  /** 1 if the line itself names the other category. */
  namesBoth: 0 | 1
  version: number
  unitCount: number
  firstDay: string
  closedThrough: string | null
}

const CLOSED_THROUGH = sql.raw(
  '(SELECT max(k.period) FROM budget_closings k WHERE k.budget_id = l.budget_id)',
)

export const followingLines = (from: string, to: string): Statement<FollowingLine[]> =>
  db.all(sql`WITH RECURSIVE above(id, level) AS (SELECT ${to}, 0
      UNION ALL SELECT c.parent_id, level + 1 FROM above JOIN categories c ON c.id = above.id WHERE c.parent_id IS NOT NULL)
    SELECT l.id AS lineId, l.budget_id AS budgetId, l.version, b.mode, b.unit, b.unit_count AS unitCount, b.anchor, b.weekend,
      b.first_day AS firstDay, ${CLOSED_THROUGH} AS closedThrough,
      NOT EXISTS (SELECT 1 FROM budget_line_scopes other
        WHERE other.line_id = l.id AND other.until_period IS NULL AND other.target_id <> ${from}) AS isLast,
      EXISTS (SELECT 1 FROM budget_line_scopes other
        WHERE other.line_id = l.id AND other.until_period IS NULL AND other.target_id = ${to}) AS namesBoth,
      (SELECT o.line_id FROM above CROSS JOIN budget_line_scopes o ON o.target_id = above.id AND o.until_period IS NULL
          CROSS JOIN budget_lines t ON t.id = o.line_id AND t.archived_from IS NULL
        WHERE +o.budget_id = l.budget_id ORDER BY above.level LIMIT 1) AS "into"
    FROM budget_line_scopes s CROSS JOIN budget_lines l ON l.id = s.line_id AND l.archived_from IS NULL
      JOIN budgets b ON b.id = l.budget_id
    WHERE s.target_id = ${from} AND s.until_period IS NULL`)

/**
 * Returns the lines that end because another line counts their last category. A limit is not money that could go
 * there, so limits do not end.
 */
export const endingOf = (lines: readonly FollowingLine[]): FollowingLine[] =>
  lines.filter(
    ({ mode, isLast, into, lineId }) =>
      mode === 'envelope' && isLast === 1 && into !== null && into !== lineId,
  )

/** Returns the lines that count the other category from then on, because no line counts it yet. */
export const takersOf = (lines: readonly FollowingLine[]): string[] =>
  lines
    .filter(({ mode, into, namesBoth }) => (mode === 'envelope' ? into === null : namesBoth === 0))
    .map(({ lineId }) => lineId)
    .slice(0, MOST_TAKERS)

/** Nominal start of the first period that is not closed. */
function firstOpen({
  unit,
  unitCount,
  anchor,
  weekend,
  firstDay,
  closedThrough,
}: FollowingLine): string {
  const rule = { unit, count: unitCount, anchor, weekend }
  const closed = closedThrough === null ? undefined : periodNamed(rule, closedThrough)
  return periodAt(rule, closed ? closed.index + 1 : periodIndexOf(rule, firstDay)).nominal
}

/**
 * Ends lines that have lost their last category: from the first open period on, the line that counts the category which took it over
 * has what they have. Their amounts stay with them, unseen, so that they come back if the category does.
 */
export function endLines({ now }: SignedIn, lines: readonly FollowingLine[]): Statement[] {
  const ending = endingOf(lines).map((line) => ({ ...line, start: firstOpen(line) }))
  const stored = sql`json_each(${JSON.stringify(ending)}) e CROSS JOIN budget_lines l ON l.id = e.value->>'lineId'`
  const ids = among(ending.map(({ lineId }) => lineId))
  return ending.length === 0
    ? []
    : [
        refuseIf(
          sql`(SELECT count(*) FROM ${stored} CROSS JOIN budget_lines t ON t.id = e.value->>'into'
            WHERE l.version = e.value->>'version' AND l.archived_from IS NULL AND t.archived_from IS NULL
              AND ${CLOSED_THROUGH} IS e.value->>'closedThrough') <> ${ending.length}`,
          changedMeanwhile,
        ),
        db.run(sql`UPDATE budget_lines SET archived_from = e.value->>'start', archived_into = e.value->>'into',
            version = version + 1, updated_at = ${now}
          FROM json_each(${JSON.stringify(ending)}) e
          WHERE budget_lines.id = e.value->>'lineId' AND budget_lines.budget_id = e.value->>'budgetId'`),
        db.run(sql`UPDATE budget_lines SET parent_line_id = (SELECT l.parent_line_id FROM budget_lines l
            WHERE l.id = budget_lines.parent_line_id), version = version + 1
          WHERE parent_line_id IN ${ids} AND archived_from IS NULL
            AND budget_id IN ${among(ending.map(({ budgetId }) => budgetId))}`),
        ...amountsMoved(sql`l.id IN ${ids}`, '+'),
      ]
}

/** Adds the amounts of ended lines in open periods to those of the lines that took over, or takes them off again. */
const amountsMoved = (which: ReturnType<typeof sql>, sign: '+' | '-'): Statement[] => [
  db.run(sql`INSERT INTO budget_periods (budget_id, period, version)
    SELECT DISTINCT a.budget_id, a.period, 2 ${openAmounts(which)}
    ON CONFLICT (budget_id, period) DO UPDATE SET version = version + 1`),
  db.run(sql`INSERT INTO budget_amounts (budget_id, period, line_id, amount_minor)
    SELECT a.budget_id, a.period, l.archived_into, ${sql.raw(`sum(${sign}a.amount_minor)`)} ${openAmounts(which)}
    GROUP BY a.budget_id, a.period, l.archived_into
    ON CONFLICT (budget_id, period, line_id) DO UPDATE SET amount_minor = ifnull(amount_minor, 0) + excluded.amount_minor`),
  db.run(sql`DELETE FROM budget_checkpoints
    WHERE budget_id IN (SELECT l.budget_id FROM budget_lines l WHERE ${which})`),
]

const openAmounts = (which: ReturnType<typeof sql>) =>
  sql`FROM budget_lines l CROSS JOIN budget_amounts a ON a.line_id = l.id AND a.period >= l.archived_from AND a.amount_minor <> 0
    WHERE ${which} AND a.period > ifnull(${CLOSED_THROUGH}, '')`

/**
 * Has lines that count a category which goes to the trash count the one that takes its bookings, too: they keep both, as it may come
 * back.
 */
export const alsoCount = (from: string, to: string, takers: readonly string[]): Statement[] =>
  takers.length === 0
    ? []
    : [
        db.run(sql`INSERT INTO budget_line_scopes (line_id, target_id, from_period, budget_id, exclusive)
          SELECT s.line_id, ${to}, s.from_period, s.budget_id, s.exclusive FROM budget_line_scopes s
          WHERE s.target_id = ${from} AND s.until_period IS NULL AND s.line_id IN ${among(takers)}
          ON CONFLICT DO NOTHING`),
      ]

/**
 * Has the lines of budgets that count a category count another one instead. Where a line of the budget, or of a limit budget the
 * line itself, counts that one already in some of the same periods, it alone goes on counting it: the line itself in the periods of both.
 */
export const followInBudgets = (
  { caller, now }: SignedIn,
  { from, to }: { from: string; to: string },
  lines: readonly FollowingLine[],
): Statement[] => [
  db.run(sql`DELETE FROM budget_line_scopes
    WHERE target_id = ${from} AND line_id IN ${among(endingOf(lines).map(({ lineId }) => lineId))}`),
  db.run(sql`UPDATE budget_lines SET version = version + 1, updated_at = ${now}
    WHERE id IN (SELECT line_id FROM budget_line_scopes WHERE target_id = ${from})`),
  db.run(sql`UPDATE budget_line_scopes SET from_period = gone.from_period FROM budget_line_scopes gone
    WHERE budget_line_scopes.target_id = ${to} AND budget_line_scopes.exclusive = 0
      AND gone.target_id = ${from} AND gone.line_id = budget_line_scopes.line_id
      AND gone.from_period < budget_line_scopes.from_period
      AND budget_line_scopes.until_period IS gone.until_period`),
  db.run(sql`UPDATE OR IGNORE budget_line_scopes SET target_id = ${to}
    WHERE target_id = ${from} AND NOT EXISTS (SELECT 1 FROM budget_line_scopes other
      WHERE other.target_id = ${to} AND other.budget_id = budget_line_scopes.budget_id
        AND (budget_line_scopes.exclusive = 1 OR other.line_id = budget_line_scopes.line_id)
        AND other.from_period < ifnull(budget_line_scopes.until_period, '~')
        AND budget_line_scopes.from_period < ifnull(other.until_period, '~'))`),
  db.run(sql`DELETE FROM budget_line_scopes WHERE target_id = ${from}`),
  // The budgets that can name income categories of the caller.
  db.run(sql`UPDATE budgets SET income_in_next_period = (SELECT json_group_array(DISTINCT
        iif(named.value = ${from}, ${to}, named.value)) FROM json_each(budgets.income_in_next_period) named),
      version = version + 1, updated_at = ${now}
    WHERE id IN (SELECT b.id FROM budgets b WHERE ${ownedBy(caller, 'b.owner_id')}
        UNION SELECT b.id FROM group_members m JOIN budgets b ON b.group_id = m.group_id WHERE m.user_id = ${caller.userId}
        UNION SELECT b.id FROM accounts a JOIN account_receivers r ON r.account_id = a.id
          JOIN budgets b ON b.owner_id = r.user_id WHERE ${ownedBy(caller, 'a.owner_id')})
      AND EXISTS (SELECT 1 FROM json_each(budgets.income_in_next_period) named WHERE named.value = ${from})`),
]

/** Lines that ended with a category which comes back: those of the line that took over, if their names are free. */
const returning = (id: string) =>
  sql`l.id IN (SELECT s.line_id FROM budget_line_scopes s WHERE s.target_id = ${id} AND s.until_period IS NULL)
    AND l.archived_from IS NOT NULL
    AND EXISTS (SELECT 1 FROM budget_lines t WHERE t.id = l.archived_into AND t.archived_from IS NULL)
    AND NOT EXISTS (SELECT 1 FROM budget_lines t
      WHERE t.budget_id = l.budget_id AND t.name_key = l.name_key AND t.archived_from IS NULL)`

/**
 * Gives lines of budgets back what they had when a category of the caller went to the trash. In periods that were closed since it stays
 * where it is.
 * @param takers lines that count the category that took its bookings for it
 */
export const restoreLines = (
  ctx: SignedIn,
  { id, into, takers }: { id: string; into: string; takers: readonly string[] },
): Statement[] => [
  db.run(sql`DELETE FROM budget_line_scopes WHERE line_id IN ${among(takers)} AND target_id = ${into}
    AND EXISTS (SELECT 1 FROM categories c WHERE c.id = target_id AND ${ownedBy(ctx.caller, 'c.owner_id')})
    AND EXISTS (SELECT 1 FROM budget_line_scopes s WHERE s.line_id = budget_line_scopes.line_id AND s.target_id = ${id})`),
  ...amountsMoved(returning(id), '-'),
  db.run(sql`UPDATE budget_amounts SET amount_minor = NULL
    WHERE (budget_id, period, line_id) IN (SELECT a.budget_id, a.period, a.line_id FROM budget_lines l
      CROSS JOIN budget_amounts a ON a.line_id = l.id AND a.period BETWEEN l.archived_from AND ${CLOSED_THROUGH}
      WHERE ${returning(id)} AND a.amount_minor IS NOT NULL)`),
  db.run(sql`UPDATE budget_lines AS l SET archived_from = NULL, archived_into = NULL, version = version + 1,
    updated_at = ${ctx.now} WHERE ${returning(id)}`),
  // A line that cannot be restored counts it no more, so that another line can.
  db.run(sql`UPDATE budget_line_scopes SET until_period = (SELECT l.archived_from FROM budget_lines l WHERE l.id = line_id)
    WHERE target_id = ${id} AND until_period IS NULL
      AND EXISTS (SELECT 1 FROM budget_lines l WHERE l.id = line_id AND l.archived_from IS NOT NULL)`),
]
