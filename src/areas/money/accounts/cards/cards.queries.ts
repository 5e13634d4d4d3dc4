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
import { db } from '../../../../platform/database/statements.ts'
import { fromWideSum, type WideSum } from '../../../../platform/database/wide-sums.ts'

/** The days that today may be, as the time zone of the user is known only after the read. */
export const todayWithin = ({ now }: SignedIn): [CalendarDate, CalendarDate] => {
  const utc = dateInZone(now, 'UTC')
  return [addDays(utc, -1), addDays(utc, 1)]
}

type MovementRow = { day: CalendarDate } & Record<Exclude<keyof CardMovement, 'day'>, WideSum>

/** The columns that are summed up: in two halves, which no number of amounts can take past 64 bits. */
const SUMMED = {
  amount: 'amount_minor',
  pending: 'pending_minor',
  inflow: 'inflow_minor',
  outflow: 'inflow_minor - amount_minor',
}
const HALVES = sql.raw(
  Object.entries(SUMMED)
    .map(([name, of]) => `sum((${of}) >> 32) AS ${name}1, sum((${of}) & 4294967295) AS ${name}2`)
    .join(),
)
const sumOf = (column: keyof typeof SUMMED, flows: string): SQL =>
  sql.raw(`(ifnull(sum(${column}1) FILTER (WHERE flow IN (${flows})), 0)
    || ' ' || ifnull(sum(${column}2) FILTER (WHERE flow IN (${flows})), 0))`)

const PAYMENTS = "'transfer', 'income'"
const REFUNDS = "'expense', 'adjustment'"
const CHARGES = `${PAYMENTS}, ${REFUNDS}`
const ALL = `${CHARGES}, 'opening'`

/** Half of a month before and after its statement, and each day that may be today or close to it. */
const partOf = (accountId: string, recent: CalendarDate) =>
  sql`iif(period >= ${recent}, period, substr(period, 1, 7) || (CAST(substr(period, 9) AS INTEGER)
    > (SELECT statement_day FROM accounts WHERE id = ${accountId})))`

/**
 * Finds the movements on a card, from the projections of months and days. Each row is of days within one cycle,
 * except for the movements before the months from `first` through `last`, and between these and the last two. The
 * same read must check that the caller can see the card.
 */
export function cardMovements(
  ctx: SignedIn,
  accountId: string,
  { first, last }: { first: CalendarDate; last: CalendarDate },
) {
  const [recent, tomorrow] = todayWithin(ctx)
  // The open cycle may have begun in the month before.
  const open = addMonths(firstOfMonth(recent), -1)
  const kept = (grain: 'day' | 'month', which: SQL) =>
    sql`SELECT period, flow, ${HALVES} FROM flow_periods
      WHERE account_id = ${accountId} AND grain = ${grain} AND ${which} GROUP BY period, flow`
  const months = (part: string, which: SQL) =>
    sql`SELECT period || '-01' AS day, ${part} AS part, m.* FROM (${kept('month', which)}) m`
  const days = (from: CalendarDate, to: string) =>
    sql`SELECT period AS day, ${partOf(accountId, recent)} AS part, d.*
      FROM (${kept('day', sql`period BETWEEN ${from} AND ${to}`)}) d`
  const spans =
    monthOf(last) >= monthOf(addMonths(open, -1))
      ? [days(firstOfMonth(first), tomorrow)]
      : [
          days(firstOfMonth(first), `${monthOf(last)}-31`),
          months('between', sql`period > ${monthOf(last)} AND period < ${monthOf(open)}`),
          days(open, tomorrow),
        ]
  // Days are grouped in the order in which they are kept, and few rows are left to be sorted.
  return db.all<MovementRow>(
    sql`SELECT max(day) AS day, ${sumOf('amount', ALL)} AS balance, ${sumOf('pending', ALL)} AS pending,
        ${sumOf('inflow', PAYMENTS)} AS payments, ${sumOf('inflow', REFUNDS)} AS refunds,
        ${sumOf('outflow', CHARGES)} AS charges
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

/** Counts the lines of an account on each of these days. */
export const linesByDay = (accountId: string, from: CalendarDate, to: CalendarDate) =>
  db.all<{ day: CalendarDate; count: number }>(
    sql`SELECT period AS day, entry_count AS count FROM account_periods
      WHERE account_id = ${accountId} AND grain = 'day' AND period BETWEEN ${from} AND ${to}`,
  )
