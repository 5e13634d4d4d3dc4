import { addDays, type CalendarDate } from '../../../../domain/calendar.ts'
import { convert, type ChosenRate } from '../../../../domain/exchange.ts'
import { sum, toMinor } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import { viewerOf } from '../../../identity/access/access.public.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { accountsInsideOf, budgetById } from '../budgets.queries.ts'
import {
  type BudgetRow,
  existingBudget,
  firstOpenIndex,
  modeError,
  requirePeriod,
} from '../budgets.rules.ts'
import { askedOf, ratesFor } from '../figures/figures.queries.ts'
import { ratesOn } from '../figures/figures.rules.ts'
import { dayOfPeriod, withinRange } from '../figures/figures.usecases.ts'
import { linesOfBudget, unpackLine } from '../lines/lines.queries.ts'
import { existingLine } from '../lines/lines.rules.ts'
import { seenLines, withPaymentLines } from '../lines/deletion.usecases.ts'
import { pageOfBudgetRows, countOfRows } from './rows.queries.ts'
import type { CountedRow, WhichRows } from './rows.rules.ts'

/** A row with what it counts in the currency of the budget; without a rate it counts nowhere. */
export interface ConvertedRow {
  row: CountedRow
  budget: BudgetRow
  rate: ChosenRate | undefined
  countedMinor: number | undefined
}

/** Whenever it is, somewhere it is one of these days. */
const daysAround = (day: CalendarDate): CalendarDate[] => [addDays(day, -1), day, addDays(day, 1)]

/** Before all budgets. */
const EARLIEST = '1900-01-10'

/**
 * The rows that make up a figure of a line in a period. One trip: the statements work out by themselves what the line counts, and
 * on which days. Where today decides it, they answer for each period that may be the current one.
 */
export async function listLineTransactions(
  ctx: SignedIn,
  budgetId: string,
  lineId: string,
  { period: named, which = 'activity' }: { period: string; which?: WhichRows | undefined },
  page: PageRequest,
): Promise<Page<ConvertedRow>> {
  const day = dayOfPeriod(ctx, named)
  const asked = askedOf(ctx, budgetId, { from: which === 'late' ? EARLIEST : day, to: day })
  const days = JSON.stringify(daysAround(day))
  const askedRows = { ...viewerOf(ctx), id: budgetId, lineId, which, named, days }
  const [[found], stored, accounts, rates, rows, counts] = await read(
    ctx,
    budgetById(ctx, budgetId),
    linesOfBudget(asked),
    accountsInsideOf(ctx, budgetId),
    ratesFor(asked),
    pageOfBudgetRows(askedRows, page),
    countOfRows(askedRows),
  )
  const budget = existingBudget(found)
  const period = requirePeriod(ctx, budget, named)
  const lines = seenLines(budget, withPaymentLines(budget, stored.map(unpackLine), accounts))
  const line = existingLine(lines.find(({ id }) => id === lineId))
  if (which === 'late' && budget.mode === 'limit') {
    throw modeError(budget, '`what=late`', 'what')
  }
  if (which === 'moved' && line.kind !== 'cardPayment') {
    throw budgetErrors.notPaymentLine({ field: 'what' })
  }
  const slot = which === 'late' ? '' : period.nominal
  const isMeant = (row: { slot: string; card: string }) =>
    row.slot === slot && row.card === (line.accountId ?? '')
  const isShown = which !== 'late' || period.index === firstOpenIndex(budget)
  if (!isShown) {
    return { rows: [], count: 0, next: null }
  }
  const meant = rows.filter(isMeant)
  const rateOn = ratesOn(
    { budget, rates },
    meant.map((row) => row.date),
  )
  const converted = (row: CountedRow): ConvertedRow => {
    const rate = rateOn(row.currency, row.date)
    return { row, budget, rate, countedMinor: rate && countedOf(row, budget, rate) }
  }
  const { rows: shown, next } = cutPage(meant, page, (row) => [
    row.date,
    row.transactionId,
    String(row.line),
  ])
  const count = counts.find(isMeant)?.count ?? 0
  return withinRange(() => ({ rows: shown.map(converted), count, next }))
}

/** The converted running sum up to the row less that before it: so the rows add up to the converted sum of their day. */
function countedOf(
  { running, minor, currency }: CountedRow,
  budget: BudgetRow,
  { rate }: ChosenRate,
): number {
  const inBudget = (sums: number[]) => convert(sum(sums), currency, budget.currency, rate)
  const total = toMinor(fromWideSum(running))
  return inBudget([total]) - inBudget([total, -minor])
}
