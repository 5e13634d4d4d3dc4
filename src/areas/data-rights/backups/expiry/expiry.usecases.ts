import { deleteFiles } from '../../../../platform/bucket.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { archiveEvents } from '../backups.events.ts'
import { archivesToExpire, expireArchives } from '../backups.queries.ts'
import { deleteEndedRows, endedRows } from '../restoring/merging.queries.ts'
import { deleteExpired, uploadsToExpire } from '../uploads/uploads.queries.ts'

const AT_ONCE = 100
/** One may have some hundred objects. */
const UPLOADS_AT_ONCE = 20
const ROWS_AT_ONCE = 2000

/** Objects go before the rows that know of them: what was killed in between is done again. */
export async function expireAll(ctx: Context, finish: Statement[]): Promise<void> {
  await expireUploads(ctx)
  await forgetEndedMerges(ctx)
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

/** Deletes the records of merges that have ended. */
async function forgetEndedMerges(ctx: Context): Promise<void> {
  for (let isDone = false; !isDone;) {
    const [found] = await read(ctx, endedRows(ROWS_AT_ONCE))
    isDone = found.length < ROWS_AT_ONCE
    if (found.length > 0) {
      await commit(ctx, { changes: [withoutEvents(deleteEndedRows(found))], result: undefined })
    }
  }
}

/** Rows go before their objects, as an upload may be used at this moment; what was killed in between is swept. */
async function expireUploads(ctx: Context): Promise<void> {
  for (let isDone = false; !isDone;) {
    const [found] = await read(ctx, uploadsToExpire(ctx.now, UPLOADS_AT_ONCE))
    isDone = found.length < UPLOADS_AT_ONCE
    if (found.length > 0) {
      const ids = found.map(({ id }) => id)
      await commit(ctx, { changes: [withoutEvents(deleteExpired(ctx, ids))], result: undefined })
      await deleteFiles(
        ctx,
        found.flatMap(({ objectKeys }) => JSON.parse(objectKeys) as string[]),
      )
    }
  }
}
