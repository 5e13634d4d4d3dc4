import { sql } from 'drizzle-orm'
import { requireChangedOne, refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import type { BudgetRow } from '../budgets.rules.ts'
import type { LineRow } from '../lines/lines.rules.ts'

/** A period as it was read. */
export interface SeenPeriod {
  budgetId: string
  /** Nominal start. */
  period: string
  version: number
}

/** Raises the version of what was decided about a period. Refuses when somebody else decided meanwhile. */
export const raisePeriod = (
  { budgetId, period, version }: SeenPeriod,
  refusal: Refusal = changedMeanwhile,
): Statement[] => [
  db.run(sql`INSERT INTO budget_periods (budget_id, period, version) VALUES (${budgetId}, ${period}, 1)
    ON CONFLICT (budget_id, period) DO NOTHING`),
  db.run(sql`UPDATE budget_periods SET version = version + 1
    WHERE budget_id = ${budgetId} AND period = ${period} AND version = ${version}`),
  requireChangedOne(refusal),
]

export const setPeriodNote = (seen: SeenPeriod, note: string | null): Statement[] => [
  ...raisePeriod(seen),
  db.run(sql`UPDATE budget_periods SET note = ${note}
    WHERE budget_id = ${seen.budgetId} AND period = ${seen.period}`),
]

export const setLineNote = (
  { budgetId, period }: SeenPeriod,
  lineId: string,
  note: string | null,
): Statement =>
  db.run(sql`INSERT INTO budget_amounts (budget_id, period, line_id, note)
    VALUES (${budgetId}, ${period}, ${lineId}, ${note})
    ON CONFLICT (budget_id, period, line_id) DO UPDATE SET note = excluded.note`)

interface NewClosing {
  budgetId: string
  /** Nominal start. */
  period: string
  image: string
  closedBy: string
  closedAt: number
}

export const insertClosing = ({
  budgetId,
  period,
  image,
  closedBy,
  closedAt,
}: NewClosing): Statement =>
  db.run(sql`INSERT INTO budget_closings (budget_id, period, image, closed_by, closed_at)
    VALUES (${budgetId}, ${period}, ${image}, ${closedBy}, ${closedAt})`)

/** Refuses when the budget is shared by now, and was not as it was read: a closing then keeps what is private. */
export const mustBeSharedAsRead = ({ id, isShared }: BudgetRow): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM shares WHERE budget_id = ${id}) <> ${isShared}`,
    changedMeanwhile,
  )

export const deleteClosing = (budgetId: string, period: string): Statement[] => [
  db.run(sql`DELETE FROM budget_closings WHERE budget_id = ${budgetId} AND period = ${period}`),
  requireChangedOne(changedMeanwhile),
]

/** Refuses when the budget, its lines or the closed periods are not as they were read. Bookings may differ: they count late. */
export const mustBeUnchangedBudget = (
  { id, version, closedThrough }: BudgetRow,
  lines: readonly LineRow[],
): Statement => {
  const versions = Object.fromEntries(lines.map((line) => [line.id, line.version]))
  // Payment lines have no policy, and are only shown as long as their card is inside.
  return refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM budgets WHERE id = ${id} AND version = ${version} AND deleted_at IS NULL)
      OR (SELECT max(period) FROM budget_closings WHERE budget_id = ${id}) IS NOT ${closedThrough}
      OR EXISTS (SELECT 1 FROM budget_lines l WHERE l.budget_id = ${id} AND l.kind = 'line'
        AND l.version IS NOT (SELECT value FROM json_each(${JSON.stringify(versions)}) WHERE key = l.id))`,
    changedMeanwhile,
  )
}
