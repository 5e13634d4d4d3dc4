import { csvLine, guardCell } from '../../../../domain/csv/writing.ts'
import { NONE } from '../../../../domain/reports/rows.ts'
import type { CashFlowReport, FlowsModel, IncomeStatement, Spending } from './flows.usecases.ts'
import { presentCashFlow, presentIncomeStatement, presentSpending } from './presented.contract.ts'

// A line for each row and interval, in each currency; then the lines `total`, `excluded`, `unconverted` and `warning`. The figures are
// those of the JSON answer.

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
const CASH = ['opening', 'in', 'out', 'otherAccounts', 'adjustments', 'exchange', 'currencyEffect']
const RATES = ['ratesAsOf', 'rateDate', 'days']

const COLUMNS = {
  statement: [...ROWS, 'depth', ...DAYS, ...OF_ROW, ...STATEMENT, ...RATES],
  spending: [...ROWS, ...DAYS, ...OF_ROW, 'earned', 'spent', ...RATES],
  cash: ['row', 'key', ...DAYS, ...CASH, 'closing', 'earned', 'spent', ...RATES],
}

/** Sums in the currency of a report, or in each by itself. */
type Sums = object & { byCurrency?: Line[] | undefined }

const inCurrencies = ({ currency }: FlowsModel, { byCurrency, ...sums }: Sums): Line[] =>
  byCurrency ?? [{ ...sums, currency }]

/** The lines of a row. Its share is that of the whole span. */
const linesOfRow = (
  model: FlowsModel,
  { periods, ...row }: Sums & { periods: Sums[] },
  line: Line,
): Line[] => {
  const shares = inCurrencies(model, row).map(({ share }) => share)
  return periods.flatMap((sums, at) =>
    inCurrencies(model, sums).map((one, index) => ({
      ...{ ...row, byCurrency: undefined, ...line },
      ...{ ...model.periods[at], ...one, share: shares[index] },
    })),
  )
}

const spanOfModel = ({ span, ratesAsOf }: FlowsModel): Line => ({ ...span, ratesAsOf })

/** The lines of one sum. */
const linesOf = (model: FlowsModel, sums: Sums, line: Line): Line[] =>
  inCurrencies(model, sums).map((one) => ({ ...one, ...line }))

/** The lines that every table ends with. */
const lastLines = (
  model: FlowsModel,
  { excluded, unconverted, warnings }: Omit<ReturnType<typeof presentCashFlow>, 'periods'>,
): Line[] => [
  ...linesOf(model, excluded, { row: 'excluded', ...model.span }),
  ...unconverted.map((one) => ({ row: 'unconverted', key: one.accountId, ...one })),
  ...warnings.map((one) => ({ row: 'warning', key: one.code, ...one })),
]

export function incomeStatementAsCsv(model: IncomeStatement): string {
  const answer = presentIncomeStatement(model)
  const rows = (['earned', 'spent'] as const).flatMap((side) =>
    answer[side].flatMap((row) =>
      linesOfRow(model, row, { row: side, key: row.categoryId ?? NONE }),
    ),
  )
  const periods = model.interval === undefined ? [] : answer.periods
  return tableOf(COLUMNS.statement, [
    ...rows,
    ...periods.flatMap((one, at) => linesOf(model, one, { row: 'total', ...model.periods[at] })),
    ...linesOf(model, answer.totals, { row: 'total', ...spanOfModel(model) }),
    ...lastLines(model, answer),
  ])
}

export function spendingAsCsv(model: Spending): string {
  const answer = presentSpending(model)
  const amount = (row: 'total' | 'overlap') =>
    linesOf(model, answer[row], { row, ...spanOfModel(model) }).map(({ amount: own, ...line }) => ({
      ...line,
      own,
    }))
  return tableOf(COLUMNS.spending, [
    ...answer.rows.flatMap((row) => linesOfRow(model, row, { row: row.kind })),
    ...amount('overlap'),
    ...amount('total'),
    ...lastLines(model, answer),
  ])
}

export function cashFlowAsCsv(model: CashFlowReport): string {
  const answer = presentCashFlow(model)
  const { periods, ratesAsOf } = model
  return tableOf(COLUMNS.cash, [
    ...answer.periods.flatMap((one, at) =>
      linesOf(model, one, { row: 'total', ...periods[at], ratesAsOf }),
    ),
    ...lastLines(model, answer),
  ])
}
