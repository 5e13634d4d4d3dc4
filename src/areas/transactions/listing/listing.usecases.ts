import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { nothing, type Statement } from '../../../platform/statements.ts'
import {
  firstRows,
  isByPeriod,
  ledgerCount,
  type LedgerFilter,
  type LedgerRow,
  ledgerRows,
  ledgerTotals,
  type LedgerTotals,
  positionOf,
  type Sort,
} from '../../ledger/ledger.public.ts'

export interface Listing {
  sort: Sort
  /** Whether to sum up all that match. */
  totals: boolean
}

/** A page of what matches, with sums of all of it where asked for. */
export type Found = Page<LedgerRow> & { totals?: LedgerTotals[] }

export async function findTransactions(
  ctx: SignedIn,
  filter: LedgerFilter,
  { sort, totals: isSummed }: Listing,
  page: PageRequest,
): Promise<Found> {
  const isCounted = !isSummed && page.after === undefined && !isByPeriod(ctx, filter)
  const finder: Statement<(LedgerRow & { matches?: number })[]> = isCounted
    ? firstRows(ctx, filter, page.limit, sort)
    : ledgerRows(ctx, filter, page, sort)
  const [rows, [counted], totals] = await read(
    ctx,
    finder,
    isSummed || isCounted ? nothing<{ count: number }>() : ledgerCount(ctx, filter),
    isSummed ? ledgerTotals(ctx, filter) : nothing<LedgerTotals>(),
  )
  const cut = cutPage(rows, page, (row) => positionOf(row, sort))
  return isSummed
    ? { ...cut, count: totals.reduce((sum, { count }) => sum + count, 0), totals }
    : { ...cut, count: counted?.count ?? rows[0]?.matches ?? 0 }
}
