import { csvLine, guardCell } from '../../../../domain/csv/writing.ts'
import { formatMoney } from '../../../../domain/money.ts'
import type { ReportPeriod } from '../../../../domain/reports/intervals.ts'
import { percentOf } from '../../../../domain/reports/percent.ts'
import type { ReportRow } from '../../../../domain/reports/rows.ts'
import type { CashFlowReport, FlowsModel, IncomeStatement, Spending } from './flows.usecases.ts'
import {
  kindOfRow,
  pathIn,
  pathOfRow,
  presentCash,
  presentFlows,
  presentStatement,
  presentUnconverted,
} from './presented.contract.ts'

// A line for each row and interval, in each currency; then the lines `total`, `excluded` and `unconverted`.

/** A line of a table by its columns; what it leaves out is empty. */
type Line = Record<string, string | number | boolean | null | undefined>

const tableOf = (columns: readonly string[], lines: readonly Line[]): string =>
  [columns, ...lines.map((line) => columns.map((name) => guardCell(String(line[name] ?? ''))))]
    .map((cells) => csvLine(cells))
    .join('')

const DAYS = ['from', 'to', 'partial', 'currency']
const ROWS = ['row', 'key', 'name', 'path']
const OF_ROW = ['own', 'total', 'share']
const STATEMENT = ['earned', 'spent', 'net', 'savingsRate']
const CASH = ['opening', 'in', 'out', 'otherAccounts', 'adjustments', 'exchange']

const COLUMNS = {
  statement: [...ROWS, 'depth', ...DAYS, ...OF_ROW, ...STATEMENT, 'ratesAsOf'],
  spending: [...ROWS, ...DAYS, ...OF_ROW, 'earned', 'spent', 'ratesAsOf'],
  cash: [
    'row',
    'key',
    ...DAYS,
    ...CASH,
    'currencyEffect',
    'closing',
    'earned',
    'spent',
    'ratesAsOf',
  ],
}

/** A line in each currency of a report, or of a row of it. */
const inCurrencies = (currencies: Iterable<string>, line: Line, of: (code: string) => Line) =>
  [...currencies].toSorted().map((currency): Line => ({ ...line, currency, ...of(currency) }))

/** The lines of a row. Its share is that of the whole span. */
const linesOfRow = (
  { periods, currency }: FlowsModel,
  row: ReportRow,
  line: Line,
  totalIn: (code: string) => bigint,
): Line[] =>
  periods.flatMap((period: ReportPeriod, at) =>
    inCurrencies(
      currency === undefined ? row.byCurrency.keys() : [currency],
      { key: row.key, name: row.name, ...line, ...period },
      (code) => {
        const sums = row.byCurrency.get(code)
        return {
          own: formatMoney(sums?.periods[at]?.own ?? 0n, code),
          total: formatMoney(sums?.periods[at]?.total ?? 0n, code),
          share: percentOf(sums?.total ?? 0n, totalIn(code)),
        }
      },
    ),
  )

const spanOfModel = ({ span, ratesAsOf }: FlowsModel): Line => ({ ...span, ratesAsOf })

/** The lines that every table ends with. */
const lastLines = (model: FlowsModel): Line[] => [
  ...inCurrencies(
    model.currency === undefined ? model.excluded.keys() : [model.currency],
    { row: 'excluded', ...model.span },
    (code) => presentFlows(model.excluded.get(code) ?? { earned: 0n, spent: 0n }, code),
  ),
  ...presentUnconverted(model).map(({ accountId, ...one }) => ({
    ...{ row: 'unconverted', key: accountId },
    ...one,
  })),
]

export function incomeStatementAsCsv(model: IncomeStatement): string {
  const rows = (side: 'earned' | 'spent') =>
    model[side].flatMap((row) =>
      linesOfRow(
        model,
        row,
        { row: side, depth: row.depth, path: pathOfRow(row) },
        (code) => model.totals.get(code)?.[side] ?? 0n,
      ),
    )
  const periods = model.interval === undefined ? [] : model.periods
  return tableOf(COLUMNS.statement, [
    ...(['earned', 'spent'] as const).flatMap(rows),
    ...periods.flatMap((period, at) =>
      inCurrencies(model.currencies, { row: 'total', ...period }, (code) =>
        presentStatement(model.series.get(code)?.[at], code),
      ),
    ),
    ...inCurrencies(model.currencies, { row: 'total', ...spanOfModel(model) }, (code) =>
      presentStatement(model.totals.get(code), code),
    ),
    ...lastLines(model),
  ])
}

export function spendingAsCsv(model: Spending): string {
  const amount = (row: 'total' | 'overlap') =>
    inCurrencies(model.currencies, { row, ...spanOfModel(model) }, (code) => ({
      own: formatMoney(model[row].get(code) ?? 0n, code),
    }))
  return tableOf(COLUMNS.spending, [
    ...model.rows.flatMap((row) =>
      linesOfRow(
        model,
        row,
        { row: kindOfRow(model, row), path: pathIn(model, row) },
        (code) => model.total.get(code) ?? 0n,
      ),
    ),
    ...amount('overlap'),
    ...amount('total'),
    ...lastLines(model),
  ])
}

export const cashFlowAsCsv = (model: CashFlowReport): string =>
  tableOf(COLUMNS.cash, [
    ...model.periods.flatMap((period, at) =>
      inCurrencies(
        model.currencies,
        { row: 'total', ...period, ratesAsOf: model.ratesAsOf },
        (code) => presentCash(model, model.series.get(code)?.[at], code),
      ),
    ),
    ...lastLines(model),
  ])
