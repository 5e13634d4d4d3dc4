import { sql } from 'drizzle-orm'
import { requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../../platform/refusals.ts'
import { db, type Statement } from '../../../../platform/statements.ts'

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
