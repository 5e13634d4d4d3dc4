import { addDays, type CalendarDate, firstOfMonth } from '../../../domain/calendar.ts'
import { convertForDisplay, isStale } from '../../../domain/exchange.ts'
import { isOfMonths, type ReportInterval } from '../../../domain/reports/intervals.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { nothing } from '../../../platform/database/statements.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import { ratesOnDays, ratesThrough } from '../exchange-rates/exchange-rates.public.ts'
import { balanceUpTo, movements } from '../../../ledger/search/search.public.ts'
import { accountErrors } from './accounts.errors.ts'
import { accountById, type AccountRow, currencyOfAccount } from './accounts.queries.ts'
import { balancesAt, requirePoints, type BalanceSpan } from './accounts.rules.ts'

export interface BalanceAt {
  account: AccountRow
  date: CalendarDate
  balance: bigint
  cleared: bigint
  reconciled: bigint
}

/** The balances of an account at the end of a day, in minor units. */
export async function getAccountBalance(
  ctx: SignedIn,
  id: string,
  date: CalendarDate,
): Promise<BalanceAt> {
  const [[view], [sums]] = await read(ctx, accountById(ctx, id), balanceUpTo(id, date))
  if (!view || !sums) {
    throw accountErrors.notFound()
  }
  return {
    account: view.account,
    date,
    balance: fromWideSum(sums.balance),
    cleared: fromWideSum(sums.cleared),
    reconciled: fromWideSum(sums.reconciled),
  }
}

export interface BalanceHistory {
  account: AccountRow
  interval: ReportInterval
  /** The currency that the balances are converted into, if any. */
  into: string | undefined
  points: BalancePoint[]
}

export interface BalancePoint {
  date: CalendarDate
  minor: bigint
  /** Undefined without a wanted currency, or without a rate to it by that day. */
  converted?:
    | { minor: bigint; currency: string; rate: string; rateDate: string | null; stale: boolean }
    | undefined
}

/**
 * The balance at the end of each interval of a span; with a currency also converted into it, by the
 * rate of each day. Costs periods, however much was booked, and the rates in the span.
 */
export async function getBalanceHistory(
  ctx: SignedIn,
  id: string,
  { currency, ...span }: BalanceSpan & { currency?: string | undefined },
): Promise<BalanceHistory> {
  const { to, interval } = span
  const days = requirePoints(span, accountErrors)
  const byMonth = isOfMonths(interval)
  const from = byMonth ? firstOfMonth(span.from) : span.from
  const [[view], [before], moved, rates] = await read(
    ctx,
    accountById(ctx, id),
    balanceUpTo(id, addDays(from, -1)),
    movements(id, { from, to, byMonth }),
    currency === undefined
      ? nothing<never>()
      : ratesThrough(
          ctx,
          { first: days[0], last: to, interval },
          currencyOfAccount(ctx, id),
          currency,
        ),
  )
  if (!view || !before) {
    throw accountErrors.notFound()
  }
  const { account } = view
  const steps = moved.map((one) => ({ period: one.period, minor: fromWideSum(one.moved) }))
  const points = balancesAt(days, fromWideSum(before.balance), steps)
  if (currency === undefined) {
    return { account, interval, into: undefined, points }
  }
  const finders = ratesOnDays(rates, days, {
    target: currency,
    base: profileOf(ctx).baseCurrency,
  })
  const convert = ({ minor, date }: BalancePoint, at: number): BalancePoint['converted'] => {
    const chosen = finders[at]?.(account.currency)
    return (
      chosen && {
        minor: convertForDisplay(minor, account.currency, currency, chosen.rate),
        currency,
        rate: chosen.rateText,
        rateDate: chosen.date ?? null,
        stale: isStale(chosen, date),
      }
    )
  }
  return {
    account,
    interval,
    into: currency,
    points: points.map((point, at) => ({ ...point, converted: convert(point, at) })),
  }
}
