import { sql } from 'drizzle-orm'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { ofVersion } from '../../../../platform/database/refusals.ts'
import { among, db, itemsOf, type Statement } from '../../../../platform/database/statements.ts'
import { budgetErrors } from '../budgets.errors.ts'
import type { SeenPeriod } from '../periods/periods.queries.ts'
import type { SeenDecisions, StoredMovement } from './changes.rules.ts'

/** Somebody changed amounts since they were read. The change is checked anew once. */
export const amountsChangedMeanwhile = ofVersion(() => budgetErrors.changedMeanwhile())

/**
 * Refuses when what figures were worked out from was decided anew: amounts, holds or notes of any period, or the budget.
 * A decision about a period before the checkpoint deletes the checkpoint.
 */
export const mustBeAsSeen = ({ budget, checkpointPeriod, versions }: SeenDecisions): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM budgets WHERE id = ${budget.id} AND version = CAST(${budget.version} AS INTEGER))
      OR ${
        checkpointPeriod === undefined
          ? sql`false`
          : sql`NOT EXISTS (SELECT 1 FROM budget_checkpoints WHERE budget_id = ${budget.id} AND period = ${checkpointPeriod})`
      }
      OR (SELECT ifnull(sum(version), 0) FROM budget_periods
        WHERE budget_id = ${budget.id} AND period > ${checkpointPeriod ?? ''}) <> CAST(${versions} AS INTEGER)`,
    () => budgetErrors.changedMeanwhile(),
  )

/** Refuses a period that was closed meanwhile. */
export const mustBeOpen = ({ budgetId, period }: Omit<SeenPeriod, 'version'>): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM budget_closings WHERE budget_id = ${budgetId} AND period >= ${period})`,
    () => budgetErrors.periodClosed(),
  )

/** Refuses lines that are not there in a period any more. */
export const mustHaveLines = (
  { budgetId, period }: Omit<SeenPeriod, 'version'>,
  lineIds: readonly string[],
): Statement =>
  refuseIf(
    sql`(SELECT count(*) FROM budget_lines WHERE id IN ${among(lineIds)} AND budget_id = ${budgetId}
      AND (archived_from IS NULL OR archived_from > ${period})) <> CAST(${lineIds.length} AS INTEGER)`,
    () => budgetErrors.lineNotFound(),
  )

/** Changes what lines are assigned in a period by these amounts. */
export const addToAmounts = (
  { budgetId, period }: SeenPeriod,
  deltas: ReadonlyMap<string, number>,
): Statement =>
  db.run(sql`INSERT INTO budget_amounts (budget_id, period, line_id, amount_minor)
    SELECT ${budgetId}, ${period}, value->>'lineId', value->>'minor'
    FROM ${itemsOf(JSON.stringify([...deltas].map(([lineId, minor]) => ({ lineId, minor }))))} WHERE true
    ON CONFLICT (budget_id, period, line_id)
      DO UPDATE SET amount_minor = ifnull(amount_minor, 0) + excluded.amount_minor`)

/** Sets the limits of lines in a period; null for that of the line. */
export const setLimits = (
  { budgetId, period }: SeenPeriod,
  limits: ReadonlyMap<string, number | null>,
): Statement =>
  db.run(sql`INSERT INTO budget_amounts (budget_id, period, line_id, amount_minor)
    SELECT ${budgetId}, ${period}, value->>'lineId', value->>'minor'
    FROM ${itemsOf(JSON.stringify([...limits].map(([lineId, minor]) => ({ lineId, minor }))))} WHERE true
    ON CONFLICT (budget_id, period, line_id) DO UPDATE SET amount_minor = excluded.amount_minor`)

/** It stands behind what raises the version of the period, which stores its row. */
export const setHeld = ({ budgetId, period }: SeenPeriod, heldMinor: number): Statement =>
  db.run(sql`UPDATE budget_periods SET held_minor = CAST(${heldMinor} AS INTEGER)
    WHERE budget_id = ${budgetId} AND period = ${period}`)

export const insertMovements = (movements: readonly StoredMovement[]): Statement =>
  db.run(sql`INSERT INTO budget_movements
      (id, budget_id, period, from_line_id, to_line_id, amount_minor, kind, note, actor_id, created_at)
    SELECT value->>'id', value->>'budgetId', value->>'period', value->>'fromLineId', value->>'toLineId',
      value->>'amountMinor', value->>'kind', value->>'note', value->>'actorId', value->>'createdAt'
    FROM ${itemsOf(JSON.stringify(movements))}`)
