import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db } from '../../../platform/statements.ts'
import { isNotPrivateTo } from '../../access/access.public.ts'

/** A row of the one log that is news to a group: that something was done, not what it said. */
export interface ActivityRow {
  id: string
  sequence: number
  at: number
  action: string
  actorId: string | null
  /** Of members only: who is out is not named any more. */
  actorName: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
}

/** What an account is about, which is still shared with the group. */
const isStillShared = ({ now }: SignedIn): SQL =>
  sql`(l.booked_on IS NULL OR EXISTS (SELECT 1 FROM shares s JOIN groups g ON g.id = s.group_id
    JOIN accounts a ON a.id = s.account_id
    WHERE s.account_id = l.booked_on AND s.group_id = l.group_id AND g.suspended_at IS NULL
      AND a.deleted_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > ${now})))`

/** Nothing of transactions that are private to somebody else, or are gone: of those nobody knows any more. */
const isToldTo = (ctx: SignedIn): SQL =>
  sql`CASE WHEN l.resource_type NOT IN ('transaction', 'transfer', 'transactionLink') THEN 1
    WHEN l.resource_type = 'transactionLink' THEN 2 = (SELECT count(*) FROM transaction_links k
      JOIN transactions t ON t.id IN (k.source_id, k.target_id)
      WHERE k.id = l.resource_id AND ${isNotPrivateTo(ctx)})
    WHEN l.resource_id IS NOT NULL THEN EXISTS (SELECT 1 FROM transactions t
      WHERE t.id = l.resource_id AND ${isNotPrivateTo(ctx)})
    ELSE NOT EXISTS (SELECT 1 FROM audit_log_items i LEFT JOIN transactions t ON t.id = i.resource_id
      WHERE i.log_id = l.id AND (t.id IS NULL OR NOT ${isNotPrivateTo(ctx)})) END`

const isNews = (ctx: SignedIn, groupId: string): SQL =>
  sql`l.group_id = ${groupId} AND ${isStillShared(ctx)} AND ${isToldTo(ctx)}`

/** The last commit first, one row more than the page; for a read that shows that the caller is in the group. */
export function pageOfActivity(ctx: SignedIn, groupId: string, page: PageRequest) {
  const [sequence] = page.after ?? []
  const follows = sequence === undefined ? sql`` : sql`AND l.rowid < CAST(${sequence} AS INTEGER)`
  return db.all<ActivityRow>(sql`SELECT l.id, l.rowid AS sequence, l.at, l.action, l.actor_id AS actorId,
      u.name AS actorName, l.resource_type AS resourceType, l.resource_id AS resourceId,
      l.booked_on AS accountId
    FROM audit_log l LEFT JOIN group_members m ON m.group_id = l.group_id AND m.user_id = l.actor_id
      LEFT JOIN users u ON u.id = m.user_id
    WHERE ${isNews(ctx, groupId)} ${follows} ORDER BY l.rowid DESC LIMIT ${page.limit + 1}`)
}

export const countOfActivity = (ctx: SignedIn, groupId: string) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM audit_log l WHERE ${isNews(ctx, groupId)}`,
  )
