import { deleteFiles } from '../../../../platform/bucket.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { forAllRows } from '../../../../platform/each-row.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { archiveEvents } from '../backups.events.ts'
import { type ArchiveToExpire, archivesToExpire, expireArchives } from '../backups.queries.ts'
import { deleteEndedRows, endedRows } from '../restoring/merging.queries.ts'
import { deleteExpired, type UploadToExpire, uploadsToExpire } from '../uploads/uploads.queries.ts'

const AT_ONCE = 100
/** One may have some hundred objects. */
const UPLOADS_AT_ONCE = 20
const ROWS_AT_ONCE = 2000

/** Objects go before the rows that know of them: what was killed in between is done again. */
export async function expireAll(ctx: Context, finish: Statement[]): Promise<void> {
  await expireUploads(ctx)
  await forgetEndedMerges(ctx)
  await expireFiles(ctx)
  await commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
}

async function expireFiles(ctx: Context): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const [due]: [ArchiveToExpire[]] = await read(ctx, archivesToExpire(ctx.now, after, AT_ONCE))
    await forAllRows(ctx, { work: 'archives.expire', rows: due }, (some) => expire(ctx, some))
    after = due.length < AT_ONCE ? undefined : due.at(-1)?.id
  }
}

async function expire(ctx: Context, some: readonly ArchiveToExpire[]): Promise<void> {
  await deleteFiles(
    ctx,
    some.flatMap(({ objectKey }) => objectKey ?? []),
  )
  await commit(ctx, {
    changes: [
      {
        statements: [
          expireArchives(
            ctx,
            some.map(({ id }) => id),
          ),
        ],
        events: some.map(({ id, ownerId }) => archiveEvents.expired({ id, ownerId })),
      },
    ],
    result: undefined,
  })
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
  for (let after: string | undefined = ''; after !== undefined;) {
    const [due]: [UploadToExpire[]] = await read(
      ctx,
      uploadsToExpire(ctx.now, after, UPLOADS_AT_ONCE),
    )
    await forAllRows(ctx, { work: 'archives.expire', rows: due }, async (some) => {
      const ids = some.map(({ id }) => id)
      await commit(ctx, { changes: [withoutEvents(deleteExpired(ctx, ids))], result: undefined })
      await deleteFiles(
        ctx,
        some.flatMap(({ objectKeys }) => JSON.parse(objectKeys) as string[]),
      )
    })
    after = due.length < UPLOADS_AT_ONCE ? undefined : due.at(-1)?.id
  }
}
