import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { fromWideSum } from '../../../../platform/wide-sums.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import { reconciliationById } from '../reconciliations.queries.ts'
import { existing } from '../reconciliations.usecases.ts'
import { pageOfRows, rowsBefore, type RowsFilter } from './rows.queries.ts'

/** A row of a session. */
export interface SessionRow {
  row: LedgerRow
  isTicked: boolean
  /** The sum of the ticked rows up to and with this one. */
  tickedTotal: bigint
}

export async function listReconciliationRows(
  ctx: SignedIn,
  id: string,
  filter: RowsFilter,
  page: PageRequest,
): Promise<Page<SessionRow>> {
  const [[session], found, [totals]] = await read(
    ctx,
    reconciliationById(ctx, id),
    pageOfRows(ctx, id, filter, page),
    rowsBefore(ctx, id, filter, page),
  )
  const view = existing(session)
  const unticked = view.state === 'open' ? view.unticked + (totals?.late ?? 0) : 0
  const counts = { ticked: view.ticked, unticked, all: view.ticked + unticked }
  const asked = filter.ticked === undefined ? 'all' : filter.ticked ? 'ticked' : 'unticked'
  const { rows, next } = cutPage(found, page, ({ date, transactionId, line }) => [
    ...[date, transactionId, String(line)],
  ])
  let total = fromWideSum(totals?.before ?? '')
  return {
    rows: rows.map((row) => {
      const isTicked = row.mark === 1
      total += isTicked ? BigInt(row.amountMinor) : 0n
      return { row, isTicked, tickedTotal: total }
    }),
    next,
    count: counts[asked],
  }
}
