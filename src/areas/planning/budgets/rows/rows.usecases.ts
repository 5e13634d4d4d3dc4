import { convert, type ChosenRate } from '../../../../domain/exchange.ts'
import { sum } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { accountsInsideOf, budgetById } from '../budgets.queries.ts'
import { type BudgetRow, existingBudget, requirePeriod } from '../budgets.rules.ts'
import { askedOf, categoriesOf, ratesFor, scopesOf } from '../figures/figures.queries.ts'
import { ratesOn } from '../figures/figures.rules.ts'
import { dayOf, withinRange } from '../figures/figures.usecases.ts'
import { linesOf, unpackLine } from '../lines/lines.queries.ts'
import { existingLine } from '../lines/lines.rules.ts'
import { withPaymentLines } from '../lines/payment-lines.usecases.ts'
import { countOfRows, pageOfRows } from './rows.queries.ts'
import { type CountedRow, wantedRows } from './rows.rules.ts'

/** A row with what it counts in the currency of the budget; without a rate it counts nowhere. */
export interface ConvertedRow {
  row: CountedRow
  budget: BudgetRow
  rate: ChosenRate | undefined
  countedMinor: number | undefined
}

/** The rows that make up the activity of a line in a period. Two trips: what a line counts has to be known first. */
export async function listLineTransactions(
  ctx: SignedIn,
  budgetId: string,
  lineId: string,
  named: string,
  page: PageRequest,
): Promise<Page<ConvertedRow>> {
  const day = dayOf(ctx, named)
  const asked = askedOf(ctx, budgetId, { from: day, to: day })
  const [[found], stored, accounts, scopes, categories, rates] = await read(
    ctx,
    budgetById(ctx, budgetId),
    linesOf(asked),
    accountsInsideOf(ctx, budgetId),
    scopesOf(asked),
    categoriesOf(asked),
    ratesFor(asked),
  )
  const budget = existingBudget(found)
  const period = requirePeriod(ctx, budget, named)
  const lines = withPaymentLines(budget, stored.map(unpackLine), accounts)
  const line = existingLine(lines.find(({ id }) => id === lineId))
  const wanted = wantedRows({ budget, accounts, lines, scopes, categories }, line, period)
  if (!wanted) {
    return { rows: [], count: 0, next: null }
  }
  const [rows, [total]] = await read(ctx, pageOfRows(ctx, wanted, page), countOfRows(ctx, wanted))
  const rateOn = ratesOn(
    { budget, rates },
    rows.map((row) => row.date),
  )
  const converted = (row: CountedRow): ConvertedRow => {
    const rate = rateOn(row.currency, row.date)
    return { row, budget, rate, countedMinor: rate && countedOf(row, budget, rate) }
  }
  const { rows: shown, next } = cutPage(rows, page, ({ date, transactionId, line: at }) => [
    date,
    transactionId,
    String(at),
  ])
  return withinRange(() => ({ rows: shown.map(converted), count: total?.count ?? 0, next }))
}

/** The converted running sum up to the row less that before it: so the rows add up to the converted sum of their day. */
function countedOf(
  { running, minor, currency }: CountedRow,
  budget: BudgetRow,
  { rate }: ChosenRate,
): number {
  const inBudget = (sums: number[]) => convert(sum(sums), currency, budget.currency, rate)
  return inBudget([running]) - inBudget([running, -minor])
}
