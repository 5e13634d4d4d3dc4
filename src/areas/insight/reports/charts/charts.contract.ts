import { z } from '@hono/zod-openapi'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { type BarTable, drawBars } from '../../../../domain/charts/bars.ts'
import { drawColumns, type SeriesKind } from '../../../../domain/charts/columns.ts'
import { isolated } from '../../../../domain/charts/svg.ts'
import type { Theme } from '../../../../domain/charts/themes.ts'
import { joinPath } from '../../../../domain/csv/writing.ts'
import { formatMoney } from '../../../../domain/money.ts'
import type { DaySpan } from '../../../../domain/named-periods.ts'
import { REPORT_INTERVALS, type ReportInterval } from '../../../../domain/reports/intervals.ts'
import { NONE, OTHER, type ReportRow } from '../../../../domain/reports/rows.ts'
import { type Drawn, themeInput } from '../../../../http/files.ts'
import { IncomeStatementQuery, SpendingQuery } from '../flows/flows.contract.ts'
import type { IncomeStatement, Spending } from '../flows/flows.usecases.ts'
import { NetWorthHistoryQuery } from '../reports.contract.ts'
import type { NetWorthHistory } from '../reports.usecases.ts'

export const NetWorthChartQuery = NetWorthHistoryQuery.extend({ theme: themeInput })

// A chart has one currency.

export const IncomeStatementChartQuery = IncomeStatementQuery.extend({
  currency: NetWorthHistoryQuery.shape.currency,
  interval: z
    .enum(REPORT_INTERVALS)
    .default('month')
    .openapi({ description: 'Interval of the columns; weeks begin on Monday.', example: 'month' }),
  theme: themeInput,
})

export const SpendingChartQuery = SpendingQuery.omit({ interval: true, limit: true }).extend({
  currency: NetWorthHistoryQuery.shape.currency,
  theme: themeInput,
})

/** What a chart is drawn of, beside its figures. */
interface ChartFrame {
  heading: string
  span: DaySpan
  currency: string
  /** True if the user prefers that texts have no amounts. */
  hidesAmounts: boolean
  /** The accounts that are left out, at least in part, as there is no rate. */
  unconverted: readonly unknown[]
}

const textIn =
  ({ currency, hidesAmounts }: ChartFrame) =>
  (minor: bigint): string =>
    hidesAmounts ? '' : formatMoney(minor, currency)

/** The texts that name a chart; `facts` stand in its subtitle. */
function textsOf({ heading, span, currency, unconverted }: ChartFrame, ...facts: string[]) {
  const days = `${span.from} to ${span.to}`
  const left = unconverted.length
  const without = `${left} ${left === 1 ? 'account' : 'accounts'} without a rate`
  const parts = [days, currency, ...facts, ...(left === 0 ? [] : [without])]
  return { title: `${heading}, ${days}`, heading, subtitle: parts.join(' · ') }
}

interface ColumnFigures<Point> {
  interval: ReportInterval
  points: readonly Point[]
  series: [name: string, kind: SeriesKind, minorOf: (point: Point) => bigint][]
  nothing: string
}

function drawFigures<Point extends { date: CalendarDate; when?: string }>(
  frame: ChartFrame,
  theme: Theme = 'auto',
  { interval, points, series, nothing }: ColumnFigures<Point>,
): Drawn {
  const textOf = textIn(frame)
  const chart = {
    ...textsOf(frame, `by ${interval}`),
    ...{ interval, nothing, dates: points.map(({ date }) => date) },
    description: `Amounts in ${frame.currency} by ${interval}.`,
    series: series.map(([name, kind, minorOf]) => ({
      ...{ name, kind },
      values: points.map((point) => {
        const minor = minorOf(point)
        return { value: Number(minor), when: point.when ?? point.date, text: textOf(minor) }
      }),
    })),
    labelOf: (value: number) => textOf(BigInt(value)),
  }
  return { svg: drawColumns(chart, theme) }
}

/** Draws assets and liabilities as columns, and the net worth as a line. */
export function presentNetWorthChart(
  { interval, points, ...found }: NetWorthHistory,
  { from, to, theme }: DaySpan & { theme?: Theme | undefined },
): Drawn {
  return drawFigures({ ...found, heading: 'Net worth', span: { from, to } }, theme, {
    ...{ interval, points, nothing: 'The net worth is zero.' },
    series: [
      ['Assets', 'solid', ({ totals }) => totals.assets],
      ['Liabilities', 'striped', ({ totals }) => totals.liabilities],
      ['Net worth', 'line', ({ totals }) => totals.assets + totals.liabilities],
    ],
  })
}

/** Draws what was earned and spent as columns, and the net as a line. */
export function presentIncomeStatementChart(
  { periods, series, interval = 'month', currency = '', ...found }: IncomeStatement,
  { theme }: { theme?: Theme | undefined },
): Drawn {
  const points = (series.get(currency) ?? []).map((sums, at) => {
    const { from = '', to = '' } = periods[at] ?? {}
    return { ...sums, date: from, when: from === to ? from : `${from} to ${to}` }
  })
  return drawFigures({ ...found, heading: 'Earned and spent', currency }, theme, {
    ...{ interval, points, nothing: 'Nothing was earned or spent.' },
    series: [
      ['Earned', 'solid', ({ earned }) => earned],
      ['Spent', 'striped', ({ spent }) => spent],
      ['Net', 'line', ({ earned, spent }) => earned - spent],
    ],
  })
}

/** Draws a bar for each row, and for categories another one for what is not of their subcategories. */
export function presentSpendingChart(
  { rows, by, side, total, currency = '', ...found }: Spending,
  { theme = 'auto' }: { theme?: Theme | undefined },
): Drawn {
  const did = side === 'spent' ? 'Spent' : 'Earned'
  const frame: ChartFrame = { ...found, heading: `${did} by ${by}`, currency }
  const textOf = textIn(frame)
  const barOf = (minor: bigint) => ({ text: textOf(minor), from: 0, to: Number(minor) })
  const isTree = rows.some(({ depth }) => depth > 1)
  const bars = rows.map((row) => {
    const sums = row.byCurrency.get(currency)
    const [own, all] = [barOf(sums?.own ?? 0n), barOf(sums?.total ?? 0n)]
    return { name: nameOf(row, by), all, bars: isTree ? [own, all] : [all] }
  })
  const named = bars.slice(0, rows.filter(({ key }) => key !== OTHER).length)
  const [largest, smallest] = [named[0], named.at(-1)].map(
    (one) => one && `${isolated(one.name)} ${one.all.text}`.trimEnd(),
  )
  const extremes = largest && ` Largest of ${named.length}: ${largest}. Smallest: ${smallest}.`
  const sum = textOf(total.get(currency) ?? 0n)
  const sums = sum === '' ? [] : [`${sum} in all`]
  const table: BarTable = {
    ...textsOf(frame, ...sums),
    description: `${[`${frame.heading} in ${currency}`, ...sums].join(', ')}.${extremes ?? ''}`,
    columns: [
      ...(isTree ? [{ name: 'Own', kind: 'thin' as const }] : []),
      { name: isTree ? 'With subcategories' : did, kind: 'full' },
    ],
    rows: bars,
    nothing: `Nothing was ${side}.`,
  }
  return { svg: drawBars(table, theme) }
}

/** A name has what is above it behind itself, as long texts are cut at their end. */
function nameOf({ key, name, path }: ReportRow, by: Spending['by']): string {
  if (name === null) {
    return key === NONE ? `Without a ${by}` : key === OTHER ? 'Others' : `Unnamed ${by}`
  }
  return path.length === 1 ? name : `${name} (${joinPath(path.slice(0, -1))})`
}
