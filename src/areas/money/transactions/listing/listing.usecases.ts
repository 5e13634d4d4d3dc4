import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import {
  asOnePage,
  filterFrom,
  firstRows,
  type HiddenLine,
  hiddenLines,
  type HiddenSums,
  isByPeriod,
  ledgerCount,
  ledgerRows,
  ledgerTotals,
  type LedgerTotals,
  positionOf,
  type SentFilter,
  sumsOfHidden,
  type Sort,
} from '../../../../ledger/search/search.public.ts'
import { type NamedRow, namedRows } from './listing.queries.ts'
import { type LedgerRow } from '../../../../ledger/ledger.public.ts'

export interface Listing {
  sort: Sort
  /** True to sum up all that match. */
  totals: boolean
  /** True if the names of labels and accounts are included. */
  named?: boolean
}

/** A page of what matches, with sums of all of it where asked for. */
export type FoundTransactions = Page<LedgerRow> & { totals?: CurrencyTotals[]; names: NamedRow[] }

/** Minor units of one currency. */
export interface CurrencyTotals extends HiddenSums {
  currency: string
}

export async function listTransactions(
  ctx: SignedIn,
  sent: SentFilter,
  { sort, totals: isSummed, named = false }: Listing,
  page: PageRequest,
): Promise<FoundTransactions> {
  const filter = await filterFrom(ctx, sent)
  const isKept = isByPeriod(filter)
  const isCounted = !isSummed && page.after === undefined && !isKept
  const [[counted], totals, unseen, names, rows, ...pieces] = await read(
    ctx,
    isSummed || isCounted ? nothing<{ count: number }>() : ledgerCount(ctx, filter),
    isSummed ? ledgerTotals(ctx, filter) : nothing<LedgerTotals>(),
    // Kept sums count them; where lines are looked at, they are not among them.
    isKept ? hiddenLines(ctx, filter.accountId) : nothing<HiddenLine>(),
    named ? namedRows(ctx) : nothing<NamedRow>(),
    isCounted ? nothing<LedgerRow>() : ledgerRows(ctx, filter, page, sort),
    ...(isCounted ? firstRows(ctx, filter, page.limit, sort) : []),
  )
  const found = isCounted ? asOnePage(pieces, sort) : { rows, count: counted?.count ?? 0 }
  const cut = { ...cutPage(found.rows, page, (row) => positionOf(row, sort)), names }
  if (!isSummed) {
    return { ...cut, count: found.count - sumsOfHidden(unseen, filter).count }
  }
  const seen = totals.map(({ currency, count, inflow, outflow }) => {
    const hidden = sumsOfHidden(
      unseen.filter((line) => line.currency === currency),
      filter,
    )
    return {
      currency,
      count: count - hidden.count,
      inflow: fromWideSum(inflow) - hidden.inflow,
      outflow: fromWideSum(outflow) - hidden.outflow,
    }
  })
  return {
    ...cut,
    count: seen.reduce((sum, { count }) => sum + count, 0),
    totals: seen.filter(({ count }) => count > 0),
  }
}
