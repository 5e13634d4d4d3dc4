import type { z } from '@hono/zod-openapi'
import { joinPath } from '../../../../domain/csv/writing.ts'
import { formatMoney } from '../../../../domain/money.ts'
import type { CashPeriod } from '../../../../domain/reports/cash-flow.ts'
import { percentOf, savingsRate } from '../../../../domain/reports/percent.ts'
import { NONE, OTHER, type ReportRow } from '../../../../domain/reports/rows.ts'
import type {
  CashFlowResponse,
  IncomeStatementResponse,
  SpendingResponse,
} from './flows.contract.ts'
import type {
  CashFlowReport,
  FlowsModel,
  FlowSums,
  IncomeStatement,
  Spending,
} from './flows.usecases.ts'

/** The fields of a report's currency, or of each currency. */
function inEach<Fields extends object>(
  { currency }: Pick<FlowsModel, 'currency'>,
  currencies: Iterable<string>,
  fieldsIn: (code: string) => Fields,
): Partial<Fields> & { byCurrency?: ({ currency: string } & Fields)[] } {
  return currency === undefined
    ? ({
        byCurrency: [...currencies]
          .toSorted()
          .map((code) => ({ currency: code, ...fieldsIn(code) })),
      } as Partial<Fields> & { byCurrency: ({ currency: string } & Fields)[] })
    : fieldsIn(currency)
}

const presentFlows = ({ earned, spent }: FlowSums, code: string) => ({
  earned: formatMoney(earned, code),
  spent: formatMoney(spent, code),
})

const NOTHING: FlowSums = { earned: 0n, spent: 0n }

const presentStatement = (sums: FlowSums | undefined, code: string) => {
  const { earned, spent } = sums ?? NOTHING
  return {
    ...presentFlows({ earned, spent }, code),
    net: formatMoney(earned - spent, code),
    savingsRate: savingsRate(earned, spent),
  }
}

const presentFrame = ({ span, currency, interval }: FlowsModel) => ({
  ...{ from: span.from, to: span.to, currency: currency ?? null, interval: interval ?? null },
})

const presentUnconverted = ({ unconverted }: FlowsModel) =>
  unconverted.map(({ accountId, currency, minors, from, to }) => {
    const of = (side: string) => minors.get(side) ?? 0n
    const sums = { earned: of('earned') + of('in'), spent: of('spent') - of('out') }
    return { accountId, currency, ...presentFlows(sums, currency), from, to }
  })

const presentRemainder = (model: FlowsModel) => ({
  unconverted: presentUnconverted(model),
  excluded: inEach(model, model.excluded.keys(), (code) =>
    presentFlows(model.excluded.get(code) ?? NOTHING, code),
  ),
  ...{ ratesAsOf: model.ratesAsOf, warnings: model.warnings },
})

const pathOfRow = ({ path }: ReportRow): string | null =>
  path.length === 0 ? null : joinPath(path)

/** The sums of a row, with its share of a total. */
function presentRow(
  model: FlowsModel,
  { byCurrency }: ReportRow,
  totalIn: (code: string) => bigint,
) {
  const money = (code: string, sums: { own: bigint; total: bigint } | undefined) => ({
    own: formatMoney(sums?.own ?? 0n, code),
    total: formatMoney(sums?.total ?? 0n, code),
  })
  return {
    ...inEach(model, byCurrency.keys(), (code) => ({
      ...money(code, byCurrency.get(code)),
      share: percentOf(byCurrency.get(code)?.total ?? 0n, totalIn(code)),
    })),
    periods: model.periods.map(({ from }, at) => ({
      from,
      ...inEach(model, byCurrency.keys(), (code) => money(code, byCurrency.get(code)?.periods[at])),
    })),
  }
}

export const presentIncomeStatement = (
  model: IncomeStatement,
): z.infer<typeof IncomeStatementResponse> => {
  const rowsOf = (side: 'earned' | 'spent') =>
    model[side].map((row) => ({
      categoryId: row.key === NONE ? null : row.key,
      ...{ name: row.name, path: pathOfRow(row), depth: row.depth },
      ...presentRow(model, row, (code) => model.totals.get(code)?.[side] ?? 0n),
    }))
  return {
    ...presentFrame(model),
    periods: model.periods.map((period, at) => ({
      ...period,
      ...inEach(model, model.currencies, (code) =>
        presentStatement(model.series.get(code)?.[at], code),
      ),
    })),
    totals: inEach(model, model.currencies, (code) =>
      presentStatement(model.totals.get(code), code),
    ),
    earned: rowsOf('earned'),
    spent: rowsOf('spent'),
    ...presentRemainder(model),
  }
}

/** The path of a category; what else rows are of has none. */
const pathIn = ({ by }: Pick<Spending, 'by'>, row: ReportRow): string | null =>
  by === 'category' ? pathOfRow(row) : null

const kindOfRow = ({ by }: Pick<Spending, 'by'>, { key }: ReportRow) =>
  key === NONE || key === OTHER ? key : by

export const presentSpending = (model: Spending): z.infer<typeof SpendingResponse> => {
  const amounts = (sums: ReadonlyMap<string, bigint>) =>
    inEach(model, model.currencies, (code) => ({
      amount: formatMoney(sums.get(code) ?? 0n, code),
    }))
  return {
    ...presentFrame(model),
    by: model.by,
    rows: model.rows.map((row) => ({
      ...{ key: row.key, kind: kindOfRow(model, row), name: row.name },
      path: pathIn(model, row),
      ...presentRow(model, row, (code) => model.total.get(code) ?? 0n),
    })),
    ...{ total: amounts(model.total), overlap: amounts(model.overlap) },
    ...presentRemainder(model),
  }
}

/** The sums of a period; converted, what rates did stands in place of what was exchanged. */
const presentCash = (model: FlowsModel, period: CashPeriod | undefined, code: string) => {
  const of = (name: keyof CashPeriod) => formatMoney(period?.[name] ?? 0n, code)
  return {
    ...{ opening: of('opening'), in: of('in'), out: of('out') },
    ...{ otherAccounts: of('otherAccounts'), adjustments: of('adjustments') },
    [model.currency === undefined ? 'exchange' : 'currencyEffect']: of('exchange'),
    closing: of('closing'),
  }
}

export const presentCashFlow = (model: CashFlowReport): z.infer<typeof CashFlowResponse> => ({
  ...presentFrame(model),
  periods: model.periods.map((period, at) => ({
    ...period,
    ...inEach(model, model.currencies, (code) =>
      presentCash(model, model.series.get(code)?.[at], code),
    ),
  })),
  ...presentRemainder(model),
})
