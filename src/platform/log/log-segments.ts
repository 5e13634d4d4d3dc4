import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../domain/errors.ts'
import { fromText, type LogLine, thingsIn } from '../../domain/log-lines.ts'
import type { Context } from '../context.ts'
import { readNewest } from '../database/database.ts'
import type { SegmentLines } from './log-tables.ts'
import { logEvent } from '../logger.ts'
import { readText } from '../files/packed-texts.ts'
import { db, type Statement } from '../database/statements.ts'

/** A segment that has commits which the tables of the log have no more. */
export interface CutSegment {
  firstCommit: number
  lastCommit: number
  firstEvent: number
  lastEvent: number
  lastAt: number
  previousHash: string
  objectKey: string
  sha256: string
  /** The first commit that the tables have. */
  cut: number
  /** JSON of what was asked for and is named here; null where all was. */
  things: string | null
}

/** The segments in which a read continues. */
export interface SegmentScope {
  /** SQL of a list of what they must name, one of it at least; without it they are found by their time. */
  things?: SQL | undefined
  /** Times of commits. */
  from?: number | undefined
  to?: number | undefined
  /** Dates that events count for. */
  firstDate?: string | undefined
  lastDate?: string | undefined
}

/** The most segments that one request reads. What is behind them is another page's. */
export const MOST_SEGMENTS = 15

const CUT = sql.raw('(SELECT min(number) FROM log_commits)')

const COLUMNS =
  sql.raw(`s.first_commit AS firstCommit, s.last_commit AS lastCommit, s.first_event AS firstEvent,
  s.last_event AS lastEvent, s.last_at AS lastAt, s.previous_hash AS previousHash, s.object_key AS objectKey, s.sha256`)

/** True if an event `p` says that a transaction is, was or becomes private. */
export const TELLS_PRIVATE = sql.raw(
  "1 IN (p.content->>'private', p.content->'before'->>'private', p.content->'after'->>'private')",
)

/** SQL of the segments that name one of these, with what they name of it. The plus keeps the index on the ids. */
const naming = (things: SQL) =>
  sql`(SELECT first_commit, json_group_array(DISTINCT thing_id) AS things FROM log_segment_things
    WHERE thing_id IN ${things} AND +first_commit < ${CUT} GROUP BY +first_commit)`

/**
 * Some of the segments that a read goes on in, and one more than a request may read.
 * @param where of the alias `s`
 */
export function cutSegments(
  { things, from, to, firstDate, lastDate }: SegmentScope,
  where: SQL | undefined,
  direction: 'newest' | 'oldest',
): Statement<CutSegment[]> {
  const conditions = [
    sql`s.first_commit < ${CUT}`,
    ...(where ? [where] : []),
    ...(from === undefined ? [] : [sql`s.last_at >= CAST(${from} AS INTEGER)`]),
    ...(to === undefined ? [] : [sql`s.first_at <= CAST(${to} AS INTEGER)`]),
    ...(firstDate === undefined ? [] : [sql`s.last_date >= ${firstDate}`]),
    ...(lastDate === undefined ? [] : [sql`s.first_date <= ${lastDate}`]),
  ]
  const source = things
    ? sql`${naming(things)} g CROSS JOIN log_segments s ON s.first_commit = g.first_commit`
    : sql`log_segments s`
  return db.all<CutSegment>(sql`SELECT ${COLUMNS}, ${CUT} AS cut, ${things ? sql`g.things` : sql`NULL`} AS things
    FROM ${source} WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY s.first_commit ${sql.raw(direction === 'newest' ? 'DESC' : '')} LIMIT ${sql.raw(String(MOST_SEGMENTS + 1))}`)
}

const objectOf = (firstCommit: number) =>
  db.all<Pick<CutSegment, 'objectKey' | 'sha256'>>(
    sql`SELECT object_key AS objectKey, sha256 FROM log_segments WHERE first_commit = CAST(${firstCommit} AS INTEGER)`,
  )

const lost = () =>
  new AppError('internal', 'log.segmentLost', 'The service failed. Try again later.')

/** All lines of a segment. */
async function allLines(ctx: Context, segment: CutSegment): Promise<LogLine[]> {
  const { firstCommit, objectKey, sha256 } = segment
  let text = await readText(ctx, objectKey, sha256)
  if (typeof text !== 'string') {
    // It may have been written anew since its row was read, without somebody who was erased.
    const [[now]] = await readNewest(ctx, objectOf(firstCommit))
    text =
      now && now.objectKey !== objectKey ? await readText(ctx, now.objectKey, now.sha256) : text
  }
  const lines = typeof text === 'string' ? fromText(text) : null
  if (!lines) {
    logEvent('error', 'log.segmentLost', { first: firstCommit, objectKey })
    throw lost()
  }
  return lines
}

/** The lines of a segment that the tables have no more, and that name what was asked for. */
export async function cutLines(
  ctx: Context,
  segment: CutSegment,
  isWanted: (line: LogLine) => boolean = () => true,
): Promise<SegmentLines> {
  const all = await allLines(ctx, segment)
  const things = new Set(segment.things === null ? [] : (JSON.parse(segment.things) as string[]))
  const lines = all.filter(
    (line) =>
      line.commit.number < segment.cut &&
      (segment.things === null || thingsIn(line).some((thing) => things.has(thing))) &&
      isWanted(line),
  )
  const befores = new Set(lines.map(({ seal }) => seal.number - 1))
  const first = { number: segment.firstCommit - 1, hash: segment.previousHash }
  const sealsBefore = [first, ...all.map(({ seal }) => seal)].filter(
    ({ number }) => number > 0 && befores.has(number),
  )
  return { lines, sealsBefore }
}
