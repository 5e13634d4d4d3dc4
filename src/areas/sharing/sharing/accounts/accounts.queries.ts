import { sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context.ts'
import { db } from '../../../../platform/statements.ts'

/** Who sees an account, and by what. */
export interface Person {
  userId: string
  name: string
  /** Null for the owner. */
  shareId: string | null
  groupId: string | null
  /** Of domain/sharing.ts. */
  rank: number
  ownRows: 0 | 1
  expiresAt: number | null
}

/** Of an account that the same read shows to be seen: its owner, then everybody else by name. */
export const peopleOf = ({ now }: Context, accountId: string) =>
  db.all<Person>(sql`SELECT u.id AS userId, u.name, NULL AS shareId, NULL AS groupId, 5 AS rank,
      0 AS ownRows, NULL AS expiresAt, '' AS sortKey
    FROM accounts a JOIN users u ON u.id = a.owner_id WHERE a.id = ${accountId}
    UNION ALL
    SELECT u.id, u.name, s.id, s.group_id, r.rank, r.own_rows, r.expires_at, u.name_key
    FROM account_receivers r JOIN shares s ON s.id = r.share_id JOIN users u ON u.id = r.user_id
    WHERE r.account_id = ${accountId} AND (r.expires_at IS NULL OR r.expires_at > ${now})
    ORDER BY rank DESC, sortKey, userId, shareId`)
