import { addDays, type CalendarDate, firstOfMonth } from '../../../domain/calendar.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import { fromWideSum } from '../../../platform/wide-sums.ts'
import { balanceUpTo, movements } from '../../ledger/ledger.public.ts'
import { accountErrors } from '../accounts.errors.ts'
import { accountById, type AccountRow } from '../accounts.queries.ts'
import { balancesAt, type Interval, MOST_POINTS, pointsOf } from './balances.rules.ts'

export interface BalanceAt {
  account: AccountRow
  date: CalendarDate
  balance: bigint
  cleared: bigint
  reconciled: bigint
}

/** What was on an account at the end of a day, in minor units. */
export async function findBalance(
  ctx: SignedIn,
  id: string,
  date: CalendarDate,
): Promise<BalanceAt> {
  const [[view], [sums]] = await read(ctx, accountById(ctx, id), balanceUpTo(id, date))
  if (!view || !sums) {
    throw accountErrors.notFound()
  }
  return {
    account: view.account,
    date,
    balance: fromWideSum(sums.balance),
    cleared: fromWideSum(sums.cleared),
    reconciled: fromWideSum(sums.reconciled),
  }
}

export interface Span {
  from: CalendarDate
  to: CalendarDate
  interval: Interval
}

export interface BalanceHistory {
  account: AccountRow
  interval: Interval
  points: { date: CalendarDate; minor: bigint }[]
}

/** The balance at the end of each day, week or month of a span. Costs periods, however much was booked. */
export async function findBalanceHistory(
  ctx: SignedIn,
  id: string,
  span: Span,
): Promise<BalanceHistory> {
  const { to, interval } = span
  if (to < span.from) {
    throw accountErrors.spanReversed({ field: 'to' })
  }
  const points = pointsOf(span, MOST_POINTS + 1)
  if (points.length > MOST_POINTS) {
    throw accountErrors.tooManyPoints({ field: 'interval' })
  }
  const byMonth = interval === 'month'
  const from = byMonth ? firstOfMonth(span.from) : span.from
  const [[view], [before], moved] = await read(
    ctx,
    accountById(ctx, id),
    balanceUpTo(id, addDays(from, -1)),
    movements(id, { from, to, byMonth }),
  )
  if (!view || !before) {
    throw accountErrors.notFound()
  }
  const steps = moved.map((one) => ({ period: one.period, minor: fromWideSum(one.moved) }))
  return {
    account: view.account,
    interval,
    points: balancesAt(points, fromWideSum(before.balance), steps),
  }
}
