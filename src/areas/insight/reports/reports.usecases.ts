import { addDays, type CalendarDate, dateInZone, firstOfMonth } from '../../../domain/calendar.ts'
import { isOfMonths, type ReportInterval } from '../../../domain/reports/intervals.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import {
  type AccountView,
  balancesAt,
  classOf,
  requirePoints,
  type BalanceSpan,
  visibleAccounts,
} from '../../money/accounts/accounts.public.ts'
import {
  ratesOnDays,
  ratesThrough,
  type RateWarning,
  staleWarnings,
} from '../../money/exchange-rates/exchange-rates.public.ts'
import { balancesBefore, movementsByAccount } from '../../../ledger/search/search.public.ts'
import { amountsHidden, currenciesOfWorth } from './reports.queries.ts'
import {
  convertedMinor,
  convertedTotals,
  isUnconverted,
  pointErrorsOf,
  type WorthTotals,
  totalsOfWorths,
  type Valued,
} from './reports.rules.ts'

type Account = AccountView['account']

/** One point of the series of all accounts that count. */
interface Point {
  date: CalendarDate
  accounts: (Valued & { account: Account })[]
}

interface Worths {
  /** The currency that all is converted into. */
  currency: string
  base: string
  points: Point[]
  /** True if the caller prefers that charts have no amounts. */
  hidesAmounts: boolean
}

interface Days {
  /** The beginning of the first interval. */
  from: CalendarDate
  points: [CalendarDate, ...CalendarDate[]]
  interval: ReportInterval
}

/** Finds the balance of each account that counts on the day of each point, with the rate of that day; one trip. */
async function findWorths(
  ctx: SignedIn,
  { from, points: days, interval }: Days,
  wanted: string | undefined,
): Promise<Worths> {
  const [first] = days
  const to = days.at(-1) ?? first
  const byMonth = isOfMonths(interval)
  const start = byMonth ? firstOfMonth(from) : from
  const [views, before, moved, rates, hidden] = await read(
    ctx,
    visibleAccounts(ctx),
    balancesBefore(ctx, start),
    movementsByAccount(ctx, { from: start, to, byMonth }),
    ratesThrough(ctx, { first, last: to, interval }, currenciesOfWorth(ctx), wanted ?? null),
    amountsHidden(ctx),
  )
  const base = profileOf(ctx).baseCurrency
  const currency = wanted ?? base
  const finders = ratesOnDays(rates, days, { target: currency, base })
  const starts = new Map(before.map(({ accountId, balance }) => [accountId, fromWideSum(balance)]))
  const steps = Map.groupBy(moved, ({ accountId }) => accountId)
  const series = views
    .filter(({ account, seen }) => account.includeInNetWorth && seen.counts === 1)
    .map(({ account }) => {
      const movements = (steps.get(account.id) ?? []).map((one) => ({
        period: one.period,
        minor: fromWideSum(one.moved),
      }))
      return { account, balances: balancesAt(days, starts.get(account.id) ?? 0n, movements) }
    })
  return {
    currency,
    base,
    hidesAmounts: hidden.length > 0,
    points: days.map((date, at) => ({
      date,
      accounts: series.map(({ account, balances }) => ({
        account,
        class: classOf(account.type),
        currency: account.currency,
        minor: balances[at]?.minor ?? 0n,
        chosen: finders[at]?.(account.currency),
      })),
    })),
  }
}

export interface NetWorth {
  date: CalendarDate
  currency: string
  base: string
  totals: WorthTotals
  totalsByCurrency: { currency: string; totals: WorthTotals }[]
  accounts: (Point['accounts'][number] & { converted: bigint | undefined })[]
  unconverted: Point['accounts']
}

/** Returns the assets and debts at the end of a day; without a date, of today in the zone of the user. */
export async function getNetWorth(
  ctx: SignedIn,
  wanted: { date?: CalendarDate | undefined; currency?: string | undefined },
): Promise<NetWorth> {
  // The user's zone is known only after the read, so all days that may be today are read.
  const utc = dateInZone(ctx.now, 'UTC')
  const points: Days['points'] =
    wanted.date === undefined ? [addDays(utc, -1), utc, addDays(utc, 1)] : [wanted.date]
  const days = { from: points[0], points, interval: 'day' as const }
  const found = await findWorths(ctx, days, wanted.currency)
  const date = wanted.date ?? dateInZone(ctx.now, profileOf(ctx).timeZone)
  const all = found.points.find((point) => point.date === date)?.accounts ?? []
  // A closed account counts for as long as there was something on it.
  const accounts = all.filter(({ account, minor }) => account.status === 'open' || minor !== 0n)
  const { currency, base } = found
  return {
    date,
    currency,
    base,
    totals: convertedTotals(accounts, currency),
    totalsByCurrency: [...Map.groupBy(accounts, (one) => one.currency)]
      .map(([code, group]) => ({ currency: code, totals: totalsOfWorths(group) }))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
    accounts: accounts.map((one) => ({ ...one, converted: convertedMinor(one, currency) })),
    unconverted: accounts.filter(isUnconverted),
  }
}

export interface NetWorthHistory {
  currency: string
  interval: ReportInterval
  points: { date: CalendarDate; totals: WorthTotals; unconverted: number }[]
  /** Accounts that some points leave out, with the first and the last of these. */
  unconverted: { accountId: string; currency: string; from: CalendarDate; to: CalendarDate }[]
  warnings: RateWarning[]
  hidesAmounts: boolean
}

/** Net worth at the end of each interval: what was there on the day, at the rate of the day. */
export async function getNetWorthHistory(
  ctx: SignedIn,
  { currency: wanted, ...span }: BalanceSpan & { currency?: string | undefined },
  most?: number,
): Promise<NetWorthHistory> {
  const { from, to, interval } = span
  const days: Days = { from, points: requirePoints(span, pointErrorsOf(most), most), interval }
  const { currency, points, hidesAmounts } = await findWorths(ctx, days, wanted)
  const missing = points.flatMap(({ date, accounts }) =>
    accounts.filter(isUnconverted).map(({ account }) => ({ account, date })),
  )
  const byAccount = [...Map.groupBy(missing, ({ account }) => account).entries()]
  return {
    currency,
    interval,
    hidesAmounts,
    points: points.map(({ date, accounts }) => ({
      date,
      totals: convertedTotals(accounts, currency),
      unconverted: accounts.filter(isUnconverted).length,
    })),
    unconverted: byAccount.map(([account, [oldest, ...later]]) => ({
      accountId: account.id,
      currency: account.currency,
      from: oldest?.date ?? to,
      to: (later.at(-1) ?? oldest)?.date ?? to,
    })),
    warnings: staleWarnings(
      points.flatMap(({ date: day, accounts }) => accounts.map((one) => ({ ...one, day }))),
    ),
  }
}
