import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import { cutPage, type PageRequest, type Position } from '../../../platform/paging.ts'
import { nothing } from '../../../platform/statements.ts'
import { fromWideSum } from '../../../platform/wide-sums.ts'
import {
  type LedgerFilter,
  type LedgerRow,
  ledgerSums,
  registerRows,
  type RegisterStart,
  registerStart,
  withRunningBalances,
} from '../../ledger/ledger.public.ts'
import { accountErrors } from '../accounts.errors.ts'
import { accountById, type AccountView } from '../accounts.queries.ts'

/** An account with a page of its register. */
export interface AccountDetails {
  view: AccountView
  rows: (LedgerRow & { running: bigint })[]
  count: number
  inflow: bigint
  /** Negative or zero. */
  outflow: bigint
  filter: DetailsFilter
  next: Position | null
}

export type DetailsFilter = Pick<LedgerFilter, 'from' | 'to' | 'status'>

export async function findDetails(
  ctx: SignedIn,
  id: string,
  filter: DetailsFilter,
  page: PageRequest,
): Promise<AccountDetails> {
  const ofAccount = { accountId: id, from: filter.from, to: filter.to, status: filter.status }
  // Nothing is newer than the first row of all, so its balance is the account's.
  const isNewest = !page.after && filter.to === undefined && filter.status === undefined
  const [[view], found, [start], [sums]] = await read(
    ctx,
    accountById(ctx, id),
    registerRows(ctx, ofAccount, page),
    isNewest ? nothing<RegisterStart>() : registerStart(ctx, ofAccount, page),
    ledgerSums(ctx, ofAccount),
  )
  if (!view || !sums) {
    throw accountErrors.notFound()
  }
  const lines = found.map(({ skipped, ...row }) => ({
    ...row,
    skipped: skipped === null ? undefined : fromWideSum(skipped),
  }))
  const first = start
    ? fromWideSum(start.dayEnd) - fromWideSum(start.later)
    : BigInt(view.balances.balanceMinor)
  const withRunning = withRunningBalances(lines, first)
  const { rows, next } = cutPage(withRunning, page, (row) => [
    row.date,
    row.transactionId,
    String(row.line),
  ])
  const { count } = sums
  const [inflow, outflow] = [fromWideSum(sums.inflow), fromWideSum(sums.outflow)]
  return { view, rows, count, inflow, outflow, filter, next }
}
