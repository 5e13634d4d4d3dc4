import type { FoundPeriod } from './periods.rules.ts'

/** How a line stands in a period, in minor units. */
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

/** How the lines of a period stand, in their order. Payment lines of cards spend nothing, so they are not among them. */
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
