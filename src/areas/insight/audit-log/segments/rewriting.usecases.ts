import { toText } from '../../../../domain/log-lines.ts'
import { type Context, freshId } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { logEvent } from '../../../../platform/logger.ts'
import { storeText } from '../../../../platform/packed-texts.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { replaceObject, type SegmentRow, segmentsFrom } from './segments.queries.ts'
import { redacted } from './segments.rules.ts'
import { linesFor, wrongWith } from './verifying.usecases.ts'

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
