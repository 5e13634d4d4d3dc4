import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { among, db, upToBytes } from '../../../platform/database/statements.ts'
import { commitOf } from '../../../platform/log/log.ts'
import { IS_OF_COMMIT } from '../../../platform/log/log-tables.ts'
import {
  accountIdsWithHistory,
  isUnrestricted,
  ownedBy,
} from '../../identity/access/access.public.ts'
import {
  type HeaderState,
  type HeldId,
  type KnownLabel,
  type LaterValue,
  type LoggedSide,
  MOST_EVENTS,
  REVERSIBLE,
} from './changes.rules.ts'

/** As long as the trash keeps rows. */
const UNDOABLE_MS = 30 * 24 * 60 * 60 * 1000

export interface ChangeRow {
  number: number
  id: string
  at: number
  operation: string
  /** JSON of the distinct types of its events. */
  types: string
  /** How many things it changed, and how many of them are transactions. */
  things: number
  transactions: number
  events: number
}

/**
 * True of a commit `c` that the caller made lately. A token that is restricted to accounts sees only commits whose accounts all
 * belong to it.
 */
const isOwnCommit = (ctx: SignedIn): SQL => {
  const since = ctx.now - UNDOABLE_MS
  return sql`c.actor_id = ${ctx.caller.userId} AND c.at >= ${since}
    AND c.number >= ifnull((SELECT f.number FROM log_commits f WHERE f.at >= ${since} ORDER BY f.at LIMIT 1), 0)
    AND (${isUnrestricted(ctx)} OR (SELECT min(e.account_id IN (${accountIdsWithHistory(ctx)}))
      FROM log_events e WHERE ${IS_OF_COMMIT}) = 1)`
}

/** Most people change what is theirs: these commits are found by their owner, the others by who made them. */
const ways = (ctx: SignedIn): SQL[] =>
  [
    ownedBy(ctx.caller, 'c.owner_id'),
    sql`(c.actor_id IS NOT c.owner_id OR c.owner_id IS NULL)`,
  ].map((way) => sql`log_commits c WHERE ${way} AND ${isOwnCommit(ctx)}`)

/** The first 30 characters of an id are those of the whole, of which legs of transfers and parts are sides. */
const THING = sql.raw('substr(e.resource_id, 1, 30)')
const TYPE = sql.raw('ifnull(e.type, c.type)')
const MOST = sql.raw(String(MOST_EVENTS))

/** @param picked SELECTs the `number` of commits */
const changesAmong = (picked: SQL, columns = sql``) =>
  sql`SELECT c.number, c.id, c.at, c.operation, c.event_count AS events ${columns},
      json_group_array(DISTINCT ${TYPE}) AS types,
      iif(c.event_count > ${MOST}, c.event_count, count(DISTINCT ${THING})) AS things,
      count(DISTINCT iif(${TYPE} LIKE 'transaction.%', ${THING}, NULL)) AS transactions
    FROM (${picked}) p CROSS JOIN log_commits c ON c.number = p.number
      CROSS JOIN log_events e ON ${IS_OF_COMMIT} AND e.number < c.first_event + ${MOST}
    GROUP BY c.number ORDER BY c.number DESC`

/** The share of a page that an event of its commits takes: of some 20,000 events the types are read at once. */
const BYTES_OF_EVENT = sql.raw('50')

/** One commit more than the page, which ends early where commits are large; the last one first. */
export function pageOfChanges(ctx: SignedIn, { after, limit }: PageRequest) {
  const behind = after ? sql`AND c.number < CAST(${after[0]} AS INTEGER)` : sql``
  const numbers = ways(ctx).map(
    (way) =>
      sql`SELECT * FROM (SELECT c.number FROM ${way} ${behind} ORDER BY c.number DESC LIMIT ${limit + 1})`,
  )
  const commits = sql`SELECT c.number, c.event_count AS size FROM (${sql.join(numbers, sql` UNION ALL `)}) w
    CROSS JOIN log_commits c ON c.number = w.number ORDER BY c.number DESC LIMIT ${limit + 1}`
  const picked = upToBytes(commits, sql`min(size, ${MOST}) * ${BYTES_OF_EVENT}`)
  return db.all<ChangeRow>(changesAmong(picked, sql`, p.rowBytes`))
}

export const countOfChanges = (ctx: SignedIn) =>
  db.all<{ count: number }>(
    sql`SELECT ${sql.join(
      ways(ctx).map((way) => sql`(SELECT count(*) FROM ${way})`),
      sql` + `,
    )} AS count`,
  )

/** The commit `c` with an id, if the caller made it. */
function isCommit(ctx: SignedIn, id: string): SQL {
  const { at, place } = commitOf(id) ?? {}
  return at === undefined || place !== '1'
    ? sql`FALSE`
    : sql`c.at = CAST(${at} AS INTEGER) AND c.id = ${id} AND ${isOwnCommit(ctx)}`
}

export const changeById = (ctx: SignedIn, id: string) =>
  db.all<ChangeRow>(
    changesAmong(sql`SELECT c.number FROM log_commits c WHERE ${isCommit(ctx, id)}`),
  )

/** The events `e` of transactions of a commit `c`, unless there are too many for an undo. */
const eventsIn = (ctx: SignedIn, id: string): SQL =>
  sql`log_commits c CROSS JOIN log_events e ON ${IS_OF_COMMIT}
    WHERE ${isCommit(ctx, id)} AND c.event_count <= ${MOST}
      AND ${TYPE} IN ${among(REVERSIBLE)}`

/** The events of each side of the transactions of a commit, in their order. */
export const sidesOfChange = (ctx: SignedIn, id: string) =>
  db.all<LoggedSide>(
    sql`SELECT ${TYPE} AS type, e.resource_id AS id, e.account_id AS accountId, ifnull(e.owner_id, c.owner_id) AS ownerId,
      e.content FROM ${eventsIn(ctx, id)} ORDER BY e.number`,
  )

const HEADER = sql`iif(substr(e.resource_id, 31) IN ('-1', '-2'), 'trf_' || substr(e.resource_id, 5, 26), ${THING})`

/** The ids of the headers of these transactions. */
export const headersOfChange = (ctx: SignedIn, id: string): SQL =>
  sql`SELECT DISTINCT ${HEADER} AS id FROM ${eventsIn(ctx, id)}`

export const statesOfChange = (ctx: SignedIn, id: string) =>
  db.all<HeaderState>(
    sql`SELECT t.id, t.deleted_at IS NOT NULL AS isTrashed, t.matched_into IS NOT NULL AS isMatched
      FROM transactions t WHERE t.id IN (${headersOfChange(ctx, id)}) AND ${ownedBy(ctx.caller, 't.owner_id')}`,
  )

/** The external ids that transactions of a commit had before, as far as others have them; none of private transactions, which may. */
export const heldIdsOfChange = (ctx: SignedIn, id: string) =>
  db.all<HeldId>(
    sql`SELECT h.transaction_id AS transactionId, h.account_id AS accountId, h.external_id AS externalId
      FROM (SELECT ${HEADER} AS header, e.account_id, e.content ->> '$.before.externalId' AS external FROM ${eventsIn(ctx, id)}) f
      CROSS JOIN transactions t ON t.id = f.header AND NOT t.private
      CROSS JOIN entries h ON h.account_id = f.account_id AND h.external_id = f.external AND h.external_scope = ''`,
  )

/** The fields of which the commit's values are known, even where it did not change them. */
const WALKED = sql.raw(
  "'kind', 'amountMinor', 'splits', 'counterAccountId', 'fees', 'rate', 'status', 'currency'",
)

/** The values that these sides, and their accounts, had after the commit, of fields that were changed since: the first change tells. */
export const laterValues = (ctx: SignedIn, id: string) =>
  db.all<LaterValue>(
    sql`SELECT l.resource_id AS id, k.key AS field, min(l.number) AS number, l.content -> 'before' -> k.key AS was
      FROM (SELECT e.resource_id AS thing, c.first_event + c.event_count AS next FROM ${eventsIn(ctx, id)}
        UNION SELECT e.account_id, c.first_event + c.event_count FROM ${eventsIn(ctx, id)}) side
      CROSS JOIN log_events l ON l.resource_id = side.thing AND l.number >= side.next
      CROSS JOIN json_each(json_patch(ifnull(l.content -> 'before', '{}'), ifnull(l.content -> 'after', '{}'))) k
      WHERE k.key IN (${WALKED}) GROUP BY l.resource_id, k.key`,
  )

/** The labels that transactions of a commit had before, as far as they are still there. */
export const labelsBeforeChange = (ctx: SignedIn, id: string) =>
  db.all<KnownLabel>(
    sql`WITH named AS MATERIALIZED (SELECT DISTINCT j.atom AS id FROM (SELECT e.content FROM ${eventsIn(ctx, id)}) n
        CROSS JOIN json_tree(n.content, '$.before') j
        WHERE j.key IN ('categoryId', 'payeeId') OR j.path LIKE '%.tagIds')
      SELECT o.id, o.owner_id AS ownerId, o.kind FROM named n JOIN categories o ON o.id = n.id
      UNION ALL SELECT o.id, o.owner_id, NULL FROM named n JOIN payees o ON o.id = n.id
      UNION ALL SELECT o.id, o.owner_id, NULL FROM named n JOIN tags o ON o.id = n.id`,
  )
