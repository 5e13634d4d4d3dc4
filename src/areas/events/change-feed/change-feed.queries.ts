import { type SQL, sql } from 'drizzle-orm'
import { addressOf } from '../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { among, db, nothing, type Statement } from '../../../platform/database/statements.ts'
import {
  accessLevel,
  accountIdsWithHistory,
  accountIsSeenBy,
  isUnrestricted,
  viewerOf,
  wayOfAccess,
  withSeen,
} from '../../identity/access/access.public.ts'
import { ownGroupIds } from '../../identity/memberships/memberships.public.ts'
import { type FeedEvent, MOST_ACCOUNTS, RELOADS } from './change-feed.rules.ts'

/** An account that the caller sees, and by what. */
interface AccountWay {
  id: string
  ownerId: string
  rank: number
  way: string | null
}

/** One more than a cursor holds. */
export const seenAccounts = (ctx: SignedIn): Statement<AccountWay[]> =>
  db.all<AccountWay>(sql`SELECT accounts.id, accounts.owner_id AS ownerId, ${accessLevel(viewerOf(ctx))} AS rank,
      ${wayOfAccess(viewerOf(ctx))} AS way
    FROM accounts WHERE ${accountIsSeenBy(viewerOf(ctx))} ORDER BY accounts.id LIMIT ${MOST_ACCOUNTS + 1}`)

/** Events of the log that one page goes through for all owners and groups together. */
const MOST_LOOKED_AT = sql.raw('8000')

const TYPE = sql.raw('ifnull(e.type, c.type)')
const RESOURCE_TYPE = sql`ifnull(e.resource_type, substr(${TYPE}, 1, instr(${TYPE}, '.') - 1))`

/** Types of own events that change nothing that anybody lists, and come often. */
const SILENT = ['session.refreshed', 'file.downloaded']

/** Kinds of things on an account that everybody lists who sees the account. */
const LISTED_BY_ALL = [
  'account',
  'attachment',
  'balanceAssertion',
  'reconciliation',
  'transaction',
  'valuation',
]

/**
 * True if an event `l` took a transaction away while it was not private: from an account that the caller sees, if it moved.
 * What only changes it may also concern one in the trash, which the caller could not see.
 */
const TOOK_AWAY = sql`CASE WHEN l.content -> 'before' IS NULL THEN 0
    WHEN l.content -> 'after' IS NULL THEN l.content -> 'private' IS NULL
    ELSE l.content -> '$.after.private' IS NOT NULL AND (l.content ->> '$.before.accountId' IS NULL
      OR l.content ->> '$.before.accountId' IN (SELECT id FROM seen)) END`

/** An event, and in each row how far the log was gone through. */
type FoundEvent = { [Field in keyof FeedEvent]: FeedEvent[Field] | null } & {
  last: number
  /** The first event that was not looked at; null at the end of the log. */
  edge: number | null
}

/**
 * Events after a number: of own things, of things on accounts that the caller sees, and of things of own groups. One row
 * more than the page; one without an event where there is none.
 */
export const eventsFor = (ctx: SignedIn, after: number, limit: number): Statement<FoundEvent[]> => {
  const me = ctx.caller.userId
  const from = sql`CAST(${after} AS INTEGER)`
  const isAfter = sql`e.number > ${from}`
  // What is in the middle of a commit is found by its number alone.
  const isOf = sql`e.number >= max(c.first_event, ${from} + 1) AND e.number < c.first_event + c.event_count`
  const isLater = sql`c.number >= (SELECT commit_number FROM log_events WHERE number > ${from} ORDER BY number LIMIT 1)`
  const byCommit = sql`log_commits c CROSS JOIN log_events e ON ${isOf}`
  const commitOf = sql`CROSS JOIN log_commits c ON c.number = e.commit_number`
  const isBeforeEdge = sql`e.number < (SELECT ifnull(number, 9e15) FROM edge)`
  // The first event that is not looked at, of each way to some that are new: so many ways share what is looked at.
  const edgeOf = (kind: string, found: SQL) =>
    sql`SELECT (${found} LIMIT 1 OFFSET (SELECT max(10, ${MOST_LOOKED_AT} / count(*)) FROM ways)) AS number
      FROM ways w WHERE w.kind = ${kind}`
  const isTold = sql`CASE WHEN w.id <> ${me} THEN
      CASE WHEN e.account_id IS NULL THEN ${TYPE} IN ${among(RELOADS)}
        ELSE e.account_id IN (SELECT id FROM seen) AND ${RESOURCE_TYPE} IN ${among(LISTED_BY_ALL)} END
    WHEN e.account_id IS NULL THEN (${isUnrestricted(ctx)} OR ${TYPE} IN ${among(RELOADS)}) AND ${TYPE} NOT IN ${among(SILENT)}
    WHEN ${RESOURCE_TYPE} = 'account' THEN e.account_id IN (${accountIdsWithHistory(ctx)})
    ELSE e.account_id IN (SELECT id FROM seen) END`
  return db.all<FoundEvent>(sql`WITH ${withSeen(ctx)},
    owners(id) AS MATERIALIZED (SELECT ${me} UNION SELECT owner_id FROM seen),
    ways(kind, id) AS MATERIALIZED (
      SELECT 'commit', id FROM owners o WHERE EXISTS (SELECT 1 FROM log_commits c WHERE c.owner_id = o.id AND ${isLater})
      UNION ALL SELECT 'owner', id FROM owners o WHERE EXISTS (SELECT 1 FROM log_events e WHERE e.owner_id = o.id AND ${isAfter})
      UNION ALL SELECT 'group', id FROM (SELECT group_id AS id FROM (${ownGroupIds(ctx)})) g
        WHERE EXISTS (SELECT 1 FROM log_events e WHERE e.group_id = g.id AND ${isAfter})),
    edge(number) AS MATERIALIZED (SELECT min(number) FROM (
      ${edgeOf('commit', sql`SELECT e.number FROM ${byCommit} WHERE c.owner_id = w.id AND ${isLater} ORDER BY c.number, e.number`)}
      UNION ALL ${edgeOf('owner', sql`SELECT e.number FROM log_events e WHERE e.owner_id = w.id AND ${isAfter} ORDER BY e.number`)}
      UNION ALL ${edgeOf('group', sql`SELECT e.number FROM log_events e WHERE e.group_id = w.id AND ${isAfter} ORDER BY e.number`)})),
    page(number) AS MATERIALIZED (
      SELECT e.number FROM ways w CROSS JOIN ${byCommit}
        WHERE w.kind = 'commit' AND c.owner_id = w.id AND ${isLater} AND e.owner_id IS NULL AND +${isBeforeEdge} AND ${isTold}
          AND c.number <= ifnull((SELECT commit_number FROM log_events WHERE number = (SELECT number FROM edge)), 9e15)
      UNION ALL SELECT e.number FROM ways w CROSS JOIN log_events e ON e.owner_id = w.id ${commitOf}
        WHERE w.kind = 'owner' AND ${isAfter} AND ${isBeforeEdge} AND ${isTold}
      UNION ALL SELECT e.number FROM ways w CROSS JOIN log_events e ON e.group_id = w.id ${commitOf}
        WHERE w.kind = 'group' AND ${isAfter} AND ${isBeforeEdge} AND e.account_id IS NULL
          AND ifnull(e.owner_id, ifnull(c.owner_id, '')) <> ${me}
      ORDER BY 1 LIMIT ${limit + 1})
    SELECT (SELECT ifnull(max(number), 0) FROM log_events) AS last, edge.number AS edge, told.*
    FROM edge LEFT JOIN (SELECT l.number, l.id, l.at, l.type, l.actor_id AS actorId, l.owner_id AS ownerId,
        l.resource_type AS resourceType, l.resource_id AS resourceId, l.account_id AS accountId, l.version,
        ${TOOK_AWAY} AS tookAway
      FROM page CROSS JOIN log_entries l ON l.number = page.number) told ON TRUE ORDER BY told.number`)
}

/** Those of these transactions that the caller recorded, or had a hand in: a row that is erased tells no author any more. */
export const ownWorkAmong = (ctx: SignedIn, ids: string[]): Statement<{ id: string }[]> =>
  ids.length === 0
    ? nothing()
    : db.all<{ id: string }>(sql`SELECT wanted.value->>0 AS id
    FROM json_each(${JSON.stringify(ids.map((id) => [id, addressOf(id).transactionId]))}) wanted
    WHERE EXISTS (SELECT 1 FROM transactions t WHERE t.id = wanted.value->>1 AND t.created_by = ${ctx.caller.userId})
      OR EXISTS (SELECT 1 FROM log_events e CROSS JOIN log_commits c ON c.number = e.commit_number
        WHERE e.resource_id = wanted.value->>0 AND c.actor_id = ${ctx.caller.userId})`)
