import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { refuseIf } from '../../platform/database/premises.ts'
import { changedMeanwhile } from '../../platform/database/refusals.ts'
import { db, type Statement } from '../../platform/database/statements.ts'
import { comparableSum, type WideSum, wideSum } from '../../platform/database/wide-sums.ts'
import { visibleAccountIds } from '../../areas/identity/access/access.public.ts'
import { spansOf } from './search.rules.ts'

export interface PeriodFilter {
  /** Without one, all accounts that the caller sees. */
  accountId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * The number of lines of the accounts that the caller sees, void ones included. The cost depends on the months and days, not on the
 * number of bookings.
 */
export const periodCount = (ctx: SignedIn, filter: PeriodFilter) =>
  db.all<{ count: number }>(
    sql`SELECT ifnull(sum(entry_count), 0) AS count FROM (${periodsIn(ctx, filter)})`,
  )

/** What moved in a currency. */
export interface PeriodTotals {
  currency: string
  count: number
  inflow: WideSum
  /** Negative. */
  outflow: WideSum
}

/** Sums up movements by currency, of the currencies that have bookings. */
export const periodTotals = (ctx: SignedIn, filter: PeriodFilter) =>
  db.all<PeriodTotals>(
    sql`SELECT accounts.currency, sum(entry_count) AS count, ${wideSum(sql`inflow_minor`)} AS inflow,
        ${wideSum(sql`outflow_minor`)} AS outflow
      FROM (${periodsIn(ctx, filter)}) picked JOIN accounts ON accounts.id = picked.account_id
      GROUP BY accounts.currency HAVING sum(entry_count) > 0`,
  )

/** `periodTotals` by day, up to a limit. */
export const periodDays = (
  ctx: SignedIn,
  { accountId, from = '', to = '~' }: PeriodFilter,
  most: number,
) =>
  db.all<PeriodTotals & { date: string }>(
    sql`SELECT accounts.currency, picked.period AS date, sum(entry_count) AS count,
        ${wideSum(sql`inflow_minor`)} AS inflow, ${wideSum(sql`outflow_minor`)} AS outflow
      FROM accounts CROSS JOIN account_periods picked ON picked.account_id = accounts.id AND picked.grain = 'day'
      WHERE accounts.id IN (${visibleAccountIds(ctx)})
        ${accountId === undefined ? sql`` : sql`AND accounts.id = ${accountId}`}
        AND picked.period BETWEEN ${from} AND ${to}
      GROUP BY accounts.currency, picked.period HAVING sum(entry_count) > 0 LIMIT ${most}`,
  )

function periodsIn(ctx: SignedIn, { accountId, from, to }: PeriodFilter): SQL {
  const { months, days } = spansOf(from, to)
  const seen = visibleAccountIds(ctx)
  const scope =
    accountId === undefined
      ? sql`account_id IN (${seen})`
      : sql`account_id = (${seen} AND accounts.id = ${accountId})`
  const pick = (grain: SQL) =>
    sql`SELECT account_id, entry_count, inflow_minor, outflow_minor FROM account_periods
      WHERE ${scope} AND ${grain}`
  const picked = [
    ...(months
      ? [pick(sql`grain = 'month' AND period > ${months.after} AND period < ${months.before}`)]
      : []),
    ...days.map(([first, last]) =>
      pick(sql`grain = 'day' AND period BETWEEN ${first} AND ${last}`),
    ),
  ]
  return picked.length > 0 ? sql.join(picked, sql` UNION ALL `) : pick(sql`FALSE`)
}

const MOVED = wideSum(sql.raw('inflow_minor + outflow_minor'))

/** The kept sums of an account up to and with a day, for a FROM. */
export const periodsUpTo = (accountId: SQL, date: SQL): SQL => sql`(
  SELECT * FROM account_periods WHERE account_id = ${accountId} AND grain = 'month'
    AND period < substr(${date}, 1, 7)
  UNION ALL SELECT * FROM account_periods WHERE account_id = ${accountId} AND grain = 'day'
    AND period BETWEEN substr(${date}, 1, 7) || '-01' AND ${date})`

/** An account as it stood at the end of a day. */
export interface BalanceSums {
  balance: WideSum
  cleared: WideSum
  reconciled: WideSum
}

/** Returns the balance of an account; the same read must check that the caller can see it. */
export const balanceUpTo = (accountId: string, date: string) =>
  db.all<BalanceSums>(
    sql`SELECT ${wideSum(sql`inflow_minor + outflow_minor`)} AS balance,
      ${wideSum(sql`cleared_minor`)} AS cleared, ${wideSum(sql`reconciled_minor`)} AS reconciled
      FROM ${periodsUpTo(sql`${accountId}`, sql`${date}`)}`,
  )

export type AccountStanding = BalanceSums & { accountId: string }

/**
 * Each of these accounts as it stood at the end of a day; two seeks for each.
 * @param accounts SQL that selects ids
 */
export const accountStandings = (accounts: SQL, date: string) => {
  const sumOf = (amount: SQL) =>
    sql`(SELECT ${wideSum(amount)} FROM ${periodsUpTo(sql`wanted.id`, sql`${date}`)})`
  return db.all<AccountStanding>(
    sql`SELECT wanted.id AS accountId, ${sumOf(sql`inflow_minor + outflow_minor`)} AS balance,
      ${sumOf(sql`cleared_minor`)} AS cleared, ${sumOf(sql`reconciled_minor`)} AS reconciled
      FROM (${accounts}) wanted`,
  )
}

/** The balance of an account at the end of a day, as an expression. */
export const balanceAtEnd = (accountId: SQL, date: SQL): SQL =>
  sql`(SELECT ${MOVED} FROM ${periodsUpTo(accountId, date)})`

/** The lines that a sum counts: all, those that are cleared or reconciled, or only those that are reconciled. */
export type Basis = 'balance' | 'cleared' | 'reconciled'

/** The column of the kept sums that an expression of type `Basis` names. */
const sumBy = (basis: SQL): SQL =>
  sql`CASE ${basis} WHEN 'balance' THEN inflow_minor + outflow_minor WHEN 'cleared' THEN cleared_minor
    ELSE reconciled_minor END`

/** A sum of an account at the end of a day, as an expression; two seeks. */
export const sumAtEnd = (accountId: SQL, date: SQL, basis: SQL): SQL =>
  sql`(SELECT ${wideSum(sql`(${sumBy(basis)})`)} FROM ${periodsUpTo(accountId, date)})`

/**
 * The sum of an account at the end of a day, as a number to compare with amounts. Beyond 64 bits it is approximate,
 * and far from any amount.
 */
export const comparableSumAtEnd = (accountId: SQL, date: SQL, basis: SQL): SQL =>
  sql`(SELECT ${comparableSum(sql`(${sumBy(basis)})`)} FROM ${periodsUpTo(accountId, date)})`

/** Refuses when the balance of that day is another one than was read. */
export const mustBalanceUpTo = (accountId: string, date: string, read: WideSum): Statement =>
  refuseIf(sql`${balanceAtEnd(sql`${accountId}`, sql`${date}`)} <> ${read}`, changedMeanwhile)

export interface PeriodMovement {
  period: string
  moved: WideSum
}

interface MovementSpan {
  from: string
  to: string
  byMonth: boolean
}

/** @param grouped what makes a row besides the period */
const movementsIn = (scope: SQL, grouped: SQL, { from, to, byMonth }: MovementSpan): SQL => {
  const select = sql`SELECT ${grouped} period, ${MOVED} AS moved FROM account_periods WHERE ${scope}`
  const days = (first: SQL) =>
    sql`${select} AND grain = 'day' AND period BETWEEN ${first} AND ${to} GROUP BY account_id, period`
  const months = sql`${select} AND grain = 'month' AND period >= substr(${from}, 1, 7)
    AND period < substr(${to}, 1, 7) GROUP BY account_id, period`
  return byMonth
    ? sql`${months} UNION ALL ${days(sql`substr(${to}, 1, 7) || '-01'`)} ORDER BY period`
    : sql`${days(sql`${from}`)} ORDER BY period`
}

/**
 * Finds the movements of each day in a span, oldest first. By month, they are those of each month before that of the
 * last day, and of each day of that month. The same read must show that the caller sees the account.
 */
export const movements = (accountId: string, span: MovementSpan) =>
  db.all<PeriodMovement>(movementsIn(sql`account_id = ${accountId}`, sql``, span))

/** `movements` of each account that the caller sees. */
export const movementsByAccount = (ctx: SignedIn, span: MovementSpan) =>
  db.all<PeriodMovement & { accountId: string }>(
    movementsIn(
      sql`account_id IN (${visibleAccountIds(ctx)})`,
      sql`account_id AS accountId,`,
      span,
    ),
  )

/** The balance before a day of each account that the caller sees; none of one that had no movement by then. */
export const balancesBefore = (ctx: SignedIn, date: string) => {
  const kept = sql`SELECT account_id, inflow_minor, outflow_minor FROM account_periods
    WHERE account_id IN (${visibleAccountIds(ctx)})`
  return db.all<{ accountId: string; balance: WideSum }>(
    sql`SELECT account_id AS accountId, ${MOVED} AS balance FROM (
        ${kept} AND grain = 'month' AND period < substr(${date}, 1, 7)
        UNION ALL ${kept} AND grain = 'day' AND period >= substr(${date}, 1, 7) || '-01'
          AND period < ${date})
      GROUP BY account_id`,
  )
}
