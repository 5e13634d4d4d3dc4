import { fromText, type LogLine } from '../../../../domain/log-lines.ts'
import type { Context } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { readText } from '../../../../platform/packed-texts.ts'
import type { Broken, Reason, Walk } from '../chain/chain.rules.ts'
import { walkFrom } from '../chain/walking.usecases.ts'
import { type CutSegmentRow, erasedAmong, type SegmentRow } from './segments.queries.ts'
import { asSealed, usersIn } from './segments.rules.ts'

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
export async function wrongWith(ctx: Context, segment: SegmentRow): Promise<Reason | null> {
  const { broken } = await walkThrough(ctx, segment, {
    from: segment.firstCommit,
    to: segment.lastCommit,
    hash: segment.lastHash,
  })
  return broken && broken.reason
}

/** Follows the chain through what the tables have no more of a segment. */
export function walkCut(ctx: Context, segment: CutSegmentRow, from: number): Promise<Walk> {
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
): Promise<Walk> {
  const stop = (reason: Reason): Walk => ({
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
export async function linesFor(
  ctx: Context,
  { objectKey, sha256, isJoined }: SegmentRow,
): Promise<LogLine[] | 'segmentMissing' | 'segmentChanged'> {
  const text = await readText(ctx, objectKey, sha256)
  if (text === undefined) {
    return 'segmentMissing'
  }
  return (text !== null && isJoined === 1 && fromText(text)) || 'segmentChanged'
}
