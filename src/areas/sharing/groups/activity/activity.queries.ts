import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { BY_EVENT, type LogList } from '../../../../platform/log-reading.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { isNotPrivateTo } from '../../../identity/access/access.public.ts'

/** An event that is news to a group: that something was done, not what it said. */
export interface ActivityRow {
  id: string
  sequence: number
  at: number
  type: string
  actorId: string | null
  /** Of members only: who is out is not named any more. */
  actorName: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
}

/** What an account is about, which is still shared with the group. */
const isStillShared = ({ now }: SignedIn): SQL =>
  sql`(l.account_id IS NULL OR EXISTS (SELECT 1 FROM shares s JOIN groups g ON g.id = s.group_id
    JOIN accounts a ON a.id = s.account_id
    WHERE s.account_id = l.account_id AND s.group_id = l.group_id AND g.suspended_at IS NULL
      AND a.deleted_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > ${now})))`

/** Nothing of transactions that are private to somebody else, or are gone: of those nobody knows any more. */
const isToldTo = (ctx: SignedIn): SQL =>
  sql`CASE WHEN l.resource_type NOT IN ('transaction', 'transfer', 'transactionLink') OR l.resource_id IS NULL THEN 1
    WHEN l.resource_type = 'transactionLink' THEN 2 = (SELECT count(*) FROM transaction_links k
      JOIN transactions t ON t.id IN (k.source_id, k.target_id)
      WHERE k.id = l.resource_id AND ${isNotPrivateTo(ctx)})
    ELSE EXISTS (SELECT 1 FROM transactions t WHERE t.id = ${HEADER_ID} AND ${isNotPrivateTo(ctx)}) END`

/** Legs have ids made of that of their transfer. */
const HEADER_ID = sql.raw(
  "iif(l.resource_id GLOB 'txn_*-[12]', 'trf_' || substr(l.resource_id, 5, 26), l.resource_id)",
)

const isNews = (ctx: SignedIn, groupId: string): SQL =>
  sql`l.group_id = ${groupId} AND ${isStillShared(ctx)} AND ${isToldTo(ctx)}`

/** The last commit first; for a read that shows that the caller is in the group. */
export const activityList = (ctx: SignedIn, groupId: string): LogList<ActivityRow> => ({
  order: 'newest',
  scope: { things: sql`(${groupId})` },
  rows: (page) => pageOfActivity(ctx, groupId, page),
  count: sql`SELECT count(*) AS count FROM log_entries l WHERE ${isNews(ctx, groupId)}`,
  placeOf: ({ at, sequence }) => ({ at, commit: 0, event: sequence }),
  position: BY_EVENT,
})

/** One row more than the page. */
function pageOfActivity(ctx: SignedIn, groupId: string, page: PageRequest): SQL<ActivityRow> {
  const [sequence] = page.after ?? []
  const follows = sequence === undefined ? sql`` : sql`AND l.number < CAST(${sequence} AS INTEGER)`
  return sql`SELECT l.id, l.number AS sequence, l.at, l.type, l.actor_id AS actorId,
      u.name AS actorName, l.resource_type AS resourceType, l.resource_id AS resourceId,
      l.account_id AS accountId
    FROM log_entries l LEFT JOIN group_members m ON m.group_id = l.group_id AND m.user_id = l.actor_id
      LEFT JOIN users u ON u.id = m.user_id
    WHERE ${isNews(ctx, groupId)} ${follows} ORDER BY l.number DESC LIMIT ${page.limit + 1}`
}
