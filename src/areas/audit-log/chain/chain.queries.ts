import { type SQL, sql } from 'drizzle-orm'
import { refuseIf } from '../../../platform/premises.ts'
import { db, inParameters, type Statement } from '../../../platform/statements.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import type { Head, Link, LoggedItem, LoggedRow } from './chain.rules.ts'

/** Rows that are sealed by one commit, and that one request verifies. */
export const SEALED_AT_ONCE = 500
export const VERIFIED_AT_ONCE = 1000
/** Bytes of what the rows of one read say; one more row may go beyond it. */
const MOST_BYTES = sql.raw('4000000')

const SIZE = sql.raw(`ifnull(octet_length(l.changes), 0) + ifnull(octet_length(l.facts), 0)
  + (SELECT ifnull(sum(octet_length(i.changes) + 40), 0) FROM audit_log_items i WHERE i.log_id = l.id)`)

/**
 * The places after one that fit into one read, as a table to CROSS JOIN from: the database may have learned
 * when the log was short, and read it whole. They are walked one by one, so that what is behind the last one is not looked at.
 * @param next joins what stands at the next place after `walk.place`
 * @param place the column of that place
 */
const fitting = (after: SQL, next: SQL, place: SQL, size: SQL, most: number) =>
  sql`(WITH RECURSIVE walk(place, size) AS (SELECT ${after}, 0
    UNION ALL SELECT ${place}, walk.size + ${size} FROM walk ${next}
    WHERE walk.size < ${MOST_BYTES} LIMIT ${sql.raw(String(most + 1))})
  SELECT place FROM walk LIMIT -1 OFFSET 1)`

const COLUMNS = sql.raw(`l.id, l.rowid AS sequence, l.at, l.action, l.actor_type AS actorType,
  l.actor_id AS actorId, l.token_id AS tokenId, l.owner_id AS ownerId, l.resource_type AS resourceType,
  l.resource_id AS resourceId, l.account_id AS accountId, l.booked_on AS bookedOn, l.group_id AS groupId,
  l.changes, l.facts, l.request_id AS requestId, l.ip, l.user_agent AS userAgent`)

const ITEM_COLUMNS = sql.raw('i.log_id AS logId, i.resource_id AS resourceId, i.changes')

const LAST = sql.raw(`FROM audit_chain c LEFT JOIN audit_log l ON l.id = c.log_id
  WHERE c.number = (SELECT max(number) FROM audit_chain)`)

/** Where in the log the chain ends. */
const SEALED_UP_TO = sql`ifnull((SELECT l.rowid ${LAST}), 0)`

export interface HeadRow extends Head {
  /** Null where the log has the row no more. */
  sequence: number | null
}

export const chainHead = () =>
  db.all<HeadRow>(sql`SELECT c.number, c.hash, l.rowid AS sequence ${LAST}`)

export const countOfUnsealed = () =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM audit_log l WHERE l.rowid > ${SEALED_UP_TO}`,
  )

const UNSEALED = fitting(
  SEALED_UP_TO,
  sql`CROSS JOIN audit_log l ON l.rowid = (SELECT min(rowid) FROM audit_log WHERE rowid > walk.place)`,
  sql`l.rowid`,
  SIZE,
  SEALED_AT_ONCE,
)

export const unsealedRows = () =>
  db.all<LoggedRow>(
    sql`SELECT ${COLUMNS} FROM ${UNSEALED} p CROSS JOIN audit_log l NOT INDEXED ON l.rowid = p.place ORDER BY p.place`,
  )

export const itemsOfUnsealed = () =>
  db.all<LoggedItem>(sql`SELECT ${ITEM_COLUMNS} FROM ${UNSEALED} p
    CROSS JOIN audit_log l NOT INDEXED ON l.rowid = p.place
    CROSS JOIN audit_log_items i ON i.log_id = l.id ORDER BY p.place, i.resource_id`)

/** Lengthens the chain; refuses when somebody else has. */
export const appendLinks = (head: Head, links: Link[]): Statement[] => [
  refuseIf(
    sql`ifnull((SELECT max(number) FROM audit_chain), 0) <> CAST(${head.number} AS INTEGER)`,
    auditLogErrors.sealedMeanwhile,
  ),
  ...inParameters(links).map(({ json }) =>
    db.run(sql`INSERT INTO audit_chain (number, log_id, content_hash, hash, key_id)
      SELECT value->>'number', value->>'logId', value->>'contentHash', value->>'hash', value->>'keyId'
      FROM json_each(${json})`),
  ),
]

/** A link, and what it stands for where the log still has that. */
export interface LinkRow extends Link, Omit<LoggedRow, 'id' | 'sequence'> {
  id: string | null
  sequence: number | null
  ownerErased: 0 | 1
  actorErased: 0 | 1
}

/** Some links from a number on, after the one before it: of that only its place and hash are looked at. */
const linksFrom = (from: number) =>
  fitting(
    sql`CAST(${from - 2} AS INTEGER)`,
    sql`CROSS JOIN audit_chain c ON c.number = (SELECT min(number) FROM audit_chain WHERE number > walk.place)
      LEFT JOIN audit_log l ON l.id = c.log_id`,
    sql`c.number`,
    sql`CASE WHEN c.number < CAST(${from} AS INTEGER) THEN 0 ELSE ${SIZE} END`,
    VERIFIED_AT_ONCE + Math.min(from - 1, 1),
  )

const isErased = (column: string) =>
  sql.raw(`${column} IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${column} AND u.status <> 'deleted')`)

export const sealedRows = (from: number) =>
  db.all<LinkRow>(sql`SELECT c.number, c.log_id AS logId, c.content_hash AS contentHash, c.hash,
      c.key_id AS keyId, ${isErased('l.owner_id')} AS ownerErased,
      ${isErased('l.actor_id')} AS actorErased, ${COLUMNS}
    FROM ${linksFrom(from)} p CROSS JOIN audit_chain c ON c.number = p.place
      LEFT JOIN audit_log l ON l.id = c.log_id ORDER BY c.number`)

export const itemsOfSealed = (from: number) =>
  db.all<LoggedItem>(sql`SELECT ${ITEM_COLUMNS} FROM ${linksFrom(from)} p
    CROSS JOIN audit_chain c ON c.number = p.place CROSS JOIN audit_log_items i ON i.log_id = c.log_id
    WHERE c.number >= CAST(${from} AS INTEGER) ORDER BY c.number, i.resource_id`)

/** The first row of the log that stands among those of these links, and has none. */
export const rowWithoutLink = (from: number) => {
  const placeOf = (end: 'min' | 'max') =>
    sql`SELECT l.rowid FROM audit_log l WHERE l.id = (SELECT c.log_id FROM audit_chain c
      WHERE c.number = (SELECT ${sql.raw(end)}(place) FROM ${linksFrom(from)}))`
  return db.all<{
    id: string
    sequence: number
  }>(sql`SELECT l.id, l.rowid AS sequence FROM audit_log l
    WHERE ${from === 1 ? sql`` : sql`l.rowid > (${placeOf('min')}) AND`} l.rowid <= (${placeOf('max')})
      AND NOT EXISTS (SELECT 1 FROM audit_chain c WHERE c.log_id = l.id)
    ORDER BY l.rowid LIMIT 1`)
}
