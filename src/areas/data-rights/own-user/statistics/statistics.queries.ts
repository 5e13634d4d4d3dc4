import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { db } from '../../../../platform/statements.ts'
import { ownedBy, visibleAccountIds } from '../../../identity/access/access.public.ts'

export interface StatisticsRow {
  memberSince: number
  accounts: number
  /** Transfers included. */
  booked: number
  transfers: number
  firstTransactionDate: string | null
  lastTransactionDate: string | null
  categories: number
  exchangeRates: number
  sessions: number
  accessTokens: number
  identities: number
  inviteCodes: number
}

/** Counts the data that the caller owns, and the accounts and bookings that the caller sees. */
export function ownStatistics(ctx: SignedIn) {
  const { userId } = ctx.caller
  // In the order of an index, so that nothing is sorted to tell both sides of a transfer from two transactions.
  const booked = sql`SELECT count(*) AS booked, min(date) AS firstDate, max(date) AS lastDate
    FROM (SELECT DISTINCT e.date, e.transaction_id FROM entries e
      WHERE ${ownedBy(ctx.caller, 'e.owner_id')} AND e.side = 'account' AND e.account_id IN (SELECT id FROM seen))`
  return db.all<StatisticsRow>(sql`WITH seen AS MATERIALIZED (${visibleAccountIds(ctx)})
    SELECT u.created_at AS memberSince,
      (SELECT count(*) FROM seen) AS accounts,
      b.booked,
      (SELECT count(*) FROM transactions t WHERE t.owner_id = u.id AND t.kind = 'transfer'
        AND t.deleted_at IS NULL AND EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id
          AND e.side = 'account' AND +e.owner_id = u.id AND +e.account_id IN (SELECT id FROM seen))) AS transfers,
      b.firstDate AS firstTransactionDate, b.lastDate AS lastTransactionDate,
      (SELECT count(*) FROM categories c WHERE c.owner_id = u.id) AS categories,
      (SELECT count(*) FROM exchange_rates r WHERE r.owner_id = u.id) AS exchangeRates,
      (SELECT count(*) FROM sessions s WHERE s.user_id = u.id AND s.revoked_at IS NULL
        AND s.idle_expires_at > ${ctx.now} AND s.absolute_expires_at > ${ctx.now}) AS sessions,
      (SELECT count(*) FROM personal_access_tokens p WHERE p.user_id = u.id) AS accessTokens,
      (SELECT count(*) FROM external_identities i WHERE i.user_id = u.id) AS identities,
      (SELECT count(*) FROM invite_codes v WHERE v.issued_by = u.id) AS inviteCodes
    FROM users u CROSS JOIN (${booked}) b WHERE u.id = ${userId}`)
}
