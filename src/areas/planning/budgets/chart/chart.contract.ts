import { z } from '@hono/zod-openapi'
import { type BarTable, drawBars } from '../../../../domain/charts/bars.ts'
import { isolated, shown } from '../../../../domain/charts/svg.ts'
import type { Theme } from '../../../../domain/charts/themes.ts'
import { formatMoney } from '../../../../domain/money.ts'
import type { Drawn } from '../../../../http/images.ts'
import { periodName } from '../periods/periods.contract.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import { type LineStanding, standingsOf } from '../periods/standings.rules.ts'

export const GetBudgetChartQuery = z.strictObject({
  period: periodName.optional(),
  theme: z.enum(['light', 'dark']).optional().openapi({
    description: 'Colors of the image; those that the viewer prefers if left out.',
    example: 'dark',
  }),
})

/** Lines that are named in the description. */
const MOST_NAMED = 5

/** Draws what each line was assigned, has spent and has left. */
export function presentChart(found: FoundPeriod, theme: Theme): Drawn {
  return { svg: drawBars(tableOf(found), theme), version: found.version }
}

function tableOf(found: FoundPeriod): BarTable {
  const { budget, of, mode } = found
  const { start, end } = of.period
  const money = (minor: number) => formatMoney(minor, budget.currency)
  const lines = standingsOf(found)
  const days = `${start} to ${end}`
  return {
    title: `${isolated(budget.name)}, ${days}`,
    description: descriptionOf(lines, budget.currency),
    heading: shown(budget.name),
    subtitle: [days, budget.currency, ...(of.isClosed ? ['closed'] : []), sumOf(found)].join(' · '),
    columns: [
      { name: mode === 'envelope' ? 'Assigned' : 'Limit', kind: 'thin' },
      { name: 'Spent', kind: 'full' },
      { name: 'Left', kind: 'rest' },
    ],
    rows: lines.map(({ name, assigned, spent, left }) => ({
      name,
      bars: [
        { text: money(assigned), from: 0, to: assigned },
        { text: money(spent), from: 0, to: spent },
        { text: money(left), from: spent, to: spent + left },
      ],
    })),
    nothing: 'The budget has no lines in this period.',
  }
}

/** The figures of the budget as a whole that matter most. */
function sumOf(found: FoundPeriod): string {
  const money = (minor: number) => formatMoney(minor, found.budget.currency)
  if (found.mode === 'envelope') {
    return `${money(found.of.figures.toBeBudgeted)} to be budgeted`
  }
  const { spent, remaining } = found.of.figures
  return `${money(spent)} spent, ${money(remaining)} left`
}

function descriptionOf(lines: readonly LineStanding[], currency: string): string {
  const over = lines.filter(({ left }) => left < 0)
  const named = over
    .slice(0, MOST_NAMED)
    .map(({ name, left }) => `${isolated(name)} ${formatMoney(left, currency)}`)
  const more = over.length > MOST_NAMED ? ` and ${over.length - MOST_NAMED} more` : ''
  return [
    `Bars of what was assigned, spent and left in ${currency}, for each of ${lines.length} lines.`,
    over.length === 0 ? 'None is overspent.' : `Overspent: ${named.join(', ')}${more}.`,
  ].join(' ')
}
