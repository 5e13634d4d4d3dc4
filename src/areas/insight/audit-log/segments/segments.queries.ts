import { and, eq, type SQL, sql } from 'drizzle-orm'
import { logSegments, logSegmentUsers } from '../../../../../drizzle/schema/log.ts'
import { TELLS_PRIVATE } from '../../../../platform/log/log-segments.ts'
import { IS_OF_COMMIT } from '../../../../platform/log/log-tables.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/database/premises.ts'
import {
  among,
  db,
  inParameters,
  type Statement,
} from '../../../../platform/database/statements.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { isErased } from '../chain/chain.queries.ts'

export type Segment = typeof logSegments.$inferSelect

/** The first commit that no segment has. */
interface Gap {
  from: number
  /** The first commit of the next segment. */
  before: number | null
  /** Null where the log has no such commit yet. */
  at: number | null
  /** The latest time of a commit in the segments before. */
  lastAt: number
}

export const firstGap = () =>
  db.all<Gap>(sql`SELECT g.number AS "from", (SELECT min(s.first_commit) FROM log_segments s
      WHERE s.first_commit > g.number) AS "before", (SELECT ifnull(max(s.last_at), 0) FROM log_segments s
      WHERE s.first_commit < g.number) AS lastAt, (SELECT c.at FROM log_commits c WHERE c.number = g.number) AS at
    FROM (SELECT 1 AS number UNION ALL SELECT last_commit + 1 FROM log_segments) g
    WHERE NOT EXISTS (SELECT 1 FROM log_segments s WHERE s.first_commit = g.number)
    ORDER BY g.number LIMIT 1`)

/** A segment, and whether its first and its last hash are those of the chain beside it. */
export interface SegmentRow extends Pick<
  Segment,
  'firstCommit' | 'lastCommit' | 'previousHash' | 'lastHash' | 'objectKey' | 'sha256'
> {
  isJoined: 0 | 1
}

/** SQL of the hash of a seal, which is in the segment before or behind it where it was cut off. */
const hashOf = (number: string, inSegment: string) =>
  sql.raw(
    `coalesce((SELECT b.hash FROM log_seals b WHERE b.number = ${number}), (${inSegment}), '')`,
  )

const IS_JOINED = sql`s.previous_hash = ${hashOf(
  's.first_commit - 1',
  'SELECT p.last_hash FROM log_segments p WHERE p.last_commit = s.first_commit - 1',
)} AND s.last_hash = ${hashOf(
  's.last_commit',
  'SELECT n.previous_hash FROM log_segments n WHERE n.first_commit = s.last_commit + 1',
)}`

const COLUMNS =
  sql.raw(`s.first_commit AS firstCommit, s.last_commit AS lastCommit, s.previous_hash AS previousHash,
  s.last_hash AS lastHash, s.object_key AS objectKey, s.sha256`)

const CUT = sql.raw('(SELECT min(number) FROM log_commits)')

/** Finds the segments whose last commit is in this range. */
export const segmentsEnding = (from: number, before: number) =>
  db.all<SegmentRow>(sql`SELECT ${COLUMNS}, ${IS_JOINED} AS isJoined
    FROM log_segments s WHERE s.last_commit >= CAST(${from} AS INTEGER) AND s.last_commit < CAST(${before} AS INTEGER)
    ORDER BY s.last_commit`)

/** SQL that a segment has a commit. */
const hasCommit = (number: SQL) =>
  sql`s.last_commit >= ${number} AND s.first_commit = (SELECT max(f.first_commit) FROM log_segments f
    WHERE f.first_commit <= ${number})`

/** A segment of which some or all is cut off. */
export interface CutSegmentRow extends SegmentRow {
  /** The first commit that the tables have. */
  cut: number
  /** The hash of the last seal that was cut off. */
  cutHash: string | null
}

/** The segment that has a commit, where that was cut off. */
export const cutSegmentWith = (number: number) =>
  db.all<CutSegmentRow>(sql`SELECT ${COLUMNS}, ${IS_JOINED} AS isJoined, ${CUT} AS cut,
      (SELECT b.hash FROM log_seals b WHERE b.number = ${CUT} - 1) AS cutHash
    FROM log_segments s WHERE ${hasCommit(sql`CAST(${number} AS INTEGER)`)} AND CAST(${number} AS INTEGER) < ${CUT}`)

/** The segment that has the first commit of the tables. */
export const segmentToCut = () =>
  db.all<SegmentRow>(
    sql`SELECT ${COLUMNS}, ${IS_JOINED} AS isJoined FROM log_segments s WHERE ${hasCommit(CUT)}`,
  )

/** Commits that one statement deletes at most. */
const COMMITS_PER_STEP = sql.raw('100')

/** The first commits of the tables that a segment has, and that nobody needs there any more, with their events. */
export const commitsToCut = (until: number) =>
  db.all<{ number: number; events: number }>(sql`SELECT c.number, c.event_count AS events
    FROM log_segments s CROSS JOIN log_commits c ON c.number >= ${CUT} AND c.number <= s.last_commit
    WHERE ${hasCommit(CUT)} AND c.at < CAST(${until} AS INTEGER) AND c.number < (SELECT max(number) FROM log_seals)
      AND c.first_event + c.event_count - 1 <= ifnull((SELECT min(cursor) FROM log_readers), 0)
    ORDER BY c.number LIMIT ${COMMITS_PER_STEP}`)

/** Deletes the first commits of the log, with their events and seals, which triggers see to. */
export const deleteUpTo = (last: number): Statement =>
  db.run(sql`DELETE FROM log_commits WHERE number <= CAST(${last} AS INTEGER)`)

/** Finds the erased users among these. */
export const erasedAmong = (ids: string[]) =>
  db.all<{ id: string }>(
    sql`SELECT i.value AS id FROM json_each(${JSON.stringify(ids)}) i WHERE ${sql.raw(isErased('i.value'))}`,
  )

/** SQL of how many values these commits have that a redaction removes. */
export const valuesIn = ({
  firstCommit,
  lastCommit,
}: Pick<Segment, 'firstCommit' | 'lastCommit'>) => {
  const isOfSegment = sql`c.number BETWEEN CAST(${firstCommit} AS INTEGER) AND CAST(${lastCommit} AS INTEGER)`
  return sql`(SELECT count(c.ip) + count(c.user_agent) FROM log_commits c WHERE ${isOfSegment})
    + (SELECT count(e.content) + count(e.facts) FROM log_commits c CROSS JOIN log_events e ON ${IS_OF_COMMIT}
      WHERE ${isOfSegment})`
}

/** The contents of a segment: the users and things in it. */
interface Contents {
  /** The number of values that a redaction would remove. */
  values: number
  /** The users whose data it contains. */
  users: string[]
  /** All that it names. */
  things: string[]
}

/**
 * Refuses where another segment has one of these commits, and where a user was redacted since they were read: nothing
 * would remove from the object what the log no longer says.
 */
export const insertSegment = (
  segment: Segment,
  { values, users, things }: Contents,
): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM log_segments s WHERE s.first_commit <= CAST(${segment.lastCommit} AS INTEGER)
      AND s.last_commit >= CAST(${segment.firstCommit} AS INTEGER))`,
    auditLogErrors.storedMeanwhile,
  ),
  refuseIf(
    sql`${valuesIn(segment)} <> CAST(${values} AS INTEGER)`,
    auditLogErrors.redactedMeanwhile,
  ),
  db.insert(logSegments).values(segment),
  db.run(sql`INSERT INTO log_segment_users (user_id, first_commit)
    SELECT value, CAST(${segment.firstCommit} AS INTEGER) FROM json_each(${JSON.stringify(users)}) WHERE TRUE
    ON CONFLICT DO NOTHING`),
  ...inParameters(things.map((id) => ({ id }))).map(({ json }) =>
    db.run(sql`INSERT INTO log_segment_things (thing_id, first_commit)
      SELECT value->>'id', CAST(${segment.firstCommit} AS INTEGER) FROM json_each(${json}) WHERE TRUE
      ON CONFLICT DO NOTHING`),
  ),
  db.run(sql`UPDATE log_segment_things SET was_private = 1
    WHERE first_commit = CAST(${segment.firstCommit} AS INTEGER) AND thing_id IN (SELECT p.resource_id FROM log_events p
      WHERE p.number >= CAST(${segment.firstEvent} AS INTEGER) AND p.number <= CAST(${segment.lastEvent} AS INTEGER)
        AND ${TELLS_PRIVATE})`),
]

const REWRITTEN_AT_ONCE = sql.raw('10')

/** Some of the segments that tell of a user. */
export const segmentsTellingOf = (userId: string) =>
  db.all<{ id: string; replacedKey: string }>(
    sql`SELECT CAST(s.first_commit AS TEXT) AS id, s.object_key AS replacedKey
      FROM log_segment_users u CROSS JOIN log_segments s ON s.first_commit = u.first_commit
      WHERE u.user_id = ${userId} ORDER BY s.first_commit LIMIT ${REWRITTEN_AT_ONCE}`,
  )

export const segmentsFrom = (firstCommits: number[]) =>
  db.all<SegmentRow>(sql`SELECT ${COLUMNS}, ${IS_JOINED} AS isJoined FROM log_segments s
    WHERE s.first_commit IN ${among(firstCommits)} ORDER BY s.first_commit`)

type StoredObject = Pick<Segment, 'objectKey' | 'size' | 'sha256'>

/** Names another object, which tells nothing of a user any more; refuses where somebody else has done so since. */
export const replaceObject = (
  { firstCommit, sha256 }: Pick<Segment, 'firstCommit' | 'sha256'>,
  object: StoredObject,
  userId: string,
): Statement[] => [
  db
    .update(logSegments)
    .set(object)
    .where(and(eq(logSegments.firstCommit, firstCommit), eq(logSegments.sha256, sha256))),
  requireChangedOne(auditLogErrors.storedMeanwhile),
  db
    .delete(logSegmentUsers)
    .where(and(eq(logSegmentUsers.userId, userId), eq(logSegmentUsers.firstCommit, firstCommit))),
]
