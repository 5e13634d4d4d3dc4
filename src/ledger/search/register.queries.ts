import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import type { PageRequest } from '../../platform/database/paging.ts'
import { db } from '../../platform/database/statements.ts'
import { type WideSum, wideSum } from '../../platform/database/wide-sums.ts'
import { sharedWithMeAccountIds } from '../../areas/identity/access/access.public.ts'
import { isByPeriod, tablesFor } from './filters.queries.ts'
import type { LedgerFilter, HiddenLine } from './search.rules.ts'
import { matchingAfter } from './pages.queries.ts'
import { columnsFor, FROM, type LedgerRow, upToPage } from '../rows/rows.queries.ts'
import { periodsUpTo } from './periods.queries.ts'

export type RegisterFilter = LedgerFilter & { accountId: string }

/** The data from which the running balance after the first row of a page is computed. */
export interface RegisterStart {
  /** The balance at the end of that row's day. */
  dayEnd: WideSum
  /** Sum of the bookings on that day after the row. */
  later: WideSum
}

/** No row when the page is empty. Reads the kept sums of periods, and what is newer on one day. */
export const registerStart = (ctx: SignedIn, filter: RegisterFilter, page: PageRequest) =>
  db.all<RegisterStart>(
    sql`WITH ${tablesFor(ctx, filter)}, first AS (SELECT e.account_id, e.date, e.transaction_id, e.line ${FROM}
        WHERE ${matchingAfter(ctx, filter, page)} ${NEWEST} LIMIT 1)
      SELECT (SELECT ${wideSum(sql`kept.inflow_minor + kept.outflow_minor`)}
          FROM ${periodsUpTo(sql`first.account_id`, sql`first.date`)} kept) AS dayEnd,
        (SELECT ${wideSum(amountOf('n'))} FROM entries n
          WHERE n.account_id = first.account_id AND n.side = 'account' AND n.date = first.date
            AND (n.transaction_id, n.line) > (first.transaction_id, first.line)) AS later
      FROM first`,
  )

const NEWEST = sql`ORDER BY e.date DESC, e.transaction_id DESC, e.line DESC`

const amountOf = (entry: 'e' | 'n'): SQL =>
  sql.raw(`CASE WHEN ${entry}.status <> 'void' THEN ${entry}.amount_minor END`)

/**
 * One row more than the page, newest first, each with what was booked since it and before the row above, where
 * a filter leaves rows out in between.
 */
export const registerRows = (ctx: SignedIn, filter: RegisterFilter, page: PageRequest) => {
  const rows =
    upToPage(sql`SELECT ${columnsFor(ctx)} ${FROM} WHERE ${matchingAfter(ctx, filter, page)}
    ${NEWEST} LIMIT ${page.limit + 1}`)
  return db.all<LedgerRow & { skipped: WideSum | null }>(
    isByPeriod(filter)
      ? sql`WITH ${tablesFor(ctx, filter)} SELECT page.*, NULL AS skipped FROM (${rows}) page`
      : sql`WITH ${tablesFor(ctx, filter)}, page AS (${rows}),
        bounded AS (SELECT page.*, lag(date) OVER newest AS aboveDate, lag(transactionId) OVER newest AS aboveId,
            lag(line) OVER newest AS aboveLine
          FROM page WINDOW newest AS (ORDER BY date DESC, transactionId DESC, line DESC))
        SELECT bounded.*, (SELECT ${wideSum(amountOf('n'))} FROM entries n
          WHERE n.account_id = ${filter.accountId} AND n.side = 'account'
            AND n.date BETWEEN bounded.date AND bounded.aboveDate
            AND (n.date, n.transaction_id, n.line) > (bounded.date, bounded.transactionId, bounded.line)
            AND (n.date, n.transaction_id, n.line) < (bounded.aboveDate, bounded.aboveId, bounded.aboveLine)
          ) AS skipped
        FROM bounded ORDER BY date DESC, transactionId DESC, line DESC`,
  )
}

/** The private lines on accounts that others share with the caller, or on one of those. */
export const hiddenLines = (ctx: SignedIn, accountId?: string) =>
  db.all<HiddenLine>(
    sql`SELECT e.account_id AS accountId, e.date, e.transaction_id AS transactionId, e.line,
        e.amount_minor AS amountMinor, e.currency, e.status
      FROM accounts CROSS JOIN transactions t ON t.owner_id = accounts.owner_id AND t.private = 1
          AND t.created_by <> ${ctx.caller.userId}
        CROSS JOIN entries e ON e.transaction_id = t.id AND e.account_id = accounts.id AND e.side = 'account'
      WHERE accounts.id IN (${sharedWithMeAccountIds(ctx)})
        ${accountId === undefined ? sql`` : sql`AND accounts.id = ${accountId}`}`,
  )
