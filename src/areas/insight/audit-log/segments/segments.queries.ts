import { sql } from 'drizzle-orm'
import { logSegments, logSegmentUsers } from '../../../../../drizzle/schema/log.ts'
import { refuseIf } from '../../../../platform/premises.ts'
import { among, db, type Statement } from '../../../../platform/statements.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { IS_OF_COMMIT } from '../audit-log.queries.ts'
import { isErased } from '../chain/chain.queries.ts'

export type Segment = typeof logSegments.$inferSelect

/** The first commit that no segment has. */
interface Gap {
  from: number
  /** The first commit of the next segment. */
  before: number | null
  /** Null where the log has no such commit yet. */
  at: number | null
}

export const firstGap = () =>
  db.all<Gap>(sql`SELECT g.number AS "from", (SELECT min(s.first_commit) FROM log_segments s
      WHERE s.first_commit > g.number) AS "before", (SELECT c.at FROM log_commits c WHERE c.number = g.number) AS at
    FROM (SELECT 1 AS number UNION ALL SELECT last_commit + 1 FROM log_segments) g
    WHERE NOT EXISTS (SELECT 1 FROM log_segments s WHERE s.first_commit = g.number)
    ORDER BY g.number LIMIT 1`)

/** A segment, and whether its first and its last hash are those of the chain beside it. */
export interface SegmentRow extends Segment {
  isJoined: 0 | 1
}

const hashOf = (number: string) =>
  sql.raw(`ifnull((SELECT b.hash FROM log_seals b WHERE b.number = ${number}), '')`)

/** Those whose last commit is one of these. */
export const segmentsEnding = (from: number, before: number) =>
  db.all<SegmentRow>(sql`SELECT s.first_commit AS firstCommit, s.last_commit AS lastCommit,
      s.previous_hash AS previousHash, s.last_hash AS lastHash, s.object_key AS objectKey, s.size, s.sha256,
      s.created_at AS createdAt,
      s.previous_hash = ${hashOf('s.first_commit - 1')} AND s.last_hash = ${hashOf('s.last_commit')} AS isJoined
    FROM log_segments s WHERE s.last_commit >= CAST(${from} AS INTEGER) AND s.last_commit < CAST(${before} AS INTEGER)
    ORDER BY s.last_commit`)

/** Those of these users who are erased. */
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

/**
 * Refuses where another segment has one of these commits, and where a user was redacted since they were read: nothing
 * would remove from the object what the log no longer says.
 * @param values how many values there were that a redaction removes
 * @param users of whom it tells something
 */
export const insertSegment = (segment: Segment, values: number, users: string[]): Statement[] => [
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
    SELECT value, CAST(${segment.firstCommit} AS INTEGER) FROM json_each(${JSON.stringify(users)})`),
]

const DROPPED_AT_ONCE = sql.raw('100')

/** Some of the segments that tell of a user. */
export const segmentsTellingOf = (userId: string) =>
  db.all<{ id: string; objectKey: string }>(
    sql`SELECT CAST(s.first_commit AS TEXT) AS id, s.object_key AS objectKey
      FROM log_segment_users u CROSS JOIN log_segments s ON s.first_commit = u.first_commit
      WHERE u.user_id = ${userId} ORDER BY s.first_commit LIMIT ${DROPPED_AT_ONCE}`,
  )

/** All that they hold is still in the log. */
export const dropSegments = (firstCommits: number[]): Statement[] => [
  db.delete(logSegmentUsers).where(sql`${logSegmentUsers.firstCommit} IN ${among(firstCommits)}`),
  db.delete(logSegments).where(sql`${logSegments.firstCommit} IN ${among(firstCommits)}`),
]
