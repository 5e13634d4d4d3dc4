import { env } from 'cloudflare:workers'
import { someId } from '../../support/of-file.ts'

/** An event of the log, as it is stored. */
interface StoredEvent {
  resourceType?: string
  resourceId?: string
  ownerId?: string
  accountId?: string
  groupId?: string
  version?: number
  content?: unknown
  facts?: unknown
}

interface StoredCommit {
  type?: string
  at?: number
  actorId?: string | null
  ownerId?: string | null
  ip?: string
  userAgent?: string
  events?: StoredEvent[]
}

/** Puts a commit of any time and form into the log; gives the ids of its events. */
export async function storeCommit(commit: StoredCommit = {}): Promise<string[]> {
  const { type = 'thing.changed', at = Date.now(), actorId = null, ownerId = actorId } = commit
  const { ip = null, userAgent = null, events = [{}] } = commit
  const id = someId('log', at)
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO log_commits (id, at, operation, actor_type, actor_id, type, owner_id, request_id, ip, user_agent,
          first_event, event_count)
        VALUES (?, CAST(? AS INTEGER), 'test', 'user', ?, ?, ?, 'req_1', ?, ?,
          1 + ifnull((SELECT max(number) FROM log_events), 0), CAST(? AS INTEGER))`,
    ).bind(id, at, actorId, type, ownerId, ip, userAgent, events.length),
    env.DB.prepare(
      `INSERT INTO log_events (commit_number, resource_type, resource_id, owner_id, account_id, group_id, version,
          content, facts)
        SELECT (SELECT max(number) FROM log_commits), value->>'resourceType', value->>'resourceId', value->>'ownerId',
          value->>'accountId', value->>'groupId', value->>'version', value->'content', value->'facts' FROM json_each(?)`,
    ).bind(JSON.stringify(events)),
  ])
  return events.map((_, at0) => (at0 === 0 ? id : `${id}-${at0 + 1}`))
}
