import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import {
  filterFrom,
  type HiddenLine,
  hiddenLines,
  isByPeriod,
  type LedgerDay,
  ledgerDays,
  type LedgerFilter,
  ledgerPage,
  type LedgerTotals,
  positionOf,
  type SentFilter,
  sumsOfHidden,
  type Sort,
} from '../../../../ledger/search/search.public.ts'
import { type LedgerRow } from '../../../../ledger/ledger.public.ts'
import {
  BASE,
  exchanged,
  type PackedRate,
  ratesBeside,
  ratesOnDays,
  targetOf,
} from '../../exchange-rates/exchange-rates.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { type NamedRow, namedRows, ratesOfDays } from './listing.queries.ts'
import { type ConvertedTotals, convertTotals, MOST_CONVERTED } from './totals.rules.ts'

export interface Listing {
  sort: Sort
  /** True to sum up all that match. */
  totals: boolean
  /** True if the names of labels and accounts are included. */
  named?: boolean
  /** The currency into which amounts are converted, too: a code, or `base`. */
  convert?: string | undefined
}

/** A page of what matches, with sums of all of it where asked for. */
export type FoundTransactions = Page<LedgerRow> & {
  totals?: LedgerTotals[]
  convertedTotals?: ConvertedTotals
  names: NamedRow[]
}

export async function listTransactions(
  ctx: SignedIn,
  sent: SentFilter,
  { sort, totals: isSummed, named = false, convert }: Listing,
  page: PageRequest,
): Promise<FoundTransactions> {
  const filter = await filterFrom(ctx, sent)
  const isConverted = isSummed && convert !== undefined
  const wrap = convert === undefined ? undefined : ratesBeside(ctx, convert)
  const [unseen, names, { rows, count, totals }, days, rates] = await read(
    ctx,
    // Kept sums count them; where lines are looked at, they are not among them.
    isByPeriod(filter) ? hiddenLines(ctx, filter.accountId) : nothing<HiddenLine>(),
    named ? namedRows(ctx) : nothing<NamedRow>(),
    ledgerPage(ctx, filter, page, sort, { withTotals: isSummed, wrap }),
    isConverted ? ledgerDays(ctx, filter, MOST_CONVERTED + 1) : nothing<LedgerDay>(),
    isConverted
      ? ratesOfDays(ctx, filter, convert === BASE ? null : convert)
      : nothing<PackedRate>(),
  )
  if (days.length > MOST_CONVERTED) {
    throw transactionErrors.tooManyAmounts({ field: 'totals' })
  }
  const cut = cutPage(rows, page, (row) => positionOf(row, sort))
  return {
    ...cut,
    rows: exchanged(ctx, cut.rows, convert),
    names,
    count: count - sumsOfHidden(unseen, filter).count,
    ...(totals && {
      totals: seenTotals(totals, unseen, filter, ({ currency }) => currency),
    }),
    ...(isConverted && {
      convertedTotals: convertedIn(
        seenTotals(days, unseen, filter, ({ currency, date }) => `${currency} ${date}`),
        rates,
        targetOf(ctx, convert),
      ),
    }),
  }
}

/**
 * The totals without the lines that the caller does not see.
 * @param keyOf tells which lines are in which totals
 */
function seenTotals<Totals extends LedgerTotals>(
  totals: Totals[],
  unseen: HiddenLine[],
  filter: LedgerFilter,
  keyOf: (one: Totals | HiddenLine) => string,
): Totals[] {
  const unseenBy = Map.groupBy(unseen, keyOf)
  return totals
    .map((sums) => {
      const hidden = sumsOfHidden(unseenBy.get(keyOf(sums)) ?? [], filter)
      return {
        ...sums,
        count: sums.count - hidden.count,
        inflow: sums.inflow - hidden.inflow,
        outflow: sums.outflow - hidden.outflow,
      }
    })
    .filter(({ count }) => count > 0)
}

function convertedIn(
  totals: LedgerDay[],
  rates: PackedRate[],
  currencies: { target: string; base: string },
): ConvertedTotals {
  const days = [...new Set(totals.map(({ date }) => date))].toSorted()
  const finders = ratesOnDays(rates, days, currencies)
  const byDay = new Map(days.map((day, at) => [day, finders[at]]))
  return convertTotals(totals, currencies.target, ({ date, currency }) =>
    byDay.get(date)?.(currency),
  )
}
