import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { db } from '../../../platform/statements.ts'
import { type WideSum, wideSum } from '../../../platform/wide-sums.ts'
import { visibleAccountIds } from '../../access/access.public.ts'
import { spansOf } from './periods.rules.ts'

export interface PeriodFilter {
  /** Without one, all accounts that the caller sees. */
  accountId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface PeriodSums {
  /** Of lines, void ones included. */
  count: number
  inflow: WideSum
  /** Negative. */
  outflow: WideSum
}

/** What moved in the accounts that the caller sees; costs months and days, however much was booked. */
export function periodSums(ctx: SignedIn, { accountId, from, to }: PeriodFilter) {
  const { months, days } = spansOf(from, to)
  const seen = sql`account_id IN (${visibleAccountIds(ctx)})`
  const whose = accountId === undefined ? seen : sql`account_id = ${accountId} AND ${seen}`
  const pick = (grain: SQL) =>
    sql`SELECT entry_count, inflow_minor, outflow_minor FROM account_periods WHERE ${whose} AND ${grain}`
  const picked = [
    ...(months
      ? [pick(sql`grain = 'month' AND period > ${months.after} AND period < ${months.before}`)]
      : []),
    ...days.map(([first, last]) =>
      pick(sql`grain = 'day' AND period BETWEEN ${first} AND ${last}`),
    ),
  ]
  const all = picked.length > 0 ? sql.join(picked, sql` UNION ALL `) : pick(sql`FALSE`)
  return db.all<PeriodSums>(
    sql`SELECT ifnull(sum(entry_count), 0) AS count, ${wideSum(sql`inflow_minor`)} AS inflow,
      ${wideSum(sql`outflow_minor`)} AS outflow FROM (${all})`,
  )
}

/** The kept sums of an account up to and with a day, for a FROM. */
export const periodsUpTo = (accountId: SQL, date: SQL): SQL => sql`(
  SELECT * FROM account_periods WHERE account_id = ${accountId} AND grain = 'month'
    AND period < substr(${date}, 1, 7)
  UNION ALL SELECT * FROM account_periods WHERE account_id = ${accountId} AND grain = 'day'
    AND period BETWEEN substr(${date}, 1, 7) || '-01' AND ${date})`
