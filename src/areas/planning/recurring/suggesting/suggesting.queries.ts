import { sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { among, db } from '../../../../platform/database/statements.ts'
import {
  accessLevel,
  accountIsSeenBy,
  isNotPrivateTo,
  viewerOf,
} from '../../../identity/access/access.public.ts'

/** An expense or an income that is no occurrence of an item. */
export interface LooseRow {
  id: string
  accountId: string
  currency: string
  date: CalendarDate
  amountMinor: number
  private: 0 | 1
  payeeId: string | null
  /** The text of the bank, or else the description, where there is no payee. */
  text: string | null
  /** The number of lines that were looked at. */
  lines: number
}

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
      SELECT t.id, e.account_id AS accountId, e.currency, e.date, e.amount_minor AS amountMinor, t.private, l.payee_id AS payeeId,
        iif(l.payee_id IS NULL, ifnull(nullif(t.payee_raw, ''), t.description), NULL) AS text,
        (SELECT count(*) FROM newest) AS lines
      FROM newest e CROSS JOIN transactions t ON t.id = e.transaction_id AND t.kind IN ('expense', 'income')
          AND t.recurring_id IS NULL AND ${isNotPrivateTo(ctx)}
        LEFT JOIN transaction_payees l ON l.transaction_id = t.id AND l.line = 0
      ORDER BY e.date, t.id`,
  )
}

/** The words and labels of a transaction, as far as a new one could have them. */
export interface SeenWords {
  id: string
  payeeRaw: string | null
  description: string
  payeeId: string | null
  payeeName: string | null
  categoryId: string | null
}

/** What transactions that were read are called. */
export const wordsOf = (ids: string[]) =>
  db.all<SeenWords>(
    sql`SELECT t.id, t.payee_raw AS payeeRaw, t.description, p.id AS payeeId, p.name AS payeeName, c.id AS categoryId
      FROM transactions t
        LEFT JOIN transaction_payees l ON l.transaction_id = t.id AND l.line = 0
        LEFT JOIN payees p ON p.id = l.payee_id AND p.archived = 0
        LEFT JOIN entries other ON other.transaction_id = t.id AND other.line = 2 AND other.side IN ('expense', 'income')
          AND NOT EXISTS (SELECT 1 FROM entries more WHERE more.transaction_id = t.id AND more.line > 2)
        LEFT JOIN categories c ON c.id = other.category_id AND c.archived = 0
      WHERE t.id IN ${among(ids)}`,
  )
