import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { db } from '../../platform/database/statements.ts'
import { sharedWithMeAccountIds } from '../../areas/identity/access/access.public.ts'
import type { HiddenLine } from './hidden.rules.ts'

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
