import { deleteFiles } from '../../../../platform/bucket.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { archiveEvents } from '../backups.events.ts'
import { archivesToExpire, expireArchives } from '../backups.queries.ts'

const AT_ONCE = 100

/** Objects go before the rows that know of them: what was killed in between is done again. */
export async function expireAll(ctx: Context, finish: Statement[]): Promise<void> {
  for (let isDone = false; !isDone;) {
    const [found] = await read(ctx, archivesToExpire(ctx.now, AT_ONCE))
    await deleteFiles(
      ctx,
      found.flatMap(({ objectKey }) => objectKey ?? []),
    )
    isDone = found.length < AT_ONCE
    const ids = found.map(({ id }) => id)
    await commit(ctx, {
      changes: [
        {
          statements: [expireArchives(ctx, ids)],
          events: found.map(({ id, ownerId }) => archiveEvents.expired({ id, ownerId })),
        },
        withoutEvents(isDone ? finish : []),
      ],
      result: undefined,
    })
  }
}
