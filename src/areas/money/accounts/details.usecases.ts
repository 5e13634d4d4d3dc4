import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { cutPage, type PageRequest, type Position } from '../../../platform/database/paging.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import {
  filterFrom,
  hiddenLines,
  isByPeriod,
  ledgerCount,
  type LedgerFilter,
  ledgerTotals,
  type MovedSums,
  positionOf,
  registerRows,
  runningBalances,
  type SentFilter,
  sumsOfHidden,
} from '../../../ledger/search/search.public.ts'
import { type LedgerRow } from '../../../ledger/ledger.public.ts'
import { exchanged, withRates } from '../exchange-rates/exchange-rates.public.ts'
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

export type DetailsFilter = Pick<LedgerFilter, 'from' | 'to' | 'status'> & {
  /** The currency into which amounts are converted, too: a code, or `base`. */
  convert?: string | undefined
}

export async function getAccountDetails(
  ctx: SignedIn,
  id: string,
  filter: DetailsFilter,
  page: PageRequest,
): Promise<AccountDetails> {
  const wanted = ofAccount(id, filter)
  const [register, [sums], hidden] = await readRegister(
    ctx,
    wanted,
    page,
    ledgerTotals(ctx, wanted),
    filter.convert,
  )
  const { count, inflow, outflow } = sums ?? { count: 0, inflow: 0n, outflow: 0n }
  return {
    ...register,
    count: count - hidden.count,
    inflow: inflow - hidden.inflow,
    outflow: outflow - hidden.outflow,
    filter,
  }
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
  const counting = isAll ? countOfBooked(id) : ledgerCount(ctx, wanted)
  const [register, count, hidden] = await readRegister(ctx, wanted, page, counting, filter.convert)
  return { ...register, count: count - hidden.count }
}

const ofAccount = (accountId: string, { from, to, status }: DetailsFilter) => ({
  accountId,
  from,
  to,
  status,
})

async function readRegister<Counted>(
  ctx: SignedIn,
  wanted: LedgerFilter & { accountId: string },
  page: PageRequest,
  counting: Statement<Counted>,
  convert: string | undefined,
): Promise<[Omit<Register, 'count'>, Counted, MovedSums]> {
  const [[view], found, counted, unseen] = await read(
    ctx,
    accountById(ctx, wanted.accountId),
    withRates(ctx, registerRows(ctx, wanted, page), convert),
    counting,
    hiddenLines(ctx, wanted.accountId),
  )
  if (!view) {
    throw accountErrors.notFound()
  }
  const lines = found.map((row) => ({
    ...row,
    balance:
      row.dayEnd === null ? undefined : fromWideSum(row.dayEnd) - fromWideSum(row.laterOnDay ?? ''),
  }))
  const balances = runningBalances(lines, unseen, BigInt(view.balances.balanceMinor))
  // Lines outside of a span of days are counted one by one, and hidden lines are not among them.
  const hidden = sumsOfHidden(isByPeriod(wanted) ? unseen : [], wanted)
  const cut = cutPage(found, page, positionOf)
  const rows = exchanged(ctx, cut.rows, convert)
  return [{ view, ...cut, rows, balances }, counted, hidden]
}
