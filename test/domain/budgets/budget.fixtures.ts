import {
  type Conversion,
  type Counted,
  convertSums,
} from '../../../src/domain/budgets/conversion.ts'
import {
  type AccountLine,
  countEnvelope,
  countLimits,
  type CountingRules,
} from '../../../src/domain/budgets/counting.ts'
import { type BudgetCategory, coverageOf } from '../../../src/domain/budgets/coverage.ts'
import {
  type EnvelopeClosing,
  type EnvelopeLine,
  firstEnvelopeState,
  foldEnvelopes,
} from '../../../src/domain/budgets/envelopes.ts'
import type { Flow, InsideAccount } from '../../../src/domain/budgets/flows.ts'
import {
  FIRST_LIMIT_STATE,
  foldLimits,
  type LimitClosing,
  type LimitLine,
} from '../../../src/domain/budgets/limits.ts'
import { chooseRate, convert, type RateOn, type StoredRate } from '../../../src/domain/exchange.ts'
import { formatMoney, parseMoney, sum } from '../../../src/domain/money.ts'

const BUDGET_CURRENCY = 'EUR'

export const cents = (text: string, currency = BUDGET_CURRENCY): number =>
  parseMoney(text, currency, { signed: true })

export const text = (minor: number): string => formatMoney(minor, BUDGET_CURRENCY)

/** The cells of a Markdown table without its head. */
export const table = (markdown: string): string[][] =>
  markdown
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

/** Months counted from one of them, such as 2026-01. */
export function monthsFrom(first: string): (day: string) => number {
  const count = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return (day) => count(day) - count(first)
}

export const account = (id: string, currency = BUDGET_CURRENCY, isCard = false): InsideAccount => ({
  id,
  currency,
  isCard,
})

export const category = (id: string, parentId: string | null = null): BudgetCategory => ({
  id,
  parentId,
  isExcluded: false,
})

/** A flow of cleared money. */
export const flow = (
  kind: Flow['flow'],
  accountId: string,
  day: string,
  amountMinor: number,
  { categoryId = '', counterAccountId = '', pendingMinor = 0 }: Partial<Flow> = {},
): Flow => ({ accountId, day, flow: kind, categoryId, counterAccountId, amountMinor, pendingMinor })

/** Spending on a category; money that comes back is negative. */
export const spend = (accountId: string, day: string, categoryId: string, amount: string): Flow =>
  flow('expense', accountId, day, 0 - cents(amount), { categoryId })

/** The rates that hold on a day, over EUR. */
export const ratesFrom =
  (rates: readonly StoredRate[]): RateOn =>
  (currency, day) => {
    const newestFirst = rates
      .filter(({ date }) => date <= day)
      .toSorted((one, other) => other.date.localeCompare(one.date))
    return chooseRate(newestFirst, currency, BUDGET_CURRENCY, BUDGET_CURRENCY)
  }

interface Books {
  accounts: readonly InsideAccount[]
  flows: readonly Flow[]
  hidden?: readonly Flow[]
  periods: number
  periodOf: (day: string) => number
  categories?: readonly BudgetCategory[]
  countPending?: boolean
  rateOn?: RateOn
}

type Scoped<Line> = Line & { categoryIds: readonly string[] }

export interface EnvelopeBooks extends Books {
  lines: (period: number) => Scoped<EnvelopeLine>[]
  carriedInto?: Record<string, string>
  /** What is assigned to payment lines, by card. */
  assignedToCards?: (card: string, period: number) => number
  heldMinor?: (period: number) => number
  /** The money on cash accounts before the first period, by account. */
  heldBefore?: Record<string, number>
  incomeInNextPeriod?: readonly string[]
  closings?: readonly EnvelopeClosing[]
  /** A day on which the rates of the end of the period hold. */
  endOf?: (period: number) => string
}

export interface LimitBooks extends Books {
  lines: (period: number) => Scoped<LimitLine>[]
  accountLines?: readonly AccountLine[]
  countTransfers?: boolean
  closings?: readonly LimitClosing[]
}

const SAME_CURRENCY = ratesFrom([])

const byCategory = ({ lines, accountLines = [] }: LimitBooks, period: number) =>
  lines(period).filter(({ id }) => !accountLines.some((line) => line.id === id))

function rulesOf(
  books: Books,
  linesOf: (period: number) => readonly { id: string; categoryIds: readonly string[] }[],
): CountingRules {
  const coverages = Array.from({ length: books.periods }, (_, period) =>
    coverageOf(books.categories ?? [], linesOf(period)),
  )
  return {
    accounts: new Map(books.accounts.map((one) => [one.id, one])),
    coverageIn: (period) => coverages[period] ?? coverageOf([], []),
    periodOf: books.periodOf,
    countPending: books.countPending ?? true,
  }
}

const convertAll = (counted: readonly Counted[], { rateOn = SAME_CURRENCY }: Books): Conversion =>
  convertSums(counted, BUDGET_CURRENCY, rateOn)

/** The balance of an account at the end of a period, without what is pending where that does not count. */
export function balanceOf(books: EnvelopeBooks, accountId: string, period: number): number {
  const moved = books.flows
    .filter((one) => one.accountId === accountId && books.periodOf(one.day) <= period)
    .map((one) => one.amountMinor - (books.countPending === false ? one.pendingMinor : 0))
  return sum([books.heldBefore?.[accountId] ?? 0, ...moved])
}

/** The money on cash accounts at the end of a period, each converted by itself. */
export function worthOf(books: EnvelopeBooks, period: number): number {
  const { accounts, rateOn = SAME_CURRENCY, endOf = () => '2026-12-31' } = books
  return sum(
    accounts
      .filter(({ isCard }) => !isCard)
      .map(({ id, currency }) => {
        const found = rateOn(currency, endOf(period))
        const balance = balanceOf(books, id, period)
        return found ? convert(balance, currency, BUDGET_CURRENCY, found.rate) : 0
      }),
  )
}

/** Works out all periods of an envelope budget from its flows. */
export function workOutEnvelopes(books: EnvelopeBooks): EnvelopeClosing[] {
  const rules = {
    ...rulesOf(books, books.lines),
    incomeInNextPeriod: new Set(books.incomeInNextPeriod ?? []),
  }
  const { sums } = convertAll(countEnvelope(books.flows, books.hidden ?? [], rules), books)
  const heldBefore = worthOf({ ...books, flows: [] }, -1)
  let state = firstEnvelopeState(heldBefore)
  return Array.from({ length: books.periods }, (_, period) => {
    const outcome = foldEnvelopes(state, {
      sums: sums.get(period) ?? new Map(),
      lines: books.lines(period),
      paymentLines: books.accounts
        .filter(({ isCard }) => isCard)
        .map(({ id }) => ({
          id: `pay-${id}`,
          accountId: id,
          assignedMinor: books.assignedToCards?.(id, period) ?? 0,
          owedMinor: 0 - balanceOf(books, id, period),
        })),
      carriedInto: books.carriedInto ?? {},
      heldMinor: books.heldMinor?.(period) ?? 0,
      worthMinor: worthOf(books, period),
      closing: books.closings?.[period],
    })
    state = outcome.after
    return outcome
  })
}

/** Works out all periods of a limit budget from its flows. */
export function workOutLimits(books: LimitBooks): LimitClosing[] {
  const { sums } = convertLimits(books)
  let state = FIRST_LIMIT_STATE
  return Array.from({ length: books.periods }, (_, period) => {
    const { topLines } = coverageOf(books.categories ?? [], byCategory(books, period))
    const outcome = foldLimits(state, {
      sums: sums.get(period) ?? new Map(),
      lines: books.lines(period),
      topLines,
      isByCategory: true,
      closing: books.closings?.[period],
    })
    state = outcome.after
    return outcome
  })
}

const convertLimits = (books: LimitBooks): Conversion =>
  convertAll(
    countLimits(books.flows, books.hidden ?? [], {
      ...rulesOf(books, (period) => byCategory(books, period)),
      countTransfers: books.countTransfers ?? false,
      accountLinesIn: () => books.accountLines ?? [],
    }),
    books,
  )
