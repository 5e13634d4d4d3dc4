import { sql } from 'drizzle-orm'
import { refuseIf, requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import type { LineRow } from './lines.rules.ts'

/** The amount that was set for a line in a period. */
export interface LineAmount {
  period: string
  amountMinor: number
}

export const amountsOfLine = (budgetId: string, lineId: string): Statement<LineAmount[]> =>
  db.all<LineAmount>(sql`SELECT a.period, a.amount_minor AS amountMinor FROM budget_amounts a
    WHERE a.budget_id = ${budgetId} AND a.line_id = ${lineId} AND a.amount_minor IS NOT NULL ORDER BY a.period`)

interface LineUses {
  /** 1 if figures of the past need the line: amounts of it, another line that ended in it, or a closed period. */
  isUsed: number
  /** 1 if anything was booked on its categories or on those below them. */
  isBooked: number
}

export const usesOfLine = (budgetId: string, lineId: string): Statement<LineUses[]> =>
  db.all<LineUses>(sql`WITH RECURSIVE covered(id) AS (
      SELECT s.target_id FROM budget_line_scopes s WHERE s.line_id = ${lineId} AND s.budget_id = ${budgetId}
      UNION SELECT below.id FROM covered CROSS JOIN categories below ON below.parent_id = covered.id)
    SELECT EXISTS (SELECT 1 FROM covered CROSS JOIN entries e ON e.category_id = covered.id) AS isBooked,
    EXISTS (SELECT 1 FROM budget_amounts a
      WHERE a.budget_id = ${budgetId} AND a.line_id = ${lineId} AND a.amount_minor IS NOT NULL)
    OR EXISTS (SELECT 1 FROM budget_line_changes c
      WHERE c.budget_id = ${budgetId} AND c.line_id = ${lineId} AND c.amount_minor IS NOT NULL)
    OR EXISTS (SELECT 1 FROM budget_lines l WHERE l.budget_id = ${budgetId} AND l.archived_into = ${lineId})
    OR EXISTS (SELECT 1 FROM budget_closings k WHERE k.budget_id = ${budgetId} AND instr(k.image, ${lineId}) > 0)
    AS isUsed`)

/** Refuses when amounts of the line were set since they were read. */
export const mustHaveAmounts = (
  { id, budgetId }: LineRow,
  amounts: readonly LineAmount[],
): Statement =>
  refuseIf(
    sql`(SELECT ifnull(group_concat(found, ','), '') FROM (SELECT a.period || ' ' || a.amount_minor AS found
      FROM budget_amounts a WHERE a.budget_id = ${budgetId} AND a.line_id = ${id} AND a.amount_minor IS NOT NULL
      ORDER BY a.period)) <> ${amounts.map((one) => `${one.period} ${one.amountMinor}`).join()}`,
    changedMeanwhile,
  )

/** Raises the versions of the periods from one on in which the line has amounts. */
export const raisePeriodsOfLine = ({ id, budgetId }: LineRow, from: string): Statement =>
  db.run(sql`INSERT INTO budget_periods (budget_id, period, version)
    SELECT a.budget_id, a.period, 2 FROM budget_amounts a
    WHERE a.budget_id = ${budgetId} AND a.line_id = ${id} AND a.period >= ${from} AND a.amount_minor <> 0
    ON CONFLICT (budget_id, period) DO UPDATE SET version = version + 1`)

/** Adds the amounts of a line from a period on to those of another one. */
export const giveAmounts = ({ id, budgetId }: LineRow, into: string, from: string): Statement =>
  db.run(sql`INSERT INTO budget_amounts (budget_id, period, line_id, amount_minor)
    SELECT a.budget_id, a.period, ${into}, a.amount_minor FROM budget_amounts a
    WHERE a.budget_id = ${budgetId} AND a.line_id = ${id} AND a.period >= ${from} AND a.amount_minor <> 0
    ON CONFLICT (budget_id, period, line_id)
      DO UPDATE SET amount_minor = ifnull(amount_minor, 0) + excluded.amount_minor`)

/** Takes the amounts of a line away, from a period on. */
export const clearAmounts = ({ id, budgetId }: LineRow, from: string): Statement =>
  db.run(sql`UPDATE budget_amounts SET amount_minor = NULL
    WHERE budget_id = ${budgetId} AND line_id = ${id} AND period >= ${from} AND amount_minor IS NOT NULL`)

/** Ends what a line counts with a period. */
const endScope = ({ id, budgetId }: LineRow, from: string): Statement =>
  db.run(sql`UPDATE budget_line_scopes SET until_period = ${from}
    WHERE line_id = ${id} AND +budget_id = ${budgetId} AND until_period IS NULL`)

/** Ends what a line counts with a period. From there on another line counts it, if one is named. */
export const passScope = (line: LineRow, into: string | null, from: string): Statement[] =>
  into === null
    ? [endScope(line, from)]
    : [
        // Only one line of an envelope budget may name a category, so that these rows become exclusive last.
        db.run(sql`INSERT INTO budget_line_scopes (line_id, target_id, from_period, budget_id, exclusive)
          SELECT ${into}, s.target_id, ${from}, s.budget_id, 0 FROM budget_line_scopes s
          WHERE s.line_id = ${line.id} AND s.until_period IS NULL AND NOT EXISTS (SELECT 1 FROM budget_line_scopes o
            WHERE o.line_id = ${into} AND o.target_id = s.target_id AND o.until_period IS NULL)
          ON CONFLICT (line_id, target_id, from_period) DO UPDATE SET until_period = NULL, exclusive = 0`),
        endScope(line, from),
        db.run(sql`UPDATE budget_line_scopes
          SET exclusive = (SELECT b.mode = 'envelope' FROM budgets b WHERE b.id = budget_line_scopes.budget_id)
          WHERE line_id = ${into} AND +budget_id = ${line.budgetId} AND until_period IS NULL`),
      ]

/** Shows the lines below a line where the line was. */
export const liftLinesBelow = ({ id, budgetId, parentLineId }: LineRow): Statement =>
  db.run(sql`UPDATE budget_lines SET parent_line_id = ${parentLineId}, version = version + 1
    WHERE budget_id = ${budgetId} AND parent_line_id = ${id} AND archived_from IS NULL`)

/** Erases a line that no figure needs. Refuses when it was changed since it was read. */
export const eraseLine = ({ id, budgetId, version }: LineRow): Statement[] => [
  db.run(sql`DELETE FROM budget_alerts WHERE line_id = ${id} AND budget_id = ${budgetId}`),
  db.run(sql`DELETE FROM budget_amounts WHERE line_id = ${id} AND budget_id = ${budgetId}`),
  db.run(sql`DELETE FROM budget_line_scopes WHERE line_id = ${id} AND +budget_id = ${budgetId}`),
  db.run(sql`DELETE FROM budget_line_changes WHERE budget_id = ${budgetId} AND line_id = ${id}`),
  db.run(sql`DELETE FROM budget_lines
    WHERE id = ${id} AND budget_id = ${budgetId} AND version = CAST(${version} AS INTEGER)`),
  requireChangedOne(changedMeanwhile),
]
