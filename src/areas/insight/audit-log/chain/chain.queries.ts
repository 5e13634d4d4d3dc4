import { type SQL, sql } from 'drizzle-orm'
import type { EventOfCommit, LoggedCommit, Seal } from '../../../../domain/log-lines.ts'
import { IS_OF_COMMIT } from '../../../../platform/log/log-tables.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { db, inParameters, type Statement } from '../../../../platform/database/statements.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import type { AddedEntry, Head } from './chain.rules.ts'

/** Rows that are sealed by one commit, and that one request verifies. */
export const SEALED_AT_ONCE = 500
export const VERIFIED_AT_ONCE = 1000
/** Bytes of what the rows of one read say; one more row may go beyond it. */
const MOST_BYTES = sql.raw('4000000')

const SIZE = sql`(SELECT ifnull(sum(ifnull(octet_length(e.content), 0) + ifnull(octet_length(e.facts), 0) + 40), 0)
  FROM log_events e WHERE ${IS_OF_COMMIT})`

/**
 * The numbers after one that fit into one read, as a table to CROSS JOIN from: the database may have learned
 * when the log was short, and read it whole. They are walked one by one, so that what is behind the last one is not looked at.
 * @param next joins what stands at the next number after `walk.place`
 */
const fitting = (after: SQL, next: SQL, place: SQL, size: SQL, most: number) =>
  sql`(WITH RECURSIVE walk(place, size) AS (SELECT ${after}, 0
    UNION ALL SELECT ${place}, walk.size + ${size} FROM walk ${next}
    WHERE walk.size < ${MOST_BYTES} LIMIT ${sql.raw(String(most + 1))})
  SELECT place FROM walk LIMIT -1 OFFSET 1)`

const COLUMNS =
  sql.raw(`c.number, c.id, c.at, c.operation, c.type, c.actor_type AS actorType, c.actor_id AS actorId,
  c.token_id AS tokenId, c.owner_id AS ownerId, c.request_id AS requestId, c.ip, c.user_agent AS userAgent,
  c.first_event AS firstEvent, c.event_count AS eventCount`)

const EVENT_COLUMNS =
  sql.raw(`e.commit_number AS commitNumber, e.type, e.resource_type AS resourceType,
  e.resource_id AS resourceId, e.owner_id AS ownerId, e.account_id AS accountId, e.history, e.group_id AS groupId,
  e.version, e.content, e.facts`)

const WITH_EVENTS = sql`CROSS JOIN log_events e ON ${IS_OF_COMMIT}`

const LAST_SEAL = sql.raw('ifnull((SELECT max(number) FROM log_seals), 0)')

export interface HeadRow extends Head {
  /** 0 where the log has the commit no more. */
  isThere: 0 | 1
}

export const chainHead = () =>
  db.all<HeadRow>(sql`SELECT s.number, s.hash, EXISTS (SELECT 1 FROM log_commits c WHERE c.number = s.number) AS isThere
    FROM log_seals s WHERE s.number = (SELECT max(number) FROM log_seals)`)

export const countOfUnsealed = () =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM log_commits c WHERE c.number > ${LAST_SEAL}`,
  )

const UNSEALED = fitting(
  LAST_SEAL,
  sql`CROSS JOIN log_commits c ON c.number = (SELECT min(number) FROM log_commits WHERE number > walk.place)`,
  sql`c.number`,
  SIZE,
  SEALED_AT_ONCE,
)

export const unsealedCommits = () =>
  db.all<LoggedCommit>(
    sql`SELECT ${COLUMNS} FROM ${UNSEALED} p CROSS JOIN log_commits c ON c.number = p.place ORDER BY p.place`,
  )

export const eventsOfUnsealed = () =>
  db.all<EventOfCommit>(sql`SELECT ${EVENT_COLUMNS} FROM ${UNSEALED} p
    CROSS JOIN log_commits c ON c.number = p.place ${WITH_EVENTS} ORDER BY e.number`)

/** Lengthens the chain, unless somebody else has. */
export const appendSeals = (head: Head, seals: Seal[]): Statement[] => [
  refuseIf(sql`${LAST_SEAL} <> CAST(${head.number} AS INTEGER)`, auditLogErrors.sealedMeanwhile),
  ...inParameters(seals).map(({ json }) =>
    db.run(sql`INSERT INTO log_seals (number, content_hash, hash, key_id)
      SELECT value->>'number', value->>'contentHash', value->>'hash', value->>'keyId'
      FROM json_each(${json})`),
  ),
]

/** A seal with its commit, where the log still has that. */
export interface SealRow extends Seal, Omit<LoggedCommit, 'id' | 'number'> {
  id: string | null
  /** 1 where the owner of the commit or who made it is erased. */
  mayLackOrigin: 0 | 1
}

/** Some seals from a number on, after the one before it: of that only its place and hash are looked at. */
const sealsFrom = (from: number) =>
  fitting(
    sql`CAST(${from - 2} AS INTEGER)`,
    sql`CROSS JOIN log_seals s ON s.number = (SELECT min(number) FROM log_seals WHERE number > walk.place)
      LEFT JOIN log_commits c ON c.number = s.number`,
    sql`s.number`,
    sql`CASE WHEN s.number < CAST(${from} AS INTEGER) THEN 0 ELSE ${SIZE} END`,
    VERIFIED_AT_ONCE + Math.min(from - 1, 1),
  )

export const isErased = (column: string) => `(${column} IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${column} AND u.status <> 'deleted'))`

const MAY_LACK_ORIGIN = sql.raw(`${isErased('c.owner_id')} OR ${isErased('c.actor_id')}`)

/** An event of nobody has an empty owner, and nobody is never erased. */
const OWNER_ERASED = sql.raw(
  `CASE e.owner_id WHEN '' THEN 0 ELSE ${isErased('ifnull(e.owner_id, c.owner_id)')} END`,
)

export const sealedCommits = (from: number) =>
  db.all<SealRow>(sql`SELECT s.content_hash AS contentHash, s.hash, s.key_id AS keyId,
      ${MAY_LACK_ORIGIN} AS mayLackOrigin, ${COLUMNS}, s.number
    FROM ${sealsFrom(from)} p CROSS JOIN log_seals s ON s.number = p.place
      LEFT JOIN log_commits c ON c.number = s.number ORDER BY s.number`)

export const eventsOfSealed = (from: number) =>
  db.all<EventOfCommit & { ownerErased: 0 | 1 }>(sql`SELECT ${EVENT_COLUMNS},
      ${OWNER_ERASED} AS ownerErased
    FROM ${sealsFrom(from)} p CROSS JOIN log_commits c ON c.number = p.place ${WITH_EVENTS}
    WHERE p.place >= CAST(${from} AS INTEGER) ORDER BY e.number`)

/** A commit or an event that somebody has put before all others: the service counts both from 1, and cuts off the first. */
export const addedBeforeAll = () =>
  db.all<AddedEntry>(sql`SELECT id FROM (SELECT c.id FROM log_commits c WHERE c.number < 1 LIMIT 1)
    UNION ALL SELECT NULL FROM (SELECT 1 FROM log_events e
      WHERE e.number < ifnull((SELECT c.first_event FROM log_commits c
        WHERE c.number = (SELECT min(number) FROM log_commits)), 1) LIMIT 1)`)
