import { type SQL, sql } from 'drizzle-orm'
import { BY_EVENT, type LogList } from '../../../platform/log/log-reading.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { IS_OF_COMMIT } from '../../../platform/log/log-tables.ts'

export interface OwnEvent {
  sequence: number
  id: string
  at: number
  type: string
  actorType: 'user' | 'token' | 'system' | 'anonymous'
  actorId: string | null
  tokenId: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
  groupId: string | null
  content: string | null
  facts: string | null
  currency: string | null
  requestId: string
  ip: string | null
  userAgent: string | null
}

/** Events of own data: most stand under the commit, those that are not the commit's owner's under the event. */
const inCommits = (ownerId: string) =>
  sql`log_commits c CROSS JOIN log_events e ON ${IS_OF_COMMIT} WHERE c.owner_id = ${ownerId} AND e.owner_id IS NULL`

const inEvents = (ownerId: string) => sql`log_events e WHERE e.owner_id = ${ownerId}`

/** Lists the events about own data, whoever caused them, in the order of the log. */
export const ownEvents = (ownerId: string): LogList<OwnEvent> => ({
  order: 'oldest',
  scope: { things: sql`(${ownerId})` },
  rows: (page) => pageOfOwnEvents(ownerId, page),
  placeOf: ({ at, sequence }) => ({ at, commit: 0, event: sequence }),
  position: BY_EVENT,
})

/** One row more than the page. */
const pageOfOwnEvents = (ownerId: string, page: PageRequest): SQL<OwnEvent> => {
  const last = sql`CAST(${page.after?.[0] ?? ''} AS INTEGER)`
  // Else every page would go through the commits of all pages before it, and each commit through all events behind `last`.
  const isInLaterCommit = sql`c.number >= ifnull((SELECT a.commit_number FROM log_events a WHERE a.number = ${last}), 0)`
  const numbers = [
    sql`${inCommits(ownerId)} AND ${isInLaterCommit} AND +e.number > ${last} ORDER BY c.number, e.number`,
    sql`${inEvents(ownerId)} AND e.number > ${last} ORDER BY e.number`,
  ].map((found) => sql`SELECT * FROM (SELECT e.number FROM ${found} LIMIT ${page.limit + 1})`)
  return sql`SELECT l.number AS sequence, l.id, l.at, l.type, l.actor_type AS actorType, l.actor_id AS actorId,
        l.token_id AS tokenId, l.resource_type AS resourceType, l.resource_id AS resourceId,
        l.account_id AS accountId, l.group_id AS groupId, l.content, l.facts,
        ifnull(l.facts ->> 'currency', (SELECT a.currency FROM accounts a
          WHERE a.id = l.account_id)) AS currency, l.request_id AS requestId, l.ip,
        l.user_agent AS userAgent
      FROM (${sql.join(numbers, sql` UNION ALL `)}) p CROSS JOIN log_entries l ON l.number = p.number
      ORDER BY l.number LIMIT ${page.limit + 1}`
}
