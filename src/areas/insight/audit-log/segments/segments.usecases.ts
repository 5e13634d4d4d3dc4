import { toText } from '../../../../domain/log-lines.ts'
import { AppError } from '../../../../domain/errors.ts'
import { deleteFiles } from '../../../../platform/files/bucket.ts'
import { type Context, freshId } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { logEvent } from '../../../../platform/logger.ts'
import { storeText } from '../../../../platform/files/packed-texts.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { auditLogEvents } from '../audit-log.events.ts'
import { eventsOfSealed, sealedCommits } from '../chain/chain.queries.ts'
import { sealedOf } from '../chain/walking.usecases.ts'
import { firstGap, insertSegment, type Segment } from './segments.queries.ts'
import {
  allThingsIn,
  countOfValues,
  cutSegment,
  endOfOld,
  segmentKey,
  linesOfCommits,
  rangeOfCommits,
  usersOfLines,
} from './segments.rules.ts'
import { wrongWith } from './verifying.usecases.ts'

export const STORE_SEGMENTS = 'auditLog.storeSegments'

/** Segments of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_SEGMENTS = 20

/** Stores what is old of the log and in no segment, in the order of the log. */
export async function storeSegments(ctx: Context, finish: Statement[]): Promise<void> {
  let isLeft = true
  for (let stored = 0; isLeft && stored < MOST_SEGMENTS; stored++) {
    isLeft = await storeNext(ctx)
  }
  await commit(ctx, {
    changes: [withoutEvents(finish)],
    tasks: isLeft ? [{ kind: STORE_SEGMENTS, payload: {} }] : [],
    result: undefined,
  })
}

/** Stores one segment, unless there is nothing to store. */
async function storeNext(ctx: Context): Promise<boolean> {
  const until = endOfOld(ctx.now)
  const [[gap]] = await readOrStop(ctx, firstGap())
  if (!gap || gap.at === null || gap.at >= until) {
    return false
  }
  const { from } = gap
  const [seals, events] = await read(ctx, sealedCommits(from), eventsOfSealed(from))
  const all = sealedOf(seals, events)
  const sealed = cutSegment(all, { ...gap, until })
  const [first, last] = [sealed[0], sealed.at(-1)]
  if (!first?.logged || !last) {
    return false
  }
  const previousHash = all.find(({ seal }) => seal.number === from - 1)?.seal.hash ?? ''
  const lines = linesOfCommits(sealed)
  const objectKey = segmentKey(first.logged.commit.at, freshId(ctx, 'obj'))
  const segment: Segment = {
    ...{ firstCommit: from, lastCommit: last.seal.number },
    ...{ previousHash, lastHash: last.seal.hash },
    ...{ objectKey, ...(await storeText(ctx, objectKey, toText(lines))) },
    ...rangeOfCommits(lines, gap.lastAt),
    createdAt: ctx.now,
  }
  const { firstCommit, lastCommit, sha256 } = segment
  const wrong = await wrongWith(ctx, { ...segment, isJoined: 1 })
  if (wrong) {
    logEvent('error', 'auditLog.segmentBroken', { first: firstCommit, last: lastCommit, wrong })
    await deleteFiles(ctx, [objectKey])
    throw auditLogErrors.segmentBroken()
  }
  const content = { first: firstCommit, last: lastCommit, sha256 }
  try {
    await commit(ctx, {
      changes: [
        {
          statements: insertSegment(segment, {
            values: countOfValues(lines),
            users: usersOfLines(lines),
            things: allThingsIn(lines),
          }),
          events: [auditLogEvents.segmentStored({ id: null }, content)],
        },
      ],
      result: undefined,
    })
  } catch (error) {
    // Refused: nobody else knows this object. After a fault nobody knows whether it was stored.
    if (error instanceof AppError && error.kind === 'conflict') {
      await deleteFiles(ctx, [objectKey])
    }
    throw error
  }
  return true
}
