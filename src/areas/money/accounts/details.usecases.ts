import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { cutPage, type PageRequest, type Position } from '../../../platform/database/paging.ts'
import { nothing, type Statement } from '../../../platform/database/statements.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import {
  filterFrom,
  hiddenLines,
  type HiddenSums,
  isByPeriod,
  ledgerCount,
  type LedgerFilter,
  ledgerSums,
  movedBetween,
  registerRows,
  type RegisterStart,
  registerStart,
  runningBalances,
  type SentFilter,
  sumsOfHidden,
} from '../../../ledger/search/search.public.ts'
import { type LedgerRow } from '../../../ledger/ledger.public.ts'
import { accountErrors } from './accounts.errors.ts'
import { accountById, type AccountView, countOfBooked } from './accounts.queries.ts'

/** A page of an account's register. */
export interface Register {
  view: AccountView
  rows: LedgerRow[]
  /** The balance after each row. */
  balances: bigint[]
  count: number
  next: Position | null
}

/** With what all that the filter lets through has moved. */
export interface AccountDetails extends Register {
  inflow: bigint
  /** Negative or zero. */
  outflow: bigint
  filter: DetailsFilter
}

export type DetailsFilter = Pick<LedgerFilter, 'from' | 'to' | 'status'>

export async function getAccountDetails(
  ctx: SignedIn,
  id: string,
  filter: DetailsFilter,
  page: PageRequest,
): Promise<AccountDetails> {
  const wanted = ofAccount(id, filter)
  const [register, sums, hidden] = await readRegister(ctx, wanted, page, ledgerSums(ctx, wanted))
  const [inflow, outflow] = [fromWideSum(sums.inflow), fromWideSum(sums.outflow)]
  return { ...register, inflow: inflow - hidden.inflow, outflow: outflow - hidden.outflow, filter }
}

/** Costs what is on the page: how many there are in all is kept with the account. */
export async function getRegister(
  ctx: SignedIn,
  id: string,
  { q, condition, ...filter }: DetailsFilter & Pick<SentFilter, 'q' | 'condition'>,
  page: PageRequest,
): Promise<Register> {
  const found = await filterFrom(ctx, { q, condition })
  const wanted = { ...ofAccount(id, filter), condition: found.condition }
  const isAll = isByPeriod(wanted) && filter.from === undefined && filter.to === undefined
  const counted = isAll ? countOfBooked(id) : ledgerCount(ctx, wanted)
  const [register] = await readRegister(ctx, wanted, page, counted)
  return register
}

const ofAccount = (accountId: string, { from, to, status }: DetailsFilter) => ({
  accountId,
  from,
  to,
  status,
})

async function readRegister<Counted extends { count: number }>(
  ctx: SignedIn,
  wanted: LedgerFilter & { accountId: string },
  page: PageRequest,
  counting: Statement<Counted[]>,
): Promise<[Register, Counted, HiddenSums]> {
  // Nothing is newer than the first row of all, so its balance is the account's, but for what is hidden.
  const isNewest = !page.after && wanted.to === undefined && isByPeriod(wanted)
  const [[view], found, [start], [counted], unseen] = await read(
    ctx,
    accountById(ctx, wanted.accountId),
    registerRows(ctx, wanted, page),
    isNewest ? nothing<RegisterStart>() : registerStart(ctx, wanted, page),
    counting,
    hiddenLines(ctx, wanted.accountId),
  )
  if (!view || !counted) {
    throw accountErrors.notFound()
  }
  const lines = found.map((row, at) => ({
    amountMinor: row.amountMinor,
    status: row.status,
    skipped:
      row.skipped === null ? movedBetween(unseen, row, found[at - 1]) : fromWideSum(row.skipped),
  }))
  const [top] = lines
  const first = start
    ? fromWideSum(start.dayEnd) - fromWideSum(start.later)
    : BigInt(view.balances.balanceMinor) - (top?.skipped ?? 0n)
  const balances = runningBalances(lines, first)
  const cut = cutPage(found, page, (row) => [row.date, row.transactionId, String(row.line)])
  // Lines outside of a span of days are counted one by one, and hidden lines are not among them.
  const hidden = sumsOfHidden(isByPeriod(wanted) ? unseen : [], wanted)
  return [{ view, ...cut, balances, count: counted.count - hidden.count }, counted, hidden]
}
