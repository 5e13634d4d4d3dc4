import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { BudgetRow } from '../budgets.rules.ts'
import type { EnvelopePeriod, LimitPeriod } from '../figures/envelopes.rules.ts'
import type { LineRow } from '../lines/lines.rules.ts'

/** A period with all that is shown of it. */
export type FoundPeriod = {
  budget: BudgetRow
  today: CalendarDate
  /** In the order in which they are shown. */
  lines: LineRow[]
  note: string | null
  /** By line. */
  lineNotes: Record<string, string>
  version: number
  ratesAsOf: CalendarDate | undefined
} & ({ mode: 'envelope'; of: EnvelopePeriod } | { mode: 'limit'; of: LimitPeriod })

/** The amounts of a line in a period, in minor units. */
export interface LineStanding {
  lineId: string
  name: string
  /** The assigned amount; for a limit its amount. */
  assigned: number
  /** Less refunds. */
  spent: number
  /** With what was carried in; negative if more was spent than there was. */
  left: number
}

/**
 * Returns the amounts of the lines of a period, in their order. Payment lines of cards are left out, because nothing is
 * spent on them.
 */
export function lineStandings(found: FoundPeriod): LineStanding[] {
  const rows =
    found.mode === 'envelope'
      ? found.of.figures.lines.map(({ lineId, assigned, activity, available }) => ({
          ...{ lineId, assigned },
          spent: 0 - activity,
          left: available,
        }))
      : found.of.figures.lines.map(({ lineId, amount, spent, remaining }) => ({
          ...{ lineId, spent },
          assigned: amount,
          left: remaining,
        }))
  const byLine = new Map(rows.map((row) => [row.lineId, row]))
  return found.lines.flatMap(({ id, name }) => {
    const row = byLine.get(id)
    return row ? [{ name, ...row }] : []
  })
}
