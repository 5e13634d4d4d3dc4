import { fromText, type LogLine, toText } from '../../../../domain/log-lines.ts'
import { type Context, freshId } from '../../../../platform/context.ts'
import { read, commit } from '../../../../platform/database/database.ts'
import { readText, storeText } from '../../../../platform/files/packed-texts.ts'
import { logEvent } from '../../../../platform/logger.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import type { Broken, ChainFault, ChainWalk } from '../chain/chain.rules.ts'
import { walkFrom } from '../chain/walking.usecases.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { auditLogEvents } from '../audit-log.events.ts'
import {
  type CutSegmentRow,
  erasedAmong,
  type SegmentRow,
  replaceObject,
  segmentsFrom,
  commitsToCut,
  deleteUpTo,
  segmentToCut,
} from './segments.queries.ts'
import { asSealed, usersIn, redacted, endOfOld, stepOf } from './segments.rules.ts'

/** The first of these segments that is not as it was when it was stored. */
export async function firstBrokenOf(ctx: Context, segments: SegmentRow[]): Promise<Broken | null> {
  for (const segment of segments) {
    const reason = await wrongWith(ctx, segment)
    if (reason) {
      return { number: segment.firstCommit, logId: null, reason }
    }
  }
  return null
}

/** Reads a segment back, and follows the chain through it. */
export async function wrongWith(ctx: Context, segment: SegmentRow): Promise<ChainFault | null> {
  const { broken } = await walkThrough(ctx, segment, {
    from: segment.firstCommit,
    to: segment.lastCommit,
    hash: segment.lastHash,
  })
  return broken && broken.reason
}

/** Follows the chain through what the tables have no more of a segment. */
export function walkCut(ctx: Context, segment: CutSegmentRow, from: number): Promise<ChainWalk> {
  const { lastCommit, lastHash, cut, cutHash } = segment
  return walkThrough(
    ctx,
    segment,
    cut > lastCommit
      ? { from, to: lastCommit, hash: lastHash }
      : { from, to: cut - 1, hash: cutHash },
  )
}

/** Some commits of a segment in a row, and the hash of the last one of them. */
interface Stretch {
  from: number
  to: number
  hash: string | null
}

async function walkThrough(
  ctx: Context,
  segment: SegmentRow,
  { from, to, hash }: Stretch,
): Promise<ChainWalk> {
  const stop = (reason: ChainFault): ChainWalk => ({
    ...{ verified: 0, redacted: 0 },
    broken: { number: segment.firstCommit, logId: null, reason },
  })
  const lines = await linesFor(ctx, segment)
  if (typeof lines === 'string') {
    return stop(lines)
  }
  const [erased] = await read(ctx, erasedAmong(usersIn(lines)))
  const all = asSealed(lines, segment.previousHash, new Set(erased.map(({ id }) => id)))
  const sealed = all.filter(({ seal }) => seal.number >= from - 1 && seal.number <= to)
  const walk = walkFrom(ctx, from, sealed)
  const isWhole = walk.verified === to - from + 1 && sealed.at(-1)?.seal.hash === hash
  return isWhole ? walk : stop('segmentChanged')
}

/** The lines of a segment that stands in the chain, or what is wrong with it. */
async function linesFor(
  ctx: Context,
  { objectKey, sha256, isJoined }: SegmentRow,
): Promise<LogLine[] | 'segmentMissing' | 'segmentChanged'> {
  const text = await readText(ctx, objectKey, sha256)
  if (text === undefined) {
    return 'segmentMissing'
  }
  return (text !== null && isJoined === 1 && fromText(text)) || 'segmentChanged'
}

/**
 * Stores segments without what they tell of a user, and gives the statements that name the new objects instead. What
 * is killed before leaves objects that no row names.
 */
export async function rewriteSegments(
  ctx: Context,
  firstCommits: number[],
  userId: string,
): Promise<Statement[]> {
  const [segments] = await read(ctx, segmentsFrom(firstCommits))
  const statements: Statement[] = []
  for (const segment of segments) {
    statements.push(...(await rewriteSegment(ctx, segment, userId)))
  }
  return statements
}

async function rewriteSegment(
  ctx: Context,
  segment: SegmentRow,
  userId: string,
): Promise<Statement[]> {
  const lines = await linesFor(ctx, segment)
  if (typeof lines === 'string') {
    throw broken(segment, lines)
  }
  const folder = segment.objectKey.slice(0, segment.objectKey.lastIndexOf('/') + 1)
  const objectKey = `${folder}${freshId(ctx, 'obj')}`
  const text = toText(lines.map((line) => redacted(line, userId)))
  const object = { objectKey, ...(await storeText(ctx, objectKey, text)) }
  const wrong = await wrongWith(ctx, { ...segment, ...object })
  if (wrong) {
    throw broken(segment, wrong)
  }
  return replaceObject(segment, object, userId)
}

function broken({ firstCommit: first, lastCommit: last }: SegmentRow, wrong: string) {
  logEvent('error', 'auditLog.segmentBroken', { first, last, wrong })
  return auditLogErrors.segmentBroken()
}

export const CUT_LOG = 'auditLog.cut'

/** Commits of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_STEPS = 100

/**
 * Deletes the rows that segments have, from the beginning of the log. Of each segment it makes sure once more, before the
 * first of its rows goes. May be killed anywhere: the next run goes on with what is left.
 */
export async function cutLog(ctx: Context, finish: Statement[]): Promise<void> {
  let proven: number | undefined
  let isLeft = true
  for (let step = 0; isLeft && step < MOST_STEPS; step++) {
    const [[segment], commits] = await readOrStop(
      ctx,
      segmentToCut(),
      commitsToCut(endOfOld(ctx.now)),
    )
    const numbers = stepOf(commits)
    const last = numbers.at(-1)
    isLeft = last !== undefined
    if (!segment || last === undefined) {
      break
    }
    if (segment.firstCommit !== proven) {
      await mustBeWhole(ctx, segment)
      proven = segment.firstCommit
    }
    const { firstCommit, lastCommit } = segment
    const content = { first: firstCommit, last: lastCommit }
    await commit(ctx, {
      changes: [
        {
          statements: [deleteUpTo(last)],
          events: last === lastCommit ? [auditLogEvents.cut({ id: null }, content)] : [],
        },
      ],
      result: undefined,
    })
  }
  await commit(ctx, {
    changes: [withoutEvents(finish)],
    tasks: isLeft ? [{ kind: CUT_LOG, payload: {} }] : [],
    result: undefined,
  })
}

async function mustBeWhole(ctx: Context, segment: SegmentRow): Promise<void> {
  const wrong = await wrongWith(ctx, segment)
  if (wrong) {
    const { firstCommit: first, lastCommit: last } = segment
    logEvent('error', 'auditLog.segmentBroken', { first, last, wrong })
    throw auditLogErrors.segmentBroken()
  }
}
