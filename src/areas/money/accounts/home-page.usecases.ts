import { type CalendarDate, dateInZone } from '../../../domain/calendar.ts'
import {
  chooseRate,
  type ChosenRate,
  convertForDisplay,
  isStale,
  type StoredRate,
} from '../../../domain/exchange.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { currenciesInUse } from '../currencies/currencies.public.ts'
import {
  ratesAsOf,
  type RateWarning,
  staleWarnings,
  storedRates,
} from '../exchange-rates/exchange-rates.public.ts'
import { type AccountView, visibleAccounts } from './accounts.queries.ts'
import { classOf } from './accounts.rules.ts'

/** Minor units of one currency; many balances together may be beyond the range of one. */
export interface BalanceTotals {
  assets: bigint
  liabilities: bigint
  netWorth: bigint
  budget: bigint
  offBudget: bigint
}

interface Converted {
  amountMinor: bigint
  rate: string
  rateDate: string | null
  stale: boolean
  chosen: ChosenRate
  day: CalendarDate
}

/** Accounts with their totals; in a currency, too, where they are rolled up into one. */
export interface RollUp {
  currency: string | null
  totals: BalanceTotals | null
  totalsByCurrency: { currency: string; totals: BalanceTotals }[]
  accounts: (AccountView & { converted: Converted | undefined })[]
  unconverted: AccountView[]
  ratesAsOf: string | null
  warnings: RateWarning[]
}

/**
 * The open accounts, own ones and those of others that the caller chose to count, with their totals; with a
 * currency, also rolled up into it by the newest rates. An account without a rate is listed apart and left out,
 * never counted as one or zero.
 */
export async function getHomePage(ctx: SignedIn, wanted: string | undefined): Promise<RollUp> {
  const isCounted = ({ seen }: AccountView) => seen.counts === 1
  if (wanted === undefined) {
    const [found] = await read(ctx, visibleAccounts(ctx))
    return rollUpAccounts(found.filter(isCounted), null, () => undefined)
  }
  // The user's own zone is known only after this read; a rate is a day's, so the day in UTC serves.
  const today = dateInZone(ctx.now, 'UTC')
  const [found, packed] = await read(
    ctx,
    visibleAccounts(ctx),
    ratesAsOf(ctx, today, currenciesInUse(ctx), wanted),
  )
  const { baseCurrency: base } = profileOf(ctx)
  const convert = converterInto(wanted, storedRates(packed, today), { base, day: today })
  return rollUpAccounts(found.filter(isCounted), wanted, convert)
}

/** Returns a conversion of balances into a currency by the rates that were read. */
export const converterInto =
  (wanted: string, rates: StoredRate[], { base, day }: { base: string; day: CalendarDate }) =>
  ({ account, balances }: AccountView): Converted | undefined => {
    const chosen = chooseRate(rates, account.currency, wanted, base)
    return (
      chosen && {
        amountMinor: convertForDisplay(
          balances.balanceMinor,
          account.currency,
          wanted,
          chosen.rate,
        ),
        rate: chosen.rateText,
        rateDate: chosen.date ?? null,
        stale: isStale(chosen, day),
        ...{ chosen, day },
      }
    )
  }

/** Sums up those of the accounts that are open. */
export function rollUpAccounts(
  found: AccountView[],
  currency: string | null,
  convertBalance: (view: AccountView) => Converted | undefined,
): RollUp {
  const accounts = found
    .filter(({ account }) => account.status === 'open')
    .map((view) => ({ ...view, converted: convertBalance(view) }))
  const byCurrency = [...Map.groupBy(accounts, ({ account }) => account.currency)]
  const rateDates = accounts.flatMap(({ converted }) => converted?.rateDate ?? [])
  return {
    currency,
    accounts,
    totals:
      currency === null
        ? null
        : totalsOf(accounts, ({ converted }) => converted?.amountMinor ?? 0n),
    totalsByCurrency: byCurrency
      .map(([code, group]) => ({
        currency: code,
        totals: totalsOf(group, ({ balances }) => BigInt(balances.balanceMinor)),
      }))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
    unconverted: currency === null ? [] : accounts.filter(({ converted }) => !converted),
    ratesAsOf: rateDates.toSorted()[0] ?? null,
    warnings: staleWarnings(
      accounts.flatMap(({ account, balances, converted }) =>
        converted
          ? [{ ...converted, currency: account.currency, minor: balances.balanceMinor }]
          : [],
      ),
    ),
  }
}

type Counted = RollUp['accounts'][number]

function totalsOf(accounts: Counted[], amountOf: (account: Counted) => bigint): BalanceTotals {
  const totalOf = (counts: (account: AccountView['account']) => boolean) =>
    accounts
      .filter((view) => counts(view.account))
      .reduce((total, view) => total + amountOf(view), 0n)
  return {
    assets: totalOf((account) => account.includeInNetWorth && classOf(account.type) === 'asset'),
    liabilities: totalOf(
      (account) => account.includeInNetWorth && classOf(account.type) === 'liability',
    ),
    netWorth: totalOf((account) => account.includeInNetWorth),
    budget: totalOf((account) => account.onBudget),
    offBudget: totalOf((account) => !account.onBudget),
  }
}
