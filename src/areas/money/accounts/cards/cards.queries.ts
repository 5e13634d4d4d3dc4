import { type SQL, sql } from 'drizzle-orm'
import {
  addDays,
  addMonths,
  type CalendarDate,
  dateInZone,
  firstOfMonth,
  monthOf,
} from '../../../../domain/calendar.ts'
import type { CardMovement } from '../../../../domain/cards.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { db } from '../../../../platform/statements.ts'
import { fromWideSum, type WideSum, wideSum } from '../../../../platform/wide-sums.ts'

/** The days that today may be, as the time zone of the user is known only after the read. */
export const todayWithin = ({ now }: SignedIn): [CalendarDate, CalendarDate] => {
  const utc = dateInZone(now, 'UTC')
  return [addDays(utc, -1), addDays(utc, 1)]
}

type MovementRow = { day: CalendarDate } & Record<Exclude<keyof CardMovement, 'day'>, WideSum>

const OUTFLOW = sql.raw('(inflow_minor - amount_minor)')
const IS_PAYMENT = sql.raw("flow IN ('transfer', 'income')")
const IS_OPENING = sql.raw("flow = 'opening'")

/** Half of a month before and after its statement, and each day that may be today or close to it. */
const partOf = (accountId: string, recent: CalendarDate) =>
  sql`iif(period >= ${recent}, period, substr(period, 1, 7) || (CAST(substr(period, 9) AS INTEGER)
    > (SELECT statement_day FROM accounts WHERE id = ${accountId})))`

/**
 * What moved on a card, from what is kept of months and days: each row is of days within one cycle, but for what came before
 * the months from `first` through `last`, and between these and the last two. The same read must check that the caller can see it.
 */
export function cardMovements(
  ctx: SignedIn,
  accountId: string,
  { first, last }: { first: CalendarDate; last: CalendarDate },
) {
  const [recent, tomorrow] = todayWithin(ctx)
  // The open cycle may have begun in the month before.
  const open = addMonths(firstOfMonth(recent), -1)
  const months = (part: string, which: SQL) =>
    sql`SELECT period || '-01' AS day, ${part} AS part, f.* FROM flow_periods f
      WHERE account_id = ${accountId} AND grain = 'month' AND ${which}`
  const days = (from: CalendarDate, to: string) =>
    sql`SELECT period AS day, ${partOf(accountId, recent)} AS part, f.* FROM flow_periods f
      WHERE account_id = ${accountId} AND grain = 'day' AND period BETWEEN ${from} AND ${to}`
  const spans =
    monthOf(last) >= monthOf(addMonths(open, -1))
      ? [days(firstOfMonth(first), tomorrow)]
      : [
          days(firstOfMonth(first), `${monthOf(last)}-31`),
          months('between', sql`period > ${monthOf(last)} AND period < ${monthOf(open)}`),
          days(open, tomorrow),
        ]
  const of = (amount: SQL, where: SQL) => wideSum(sql`iif(${where}, ${amount}, 0)`)
  return db.all<MovementRow>(
    sql`SELECT max(day) AS day, ${wideSum(sql`amount_minor`)} AS balance, ${wideSum(sql`pending_minor`)} AS pending,
        ${of(sql`inflow_minor`, IS_PAYMENT)} AS payments,
        ${of(sql`inflow_minor`, sql`NOT (${IS_PAYMENT} OR ${IS_OPENING})`)} AS refunds,
        ${of(OUTFLOW, sql`NOT ${IS_OPENING}`)} AS charges
      FROM (${sql.join([months('before', sql`period < ${monthOf(first)}`), ...spans], sql` UNION ALL `)})
      GROUP BY part`,
  )
}

export const movementOf = (row: MovementRow): CardMovement => ({
  day: row.day,
  balance: fromWideSum(row.balance),
  pending: fromWideSum(row.pending),
  payments: fromWideSum(row.payments),
  refunds: fromWideSum(row.refunds),
  charges: fromWideSum(row.charges),
})

/** How many lines an account has on each of these days. */
export const linesByDay = (accountId: string, from: CalendarDate, to: CalendarDate) =>
  db.all<{ day: CalendarDate; count: number }>(
    sql`SELECT period AS day, entry_count AS count FROM account_periods
      WHERE account_id = ${accountId} AND grain = 'day' AND period BETWEEN ${from} AND ${to}`,
  )
