import { sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { db } from '../../../../platform/database/statements.ts'
import {
  accessLevel,
  accountIsSeenBy,
  isNotPrivateTo,
  viewerOf,
} from '../../../identity/access/access.public.ts'
import type { LooseRow } from './suggesting.rules.ts'

/**
 * The newest expenses and incomes that are no occurrences of items, on open accounts that the caller may write on, oldest first.
 * @param most lines that are looked at
 */
export const looseRows = (ctx: SignedIn, from: CalendarDate, to: CalendarDate, most: number) => {
  const viewer = viewerOf(ctx)
  return db.all<LooseRow>(
    sql`WITH places AS MATERIALIZED (SELECT accounts.id, accounts.currency FROM accounts
        WHERE ${accountIsSeenBy(viewer)} AND accounts.status = 'open'
          AND (${accessLevel(viewer)}) >= ${sql.raw(String(rankOf('write')))}),
      newest AS MATERIALIZED (SELECT e.transaction_id, e.account_id, e.date, e.amount_minor, places.currency
        FROM places CROSS JOIN entries e ON e.account_id = places.id AND e.side = 'account'
          AND e.date BETWEEN ${from} AND ${to} AND e.line = 1 AND e.status <> 'void'
        ORDER BY e.date DESC, e.transaction_id DESC LIMIT ${most})
      SELECT t.id, newest.account_id AS accountId, newest.currency, newest.date, newest.amount_minor AS amountMinor, t.private,
        l.payee_id AS payeeId,
        CASE WHEN p.id IS NULL THEN ifnull(nullif(t.payee_raw, ''), t.description) WHEN p.archived = 0 THEN p.name ELSE '' END AS name,
        c.category_id AS categoryId, (SELECT count(*) FROM newest) AS lines
      FROM newest CROSS JOIN transactions t ON t.id = newest.transaction_id AND t.kind IN ('expense', 'income')
          AND t.recurring_id IS NULL AND ${isNotPrivateTo(ctx)}
        LEFT JOIN transaction_payees l ON l.transaction_id = t.id AND l.line = 0
        LEFT JOIN payees p ON p.id = l.payee_id
        LEFT JOIN entries c ON c.transaction_id = t.id AND c.line = 2 AND c.amount_minor = -newest.amount_minor
      ORDER BY newest.date, t.id`,
  )
}
