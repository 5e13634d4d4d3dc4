import { rows } from '../../support/api.ts'

/** Assigns an amount, in minor units, to a line in a period. */
export const assign = (
  budget: { id: string },
  line: { id: string },
  period: string,
  minor: number,
) =>
  rows(
    `INSERT INTO budget_amounts (budget_id, period, line_id, amount_minor) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET amount_minor = excluded.amount_minor`,
    budget.id,
    period,
    line.id,
    minor,
  )
