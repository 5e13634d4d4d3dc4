import { type SQL, sql } from 'drizzle-orm'
import { timeOf } from '../../domain/ids.ts'
import { type Context, freshId } from '../context.ts'
import type { DomainEvent } from './events.ts'
import { db, inParameters, itemsOf, prepared, type Statement } from '../database/statements.ts'

/** The part of a commit that the log keeps. */
export interface Logged {
  /** The acting user, where no caller is signed in: the user that logs in or registers. */
  actorId?: string | undefined
  events: DomainEvent[]
}

/** The rows of the log that a commit writes; none when it has no events. */
export function logStatements(ctx: Context, { actorId: named, events }: Logged): Statement[] {
  const [first] = events
  if (!first) {
    return []
  }
  const actorId = named ?? ctx.caller?.userId ?? null
  const nobody = ctx.access === 'system' ? 'system' : 'anonymous'
  const tokenHash = ctx.caller?.tokenHash ?? null
  const shared = { type: first.type, ownerId: ownerOf(first, actorId) }
  const others = new Set(events.map((event) => ownerOf(event, actorId)))
  others.delete(shared.ownerId)
  return [
    insertCommit({
      id: freshId(ctx, 'log'),
      at: ctx.now,
      operation: ctx.operation,
      actorType: actorId === null ? nobody : tokenHash === null ? 'user' : 'token',
      actorId,
      // Asked for by its hash only where the commit is the first trip; this one may be deleting the token.
      tokenId: ctx.caller?.token?.id ?? null,
      tokenHash,
      ...shared,
      others: others.size > 0 ? JSON.stringify([...others]) : null,
      requestId: ctx.requestId,
      ip: ctx.client.ip,
      userAgent: ctx.client.userAgent,
      eventCount: events.length,
    }),
    ...runsOf(events.map((event) => rowOf(event, actorId, shared))),
  ]
}

const ownerOf = ({ ownerId }: DomainEvent, actorId: string | null) =>
  ownerId === undefined ? actorId : ownerId

/** An event as the log stores it: what is null is not said, and no owner or group is empty. */
interface EventRow {
  type?: string
  resourceType?: string | undefined
  resourceId: string | null
  ownerId?: string
  accountId?: string
  history?: object
  groupId?: string
  version?: number
  content?: object
  /** The values for computing the facts; the log does not keep them. */
  values?: object
  facts?: SQL
}

const isInType = ({ type, resourceType }: DomainEvent) =>
  resourceType === undefined || type.startsWith(`${resourceType}.`)

function rowOf(
  event: DomainEvent,
  actorId: string | null,
  shared: { type: string; ownerId: string | null },
): EventRow {
  const ownerId = ownerOf(event, actorId)
  const content = contentOf(event.content)
  const computed = event.facts && 'values' in event.facts ? event.facts : undefined
  const facts = event.history?.sql ?? computed?.sql ?? (event.facts as SQL | undefined)
  return {
    resourceId: event.id,
    ...(event.type === shared.type ? {} : { type: event.type }),
    ...(isInType(event) ? {} : { resourceType: event.resourceType }),
    ...(ownerId === shared.ownerId ? {} : { ownerId: ownerId ?? '' }),
    ...(event.accountId === undefined ? {} : { accountId: event.accountId }),
    ...(event.groupId === undefined ? {} : { groupId: event.groupId ?? '' }),
    ...(event.version === undefined ? {} : { version: event.version }),
    ...(event.history ? { history: event.history.values } : {}),
    ...(content ? { content } : {}),
    ...(computed ? { values: computed.values } : {}),
    ...(facts ? { facts } : {}),
  }
}

/** Keeps the order: the numbers of events are given as they come. Events in a row with the same facts are one statement. */
function runsOf(rows: EventRow[]): Statement[] {
  const statements: Statement[] = []
  let run: Omit<EventRow, 'facts'>[] = []
  let of: SQL | undefined
  const end = () => {
    statements.push(
      ...inParameters(run).map(({ json }) =>
        of ? db.run(eventsIn(sql`${json}`, of)) : insertEvents({ events: json }),
      ),
    )
    run = []
  }
  for (const { facts, ...row } of rows) {
    if (facts !== of) {
      end()
      of = facts
    }
    run.push(row)
  }
  end()
  return statements
}

/** True if this is the result of `insertCommit` for a commit with an event whose owner listens. */
export const isListened = ({ results: [row] }: D1Result): boolean =>
  (row as { isListened?: unknown } | undefined)?.isListened === 1

/** Looks for listeners by a seek for each owner of its events: mostly there is one. */
const insertCommit = prepared<Record<string, string | number | null>, unknown>(() => {
  const value = (name: string) => sql.placeholder(name)
  return db.run(sql`INSERT INTO log_commits (id, at, operation, actor_type, actor_id, token_id, type, owner_id, request_id,
      ip, user_agent, first_event, event_count)
    SELECT ${value('id')}, ${value('at')}, ${value('operation')}, ${value('actorType')}, ${value('actorId')},
      ifnull(${value('tokenId')}, (SELECT t.id FROM personal_access_tokens t WHERE t.token_hash = ${value('tokenHash')})),
      ${value('type')}, ${value('ownerId')}, ${value('requestId')}, ${value('ip')}, ${value('userAgent')},
      1 + ifnull((SELECT max(number) FROM log_events), 0), ${value('eventCount')}
    RETURNING (SELECT 1 FROM log_listeners WHERE owner_id = ${value('ownerId')} UNION ALL
      SELECT 1 FROM json_each(${value('others')}) o CROSS JOIN log_listeners l ON l.owner_id = o.value LIMIT 1) AS isListened`)
})

/** The group that it is news to: the one that the account is shared with, unless another is named. */
const eventsIn = (json: SQL, facts: SQL) =>
  sql`INSERT INTO log_events (commit_number, type, resource_type, resource_id, owner_id, account_id, history, group_id,
      version, content, facts)
    SELECT (SELECT max(number) FROM log_commits), value->>'type', value->>'resourceType', value->>'resourceId',
      value->>'ownerId', value->>'accountId', iif(value->'history' IS NULL, NULL, 1), nullif(ifnull(value->>'groupId', (SELECT s.group_id FROM shares s
        WHERE s.account_id = value->>'accountId' AND s.group_id IS NOT NULL)), ''),
      value->>'version', value->'content', ${facts}
    FROM ${itemsOf(json)}`

const insertEvents = prepared<{ events: string }, unknown>(() =>
  db.run(eventsIn(sql`${sql.placeholder('events')}`, sql`NULL`)),
)

/** The first event of a commit has its id, the others have their place behind it. */
const EVENT_ID = /^(log_\w+?)(?:-([1-9]\d{0,5}))?$/

/** The commit of an event by its id, and when that was; undefined of what is no id of an event. */
export function commitOf(id: string): { id: string; at: number; place: string } | undefined {
  const [, commitId = '', place = '1'] = EVENT_ID.exec(id) ?? []
  const at = timeOf(commitId)
  return at === undefined || id.endsWith('-1') ? undefined : { id: commitId, at, place }
}

/** True if a row `l` of `log_entries` is the event with this id. Its commit is found by the time in the id. */
export function isEvent(eventId: string): SQL {
  const { id, at, place } = commitOf(eventId) ?? {}
  return id === undefined
    ? sql`FALSE`
    : sql`l.number = (SELECT c.first_event + CAST(${place} AS INTEGER) - 1 FROM log_commits c
        WHERE c.at = CAST(${at} AS INTEGER) AND c.id = ${id} AND c.event_count >= CAST(${place} AS INTEGER))`
}

// Makes the content of an event that the log keeps. It is half of all bytes of a ledger that is posted in bulk, so
// nothing is kept twice: a change has only the fields that differ, a creation or deletion has no nulls, and nothing
// repeats the columns of the event.

type Fields = Record<string, unknown>

/** In the columns of the event or its commit. */
const IN_COLUMNS = new Set(['id', 'ownerId', 'version', 'createdAt', 'updatedAt'])

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined when there is nothing to keep. */
function contentOf(content: object | undefined): object | undefined {
  if (!content) {
    return undefined
  }
  const { before, after, ...rest } = content as Fields
  const kept = { ...imagesOf(before, after), ...rest }
  return Object.values(kept).some((value) => value !== undefined) ? kept : undefined
}

function imagesOf(before: unknown, after: unknown): Fields {
  if (isFields(before) && isFields(after)) {
    const fields = Object.keys({ ...before, ...after }).filter(
      (field) =>
        !IN_COLUMNS.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    )
    const only = (image: Fields) => Object.fromEntries(fields.map((field) => [field, image[field]]))
    return fields.length === 0 ? {} : { before: only(before), after: only(after) }
  }
  return {
    ...(before === undefined ? {} : { before: withoutNulls(before) }),
    ...(after === undefined ? {} : { after: withoutNulls(after) }),
  }
}

const withoutNulls = (image: unknown): unknown =>
  isFields(image)
    ? Object.fromEntries(
        Object.entries(image).filter(
          ([field, value]) => value !== null && value !== undefined && !IN_COLUMNS.has(field),
        ),
      )
    : image
