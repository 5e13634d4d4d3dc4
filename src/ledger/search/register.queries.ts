import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import type { PageRequest } from '../../platform/database/paging.ts'
import { db, type Statement } from '../../platform/database/statements.ts'
import { type WideSum, wideSum } from '../../platform/database/wide-sums.ts'
import { sharedWithMeAccountIds } from '../../areas/identity/access/access.public.ts'
import type { LedgerRow } from '../rows/rows.queries.ts'
import { isByPeriod } from './filters.queries.ts'
import { ledgerRows } from './pages.queries.ts'
import { balanceAtEnd } from './periods.queries.ts'
import type { HiddenLine, LedgerFilter } from './search.rules.ts'

export type RegisterFilter = LedgerFilter & { accountId: string }

/** The balance of its account at the end of a row's day, and the sum of that day's lines after it; null where it is not read. */
export type RegisterRow = LedgerRow & { dayEnd: WideSum | null; laterOnDay: WideSum | null }

/** `ledgerRows` of an account, with what their balances are computed from: each where a filter leaves out rows in between, else the first. */
export const registerRows = (ctx: SignedIn, filter: RegisterFilter, page: PageRequest) =>
  ledgerRows(ctx, filter, page, '-date', (rows) => {
    const where = (sum: SQL) =>
      isByPeriod(filter) ? sql`CASE WHEN row_number() OVER () = 1 THEN ${sum} END` : sum
    return sql`SELECT page.*, ${where(balanceAtEnd(sql`page.accountId`, sql`page.date`))} AS dayEnd,
      ${where(LATER_ON_DAY)} AS laterOnDay FROM (${rows}) page`
  }) as Statement<RegisterRow[]>

const LATER_ON_DAY = sql`(SELECT ${wideSum(sql`CASE WHEN n.status <> 'void' THEN n.amount_minor END`)} FROM entries n
  WHERE n.account_id = page.accountId AND n.side = 'account' AND n.date = page.date
    AND (n.transaction_id, n.line) > (page.transactionId, page.line))`

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
