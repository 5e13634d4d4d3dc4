import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import {
  asOnePage,
  countsInPieces,
  filterFrom,
  firstRows,
  type FirstRow,
  type HiddenLine,
  hiddenLines,
  type HiddenSums,
  isByPeriod,
  ledgerRows,
  type LedgerTotals,
  positionOf,
  type SentFilter,
  sumsOfHidden,
  totalsInPieces,
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
  // The rows of a first page come in pieces with their count, and those of others in one statement.
  const pages = isKept || page.after !== undefined ? [] : firstRows(ctx, filter, page.limit, sort)
  const isOnePage = pages.length > 0
  const [unseen, names, rows, ...found] = await read(
    ctx,
    // Kept sums count them; where lines are looked at, they are not among them.
    isKept ? hiddenLines(ctx, filter.accountId) : nothing<HiddenLine>(),
    named ? namedRows(ctx) : nothing<NamedRow>(),
    isOnePage ? nothing<LedgerRow>() : ledgerRows(ctx, filter, page, sort),
    ...pages,
    ...(isSummed ? totalsInPieces(ctx, filter) : []),
    ...(isSummed || isOnePage ? [] : countsInPieces(ctx, filter)),
  )
  const sums = found.slice(pages.length)
  const listed = isOnePage
    ? asOnePage(found.slice(0, pages.length) as FirstRow[][], sort)
    : { rows, count: countIn(sums as { count: number }[][]) }
  const cut = { ...cutPage(listed.rows, page, (row) => positionOf(row, sort)), names }
  if (!isSummed) {
    return { ...cut, count: listed.count - sumsOfHidden(unseen, filter).count }
  }
  const seen = totalsIn(sums as LedgerTotals[][]).map(({ currency, ...sums }) => {
    const hidden = sumsOfHidden(
      unseen.filter((line) => line.currency === currency),
      filter,
    )
    return {
      currency,
      count: sums.count - hidden.count,
      inflow: sums.inflow - hidden.inflow,
      outflow: sums.outflow - hidden.outflow,
    }
  })
  return {
    ...cut,
    count: countIn([seen]),
    totals: seen.filter(({ count }) => count > 0),
  }
}

/** The sum of the counts of all pieces. */
const countIn = (pieces: { count: number }[][]): number =>
  pieces.flat().reduce((sum, { count }) => sum + count, 0)

/** The sums of all pieces, in the order of the codes of their currencies. */
const totalsIn = (pieces: LedgerTotals[][]): CurrencyTotals[] =>
  [...Map.groupBy(pieces.flat(), ({ currency }) => currency)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sums]) => ({
      currency,
      count: countIn([sums]),
      inflow: sums.reduce((sum, { inflow }) => sum + fromWideSum(inflow), 0n),
      outflow: sums.reduce((sum, { outflow }) => sum + fromWideSum(outflow), 0n),
    }))
