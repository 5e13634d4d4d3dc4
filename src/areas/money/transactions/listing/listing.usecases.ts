import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import {
  filterFrom,
  type HiddenLine,
  hiddenLines,
  isByPeriod,
  type LedgerFilter,
  ledgerPage,
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
export type FoundTransactions = Page<LedgerRow> & { totals?: LedgerTotals[]; names: NamedRow[] }

export async function listTransactions(
  ctx: SignedIn,
  sent: SentFilter,
  { sort, totals: isSummed, named = false }: Listing,
  page: PageRequest,
): Promise<FoundTransactions> {
  const filter = await filterFrom(ctx, sent)
  const [unseen, names, { rows, count, totals }] = await read(
    ctx,
    // Kept sums count them; where lines are looked at, they are not among them.
    isByPeriod(filter) ? hiddenLines(ctx, filter.accountId) : nothing<HiddenLine>(),
    named ? namedRows(ctx) : nothing<NamedRow>(),
    ledgerPage(ctx, filter, page, sort, isSummed),
  )
  return {
    ...cutPage(rows, page, (row) => positionOf(row, sort)),
    names,
    count: count - sumsOfHidden(unseen, filter).count,
    ...(totals && { totals: seenTotals(totals, unseen, filter) }),
  }
}

/** The totals without the lines that the caller does not see. */
const seenTotals = (totals: LedgerTotals[], unseen: HiddenLine[], filter: LedgerFilter) =>
  totals
    .map(({ currency, count, inflow, outflow }) => {
      const hidden = sumsOfHidden(
        unseen.filter((line) => line.currency === currency),
        filter,
      )
      return {
        currency,
        count: count - hidden.count,
        inflow: inflow - hidden.inflow,
        outflow: outflow - hidden.outflow,
      }
    })
    .filter(({ count }) => count > 0)
