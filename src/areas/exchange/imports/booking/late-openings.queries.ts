import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../../../platform/statements.ts'
import { sumAtEnd } from '../../../../ledger/search/search.public.ts'
import type { WideSum } from '../../../../platform/wide-sums.ts'

/** What a statement says of an account that opens with nothing. */
export interface StatedBalance {
  accountId: string
  currency: string
  /** The day before which the account held the balance. */
  date: string
  /** The day on which the account opens so far. */
  openingDate: string
  balanceMinor: number
  /** What the transactions of the account before that day come to. */
  heldBefore: WideSum
}

/** The balances of a file on own open accounts that another import created and that have no opening balance, the earliest first. */
export const balancesOfUnopened = (importId: string): Statement<StatedBalance[]> =>
  db.all(sql`SELECT a.id AS accountId, a.currency, s.from_date AS "date", a.opening_date AS openingDate,
      ifnull(s.opening_minor, s.content->>'derivedMinor') AS balanceMinor,
      ${sumAtEnd(sql`a.id`, sql`date(s.from_date, '-1 day')`, sql`'balance'`)} AS heldBefore
    FROM imports i JOIN import_statements s ON s.import_id = i.id
    JOIN accounts a ON a.id = s.account_id AND a.owner_id = i.owner_id AND a.status = 'open'
    WHERE i.id = ${importId} AND s.from_date IS NOT NULL AND NOT s.content->>'isInterim'
      AND ifnull(s.opening_minor, s.content->>'derivedMinor') IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM transactions t WHERE t.id = 'txn_' || substr(a.id, 5))
      AND EXISTS (SELECT 1 FROM imports m, json_each(m.made, '$.accounts') made
        WHERE m.owner_id = a.owner_id AND m.id <> i.id AND made.value = a.id)
    ORDER BY s.from_date, s.place`)
