import type { FoundPeriod } from './periods.rules.ts'

/** The amounts of a line in a period, in minor units. */
export interface LineStanding {
  lineId: string
  name: string
  /** Of a limit its amount. */
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
export function standingsOf(found: FoundPeriod): LineStanding[] {
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
