import type { Context } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { logEvent } from '../../../../platform/logger.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { auditLogEvents } from '../audit-log.events.ts'
import { commitsToCut, deleteUpTo, type SegmentRow, segmentToCut } from './segments.queries.ts'
import { endOfOld, stepOf } from './segments.rules.ts'
import { wrongWith } from './verifying.usecases.ts'

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
    const told = { first: firstCommit, last: lastCommit }
    await commit(ctx, {
      changes: [
        {
          statements: [deleteUpTo(last)],
          events: last === lastCommit ? [auditLogEvents.cut({ id: null }, told)] : [],
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
