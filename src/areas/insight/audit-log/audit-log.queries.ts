import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { isEvent } from '../../../platform/log/log.ts'
import { BY_PLACE, type LogEntry, type LogList } from '../../../platform/log/log-reading.ts'
import type { SegmentScope } from '../../../platform/log/log-segments.ts'
import { IS_OF_COMMIT } from '../../../platform/log/log-tables.ts'
import type { PageRequest, Position } from '../../../platform/database/paging.ts'
import { upToBytes } from '../../../platform/database/statements.ts'
import {
  accountIdsWithHistory,
  isUnrestricted,
  ownedBy,
} from '../../identity/access/access.public.ts'

export interface LogFilter {
  actorId?: string | undefined
  ownerId?: string | undefined
  action?: string | undefined
  resourceType?: string | undefined
  resourceId?: string | undefined
  groupId?: string | undefined
  ip?: string | undefined
  since?: number | undefined
  until?: number | undefined
}

export interface LogEntryRow {
  id: string
  commitId: string
  /** The places of the commit and of the event in the log. */
  commitNumber: number
  eventNumber: number
  at: number
  type: string
  actorType: 'user' | 'token' | 'system' | 'anonymous'
  actorId: string | null
  tokenId: string | null
  ownerId: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
  groupId: string | null
  version: number | null
  /** JSON; null also where it is not shown here. */
  content: string | null
  /** The currency of the account that it was booked on, for amounts that name none themselves. */
  currency: string | null
  /** 1 if the changes are longer than shown. */
  isLong: 0 | 1
  requestId: string
  ip: string | null
  userAgent: string | null
  /** The number of the commit's seal, once there is one. */
  number: number | null
  hash: string | null
  previousHash: string | null
}

const IS_LONG = sql.raw('(ifnull(octet_length(l.content), 0) > 20000)')

/** An account that was erased is known no more; what the log noted of its history still names its currency. */
const CURRENCY_OF_ACCOUNT = sql.raw(`ifnull(l.facts ->> 'currency',
  (SELECT a.currency FROM accounts a WHERE a.id = l.account_id))`)

/** Adds the facts about a forced period lock, which belong to the commit, to the changes. */
const withForce = (content: SQL): SQL =>
  sql`iif(l.facts ->> 'forced', json_patch(ifnull(${content}, '{}'),
    json_object('forced', json('true'), 'lockIds', l.facts -> 'lockIds')), ${content})`

const columnsWith = (content: SQL, isLong = IS_LONG) =>
  sql`l.id, l.commit_id AS commitId, l.commit_number AS commitNumber, l.number AS eventNumber, l.at, l.type,
    l.actor_type AS actorType, l.actor_id AS actorId, l.token_id AS tokenId, l.owner_id AS ownerId,
    l.resource_type AS resourceType, l.resource_id AS resourceId, l.account_id AS accountId, l.group_id AS groupId,
    l.version, ${content} AS content, ${CURRENCY_OF_ACCOUNT} AS currency, ${isLong} AS isLong,
    l.request_id AS requestId, l.ip, l.user_agent AS userAgent, s.number, s.hash,
    (SELECT b.hash FROM log_seals b WHERE b.number = s.number - 1) AS previousHash`

const WITH_SEAL = sql.raw('LEFT JOIN log_seals s ON s.number = l.commit_number')

/** Events `e` with their commits `c`, found by a column of the events or by one of the commits. */
const BY_EVENT = sql`log_events e CROSS JOIN log_commits c ON ${IS_OF_COMMIT}`
const BY_COMMIT = sql`log_commits c CROSS JOIN log_events e ON ${IS_OF_COMMIT}`

const TYPE = sql.raw('ifnull(e.type, c.type)')
const OWNER = sql.raw(
  "CASE WHEN e.owner_id IS NULL THEN c.owner_id WHEN e.owner_id <> '' THEN e.owner_id END",
)
const RESOURCE_TYPE = sql`ifnull(e.resource_type, substr(${TYPE}, 1, instr(${TYPE}, '.') - 1))`

/** One way to some of the events; an event is found by one way at most. */
interface Way {
  from: SQL
  where: SQL
}

/** By time where nothing else finds an event by an index; else in the order of the log, which each index has. */
interface Search {
  ways: Way[]
  isByTime: boolean
  scope: SegmentScope
}

const all = (conditions: SQL[]): SQL => sql.join(conditions, sql` AND `)

const matching = (filter: LogFilter): SQL[] => {
  const { actorId, ownerId, action, resourceType, resourceId, groupId, ip, since, until } = filter
  return [
    ...(actorId === undefined ? [] : [sql`c.actor_id = ${actorId}`]),
    ...(ownerId === undefined ? [] : [sql`${OWNER} = ${ownerId}`]),
    ...(resourceId === undefined ? [] : [sql`e.resource_id = ${resourceId}`]),
    ...(groupId === undefined ? [] : [sql`e.group_id = ${groupId}`]),
    ...(action === undefined ? [] : [sql`${TYPE} = ${action}`]),
    ...(resourceType === undefined ? [] : [sql`${RESOURCE_TYPE} = ${resourceType}`]),
    ...(ip === undefined ? [] : [sql`c.ip = ${ip}`]),
    ...(since === undefined ? [] : [sql`c.at >= ${since}`]),
    ...(until === undefined ? [] : [sql`c.at <= ${until}`]),
  ]
}

/** The ways to events about things of an owner: most are found by the commit, those in commits of other owners by the event. */
const ofOwner = (ownerId: string): Way[] => [
  { from: BY_COMMIT, where: sql`c.owner_id = ${ownerId}` },
  { from: BY_EVENT, where: sql`e.owner_id = ${ownerId} AND c.owner_id IS NOT ${ownerId}` },
]

/** The ways to actions of a user: with own things, which are all that many users have, and with those of others. */
const doneBy = (actorId: string): Way[] => [
  { from: BY_COMMIT, where: sql`c.owner_id = ${actorId} AND c.actor_id = ${actorId}` },
  { from: BY_COMMIT, where: sql`c.actor_id = ${actorId} AND c.actor_id IS NOT c.owner_id` },
]

/** A search that names nothing covers the last days. */
const SEARCHED_MS = 31 * 24 * 60 * 60 * 1000

function waysOf({ actorId, ownerId, resourceId, groupId }: LogFilter): Way[] | undefined {
  if (resourceId !== undefined) {
    return [{ from: BY_EVENT, where: sql`e.resource_id = ${resourceId}` }]
  }
  if (groupId !== undefined) {
    return [{ from: BY_EVENT, where: sql`e.group_id = ${groupId}` }]
  }
  if (ownerId !== undefined) {
    return ofOwner(ownerId)
  }
  return actorId === undefined ? undefined : doneBy(actorId)
}

/** Returns the segments that may have results of such a search. */
function scopeOf({ actorId, ownerId, resourceId, groupId, since, until }: LogFilter): SegmentScope {
  const named = resourceId ?? groupId ?? ownerId ?? actorId
  return { things: named === undefined ? undefined : sql`(${named})`, from: since, to: until }
}

export function searchOf(now: number, filter: LogFilter): Search {
  const named = waysOf(filter)
  const since = filter.since ?? (named ? undefined : now - SEARCHED_MS)
  const conditions = matching({ ...filter, since })
  const ways = named ?? [{ from: BY_COMMIT, where: sql`TRUE` }]
  return {
    ways: ways.map((way) => ({ ...way, where: all([way.where, ...conditions]) })),
    isByTime: named === undefined,
    scope: scopeOf({ ...filter, since }),
  }
}

/** The search of the caller: everything about own data, and the caller's own actions on things that it still sees. */
export function ownSearch(ctx: SignedIn, filter: LogFilter): Search {
  const me = ctx.caller.userId
  const isKnown = sql`CASE WHEN e.account_id IS NULL THEN ${isUnrestricted(ctx)}
    ELSE e.account_id IN (${accountIdsWithHistory(ctx)}) END`
  const isOwn = sql`(${isUnrestricted(ctx)} OR ${isKnown})`
  const conditions = matching(filter)
  const [ofCommit, ofEvent] = ofOwner(me)
  const ways = [
    ...(ofCommit
      ? [
          {
            ...ofCommit,
            where: sql`${ofCommit.where} AND CASE WHEN ${OWNER} = ${me} THEN ${isOwn} ELSE c.actor_id = ${me} AND ${isKnown} END`,
          },
        ]
      : []),
    ...(ofEvent ? [{ ...ofEvent, where: sql`${ofEvent.where} AND ${isOwn}` }] : []),
    {
      from: BY_COMMIT,
      where: sql`c.actor_id = ${me} AND c.actor_id IS NOT c.owner_id AND ${OWNER} IS NOT ${me} AND ${isKnown}`,
    },
  ]
  return {
    ways: ways.map((way) => ({ ...way, where: all([way.where, ...conditions]) })),
    isByTime: false,
    scope: scopeOf({ ...filter, ownerId: me }),
  }
}

/**
 * Behind this event in the order of the search. A position is an `at`, a number of a commit and one of an event. The plus
 * keeps SQLite from going through all events up to that one for each commit.
 */
const behind = ({ isByTime }: Search, from: SQL, [at, commit, event]: Position) =>
  isByTime
    ? sql`AND c.at <= CAST(${at} AS INTEGER)
        AND (c.at, c.number, e.number) < (CAST(${at} AS INTEGER), CAST(${commit} AS INTEGER), CAST(${event} AS INTEGER))`
    : sql`AND c.number <= CAST(${commit} AS INTEGER)
        AND ${sql.raw(from === BY_EVENT ? 'e.number' : '+e.number')} < CAST(${event} AS INTEGER)`

/** The order in which the index finds the events, so that nothing is sorted. */
const orderOf = ({ isByTime }: Search, from: SQL) =>
  sql.raw(
    isByTime
      ? 'c.at DESC, c.number DESC, e.number DESC'
      : from === BY_EVENT
        ? 'e.number DESC'
        : 'c.number DESC, e.number DESC',
  )

/** Places of events in the log, the newest first. */
function places(search: Search, { after, limit }: PageRequest): SQL {
  const some = search.ways.map(
    ({ from, where }) =>
      sql`SELECT * FROM (SELECT e.number AS place FROM ${from}
        WHERE ${where} ${after ? behind(search, from, after) : sql``} ORDER BY ${orderOf(search, from)} LIMIT ${limit + 1})`,
  )
  return sql`(${sql.join(some, sql` UNION ALL `)})`
}

const pageWith = (columns: SQL, search: Search, page: PageRequest): SQL<LogEntryRow> =>
  sql`SELECT ${columns} FROM ${places(search, page)} p
    CROSS JOIN log_entries l ON l.number = p.place ${WITH_SEAL}
    ORDER BY ${search.isByTime ? sql`l.at DESC, ` : sql``} l.number DESC LIMIT ${page.limit + 1}`

const SHORT = sql`CASE WHEN ${IS_LONG} THEN NULL ELSE l.content END`

/** One row more than the page; what is long is shown of one entry only. */
const shortPage = (search: Search, page: PageRequest) =>
  pageWith(columnsWith(withForce(SHORT)), search, page)

const SIZE = sql`ifnull(octet_length(content), 0)`

const listOf = (search: Search, rows: LogList<LogEntryRow>['rows']): LogList<LogEntryRow> => ({
  order: search.isByTime ? 'newestByTime' : 'newest',
  scope: search.scope,
  rows,
  placeOf: ({ at, commitNumber, eventNumber }) => ({
    ...{ at, commit: commitNumber, event: eventNumber },
  }),
  position: BY_PLACE,
})

/** The log as an export has it, whatever the bytes of a page are. */
export const exportedLog = (search: Search): LogList<LogEntryRow> =>
  listOf(search, (page) => shortPage(search, page))

/** A search with a count, in pages that end early where contents are long. */
export const searchedLog = (search: Search): LogList<LogEntryRow> => ({
  ...listOf(search, (page) => upToBytes(shortPage(search, page), SIZE)),
  count: countOf(search),
})

const isShown = ({ caller }: SignedIn) => ownedBy(caller, 'l.owner_id')

/** A search for a user who may see the changes of own things only. */
export const ownLog = (ctx: SignedIn, search: Search): LogList<LogEntryRow> => ({
  ...listOf(search, (page) =>
    upToBytes(
      pageWith(
        columnsWith(
          sql`CASE WHEN ${isShown(ctx)} AND ${isUnrestricted(ctx)} THEN ${withForce(SHORT)} END`,
          sql`NULL`,
        ),
        search,
        page,
      ),
      SIZE,
    ),
  ),
  count: countOf(search),
})

const countOf = ({ ways }: Search): SQL<{ count: number }> =>
  sql`SELECT ${sql.join(
    ways.map(({ from, where }) => sql`(SELECT count(*) FROM ${from} WHERE ${where})`),
    sql` + `,
  )} AS count`

export const logEntry = (id: string): LogEntry<LogEntryRow> => ({
  id,
  row: sql`SELECT ${columnsWith(withForce(sql.raw('l.content')))} FROM log_entries l ${WITH_SEAL} WHERE ${isEvent(id)}`,
})
