import { deleteFiles, listFiles } from '../../../../platform/files/bucket.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database/database.ts'
import { forAllRows } from '../../../../platform/work/each-row.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { fileOf } from '../attachments.events.ts'
import { eraseAttachments } from '../attachments.queries.ts'
import { purgedFileEvents, sweptFileEvents } from './sweeping.events.ts'
import {
  ERASED_AT_ONCE,
  type FileToErase,
  filesToErase,
  mustStillBeDue,
  namedKeys,
} from './sweeping.queries.ts'

/** Steps of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_STEPS = 50

export const PURGE_FILES = 'files.purge'

/**
 * Erases files whose time is over: rows first, then objects, so that no row ever names an object that is gone. What a
 * killed run leaves is an object without a row, which is swept.
 */
export async function purgeFiles(
  ctx: Context,
  { after: last = '' }: { after?: string | undefined },
  finish: Statement[],
): Promise<void> {
  let after: string | undefined = last
  for (let step = 0; after !== undefined && step < MOST_STEPS; step++) {
    const [due]: [FileToErase[]] = await readOrStop(ctx, filesToErase(ctx, after))
    const erased: string[] = []
    await forAllRows(ctx, { work: PURGE_FILES, rows: due }, async (some) => {
      await eraseRows(ctx, some)
      erased.push(...some.map(({ objectKey }) => objectKey))
    })
    await deleteFiles(ctx, erased)
    after = due.length < ERASED_AT_ONCE ? undefined : due.at(-1)?.id
  }
  await commit(ctx, {
    changes: [withoutEvents(finish)],
    tasks: after === undefined ? [] : [{ kind: PURGE_FILES, payload: { after } }],
    result: undefined,
  })
}

function eraseRows(ctx: Context, files: readonly FileToErase[]): Promise<void> {
  const ids = files.map(({ id }) => id)
  return commit(ctx, {
    changes: [
      {
        statements: [mustStillBeDue(ctx, ids), ...eraseAttachments(ids)],
        events: files.map((file) =>
          purgedFileEvents.purged({ ...fileOf(file), resourceType: 'attachment' }),
        ),
      },
    ],
    result: undefined,
  })
}

export const SWEEP_FILES = 'files.sweep'

/** The time that an upload may take: a younger object may still get its row. */
const YOUNG_MS = 24 * 60 * 60 * 1000

/** Deletes the objects that no row names, a thousand keys of the bucket after the other. */
export async function sweepFiles(
  ctx: Context,
  { cursor }: { cursor?: string | undefined },
  finish: Statement[],
): Promise<void> {
  let next: string | null = cursor ?? null
  let swept = 0
  let step = 0
  do {
    const page = await listFiles(ctx, '', next)
    const old = page.files.filter(({ uploadedAt }) => uploadedAt <= ctx.now - YOUNG_MS)
    const keys = old.map(({ key }) => key)
    const [named] = await readOrStop(ctx, namedKeys(keys))
    const kept = new Set(named.map(({ key }) => key))
    const orphans = keys.filter((key) => !kept.has(key))
    await deleteFiles(ctx, orphans)
    swept += orphans.length
    next = page.cursor
  } while (next !== null && ++step < MOST_STEPS)
  await commit(ctx, {
    changes: [
      {
        statements: finish,
        events: [sweptFileEvents.swept({ id: null, resourceType: 'platform' }, { files: swept })],
      },
    ],
    tasks: next === null ? [] : [{ kind: SWEEP_FILES, payload: { cursor: next } }],
    result: undefined,
  })
}
