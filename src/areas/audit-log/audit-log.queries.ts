import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import type { PageRequest, Position } from '../../platform/paging.ts'
import { db } from '../../platform/statements.ts'
import { accountIdsWithHistory, isUnrestricted } from '../access/access.public.ts'

export interface LogFilter {
  actorId?: string | undefined
  ownerId?: string | undefined
  action?: string | undefined
  resourceType?: string | undefined
  resourceId?: string | undefined
  groupId?: string | undefined
  ip?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

export interface LogEntryRow {
  id: string
  sequence: number
  at: number
  action: string
  actorType: 'user' | 'token' | 'system' | 'anonymous'
  actorId: string | null
  tokenId: string | null
  ownerId: string | null
  resourceType: string
  resourceId: string | null
  bookedOn: string | null
  groupId: string | null
  /** JSON; null also where it is not to be told here. */
  changes: string | null
  /** Of the account that it was booked on, for amounts that name none themselves. */
  currency: string | null
  /** Whether there is more to tell of what was changed. */
  isLong: 0 | 1
  requestId: string
  ip: string | null
  userAgent: string | null
  itemCount: number
  /** Of its link in the chain, once it is sealed. */
  number: number | null
  hash: string | null
  previousHash: string | null
}

const IS_LONG = sql.raw('(ifnull(octet_length(l.changes), 0) > 20000)')

/** An account that was erased is known no more; what the log noted of its history still names its currency. */
const CURRENCY_OF_ACCOUNT = sql.raw(`ifnull(l.facts ->> 'currency',
  (SELECT a.currency FROM accounts a WHERE a.id = ifnull(l.booked_on, l.account_id)))`)

const columnsWith = (changes: SQL, isLong = IS_LONG) =>
  sql`l.id, l.rowid AS sequence, l.at, l.action, l.actor_type AS actorType, l.actor_id AS actorId,
    l.token_id AS tokenId, l.owner_id AS ownerId, l.resource_type AS resourceType,
    l.resource_id AS resourceId, ifnull(l.booked_on, l.account_id) AS bookedOn, l.group_id AS groupId,
    ${changes} AS changes, ${CURRENCY_OF_ACCOUNT} AS currency, ${isLong} AS isLong, l.request_id AS requestId, l.ip, l.user_agent AS userAgent,
    (SELECT count(*) FROM audit_log_items i WHERE i.log_id = l.id) AS itemCount,
    c.number, c.hash, (SELECT b.hash FROM audit_chain b WHERE b.number = c.number - 1) AS previousHash`

const WITH_LINK = sql.raw('LEFT JOIN audit_chain c ON c.log_id = l.id')

const isNamed = ({ actorId, ownerId, resourceId, groupId }: LogFilter): boolean =>
  [actorId, ownerId, resourceId, groupId].some((id) => id !== undefined)

/** By time where nothing else finds a row by an index; else in the order of the log, which each index has. */
interface Search {
  /** Conditions on `l`; a row is in one of them at most. */
  branches: SQL[]
  isByTime: boolean
}

const matching = (filter: LogFilter, isByTime: boolean): SQL[] => {
  // A plus keeps SQLite from the index.
  const at = isByTime ? sql`l.at` : sql`+l.at`
  const { ownerId, action, resourceType, resourceId, groupId, ip, from, to } = filter
  return [
    ...(ownerId === undefined ? [] : [sql`l.owner_id = ${ownerId}`]),
    ...(resourceId === undefined ? [] : [sql`l.resource_id = ${resourceId}`]),
    ...(groupId === undefined ? [] : [sql`l.group_id = ${groupId}`]),
    ...(action === undefined ? [] : [sql`l.action = ${action}`]),
    ...(resourceType === undefined ? [] : [sql`l.resource_type = ${resourceType}`]),
    ...(ip === undefined ? [] : [sql`l.ip = ${ip}`]),
    ...(from === undefined ? [] : [sql`${at} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${at} <= ${to}`]),
  ]
}

const all = (conditions: SQL[]): SQL => sql.join(conditions, sql` AND `)

/** What was done by somebody: with own things, which are many people's all, and with those of others. */
const doneBy = (actorId: string): SQL[] => [
  sql`l.owner_id = ${actorId} AND l.actor_id = ${actorId}`,
  sql`l.actor_id = ${actorId} AND l.actor_id IS NOT l.owner_id`,
]

/** Where nothing is named, what was in the last days. */
const SEARCHED_MS = 31 * 24 * 60 * 60 * 1000

export function searchOf(now: number, filter: LogFilter): Search {
  const isByTime = !isNamed(filter)
  const from = filter.from ?? (isByTime ? now - SEARCHED_MS : undefined)
  const conditions = matching({ ...filter, from }, isByTime)
  const branches =
    filter.actorId === undefined
      ? [all(conditions)]
      : doneBy(filter.actorId).map((condition) => all([condition, ...conditions]))
  return { branches, isByTime }
}

/** What the caller may know: of what is its own all, and what it did itself with what it still sees. */
export function ownSearch(ctx: SignedIn, filter: LogFilter): Search {
  const me = ctx.caller.userId
  const isKnown = sql`CASE WHEN ifnull(l.booked_on, l.account_id) IS NULL THEN ${isUnrestricted(ctx)}
    ELSE ifnull(l.booked_on, l.account_id) IN (${accountIdsWithHistory(ctx)}) END`
  const conditions = matching(filter, false)
  return {
    branches: [
      all([sql`l.owner_id = ${me} AND (${isUnrestricted(ctx)} OR ${isKnown})`, ...conditions]),
      all([sql`l.actor_id = ${me} AND l.actor_id IS NOT l.owner_id AND ${isKnown}`, ...conditions]),
    ],
    isByTime: false,
  }
}

/** Behind this row in the order of the search, or ahead of it. */
const beyond = ({ isByTime }: Search, [at, sequence]: Position, sign: SQL) =>
  isByTime
    ? sql`AND (l.at, l.rowid) ${sign} (CAST(${at} AS INTEGER), CAST(${sequence} AS INTEGER))`
    : sql`AND l.rowid ${sign} CAST(${sequence} AS INTEGER)`

/** Places in the log, the newest first. */
function places(search: Search, { after, limit }: PageRequest): SQL {
  const rest = after ? beyond(search, after, sql.raw('<')) : sql``
  const order = sql.raw(search.isByTime ? 'l.at DESC, l.rowid DESC' : 'l.rowid DESC')
  const some = search.branches.map(
    (condition) =>
      sql`SELECT * FROM (SELECT l.rowid AS place FROM audit_log l
        WHERE ${condition} ${rest} ORDER BY ${order} LIMIT ${limit + 1})`,
  )
  return sql`(${sql.join(some, sql` UNION ALL `)})`
}

const pageWith = (columns: SQL, search: Search, page: PageRequest) =>
  db.all<LogEntryRow>(sql`SELECT ${columns} FROM ${places(search, page)} p
    JOIN audit_log l ON l.rowid = p.place ${WITH_LINK}
    ORDER BY ${search.isByTime ? sql`l.at DESC, ` : sql``} l.rowid DESC LIMIT ${page.limit + 1}`)

/** One row more than the page; what is long is told of one entry only. A position is an `at` and a `sequence`. */
export const pageOfLog = (search: Search, page: PageRequest) =>
  pageWith(columnsWith(sql`CASE WHEN ${IS_LONG} THEN NULL ELSE l.changes END`), search, page)

const isTold = ({ caller }: SignedIn) => sql`l.owner_id = ${caller.userId}`

/** The same for somebody who may know what was changed of own things only. */
export const pageOfOwnLog = (ctx: SignedIn, search: Search, page: PageRequest) =>
  pageWith(
    columnsWith(
      sql`CASE WHEN ${isTold(ctx)} AND ${isUnrestricted(ctx)} AND NOT ${IS_LONG} THEN l.changes END`,
      sql`NULL`,
    ),
    search,
    page,
  )

export const countOfLog = ({ branches }: Search) =>
  db.all<{ count: number }>(
    sql`SELECT ${sql.join(
      branches.map((condition) => sql`(SELECT count(*) FROM audit_log l WHERE ${condition})`),
      sql` + `,
    )} AS count`,
  )

export const logEntryById = (id: string) =>
  db.all<LogEntryRow>(
    sql`SELECT ${columnsWith(sql`l.changes`)} FROM audit_log l ${WITH_LINK} WHERE l.id = ${id}`,
  )

export interface LogItemRow {
  resourceId: string
  /** JSON. */
  changes: string
}

/** As many as one commit has of transactions. */
export const MOST_ITEMS = 500

export const itemsOfEntry = (id: string) =>
  db.all<LogItemRow>(sql`SELECT resource_id AS resourceId, changes FROM audit_log_items
    WHERE log_id = ${id} ORDER BY resource_id LIMIT ${MOST_ITEMS}`)
