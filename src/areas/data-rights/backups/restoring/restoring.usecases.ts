import type { AppError } from '../../../../domain/errors.ts'
import { deleteFiles } from '../../../../platform/bucket.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { archivedTables } from '../../../../platform/owned-data.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { isCertain } from '../../../../platform/refusals.ts'
import { newJob } from '../../../operations/jobs/jobs.public.ts'
import type { TaskRow } from '../../../operations/queue-tasks/queue-tasks.public.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { requireUnrestricted } from '../backups.usecases.ts'
import { readerOf } from '../uploads.usecases.ts'
import { requireReadable } from '../verifying/inspection.usecases.ts'
import { type ArchiveSource, openSource } from '../verifying/verifying.usecases.ts'
import {
  countOfRestores,
  filledTables,
  insertRestore,
  mustBeEmpty,
  pageOfRestores,
  restoreById,
  restoresUnderWay,
  type RestoreRow,
} from './restoring.queries.ts'

export const RESTORE_BACKUP = 'backups.restore'

export interface RestoreInput extends ArchiveSource {
  fileName?: string | undefined
  mode: 'empty' | 'merge'
  /** Own accounts by those of the archive that they stand for. */
  accountMap?: Record<string, string> | undefined
  dryRun: boolean
}

export interface RequestedRestore {
  id: string
  job: TaskRow
}

/** Returns the tables that must be empty: all archived tables except those of which every user has one row. */
export const tablesToFill = () =>
  archivedTables().filter(({ isSingle, of }) => isSingle === undefined && of === undefined)

/** Has an archive restored for the caller: who has no data, or into the data that is there. */
export async function restoreBackup(
  ctx: SignedIn,
  { mode, accountMap = {}, dryRun, fileName, ...source }: RestoreInput,
): Promise<RequestedRestore> {
  const { repeatable } = ctx
  delete ctx.repeatable
  const { userId } = ctx.caller
  const [[found = {}], underWay] = await read(
    ctx,
    filledTables(tablesToFill(), userId),
    restoresUnderWay(userId),
  )
  requireUnrestricted(ctx)
  const isMerged = mode === 'merge'
  if (!isMerged && Object.keys(accountMap).length > 0) {
    throw backupErrors.mapWithoutMerge({ field: 'accountMap' })
  }
  // What keeps its answer may have been restored by the first time.
  const refusal =
    underWay.length > 0
      ? backupErrors.restoreUnderWay()
      : isMerged
        ? undefined
        : notEmptyBecause(found)
  if (refusal && !dryRun && !repeatable) {
    throw refusal
  }
  const archive = await openSource(ctx, source)
  const { objects, size, sha256, statements } = archive
  const objectKey = archive.isTemporary ? (objects[0]?.objectKey ?? null) : null
  try {
    await requireReadable(readerOf(ctx, archive), size)
    if (repeatable) {
      // The key stands for the bytes, too.
      ctx.repeatable = { ...repeatable, body: `${repeatable.body}\n${sha256}` }
    }
    const id = freshId(ctx, 'rst')
    const { task, job } = newJob(ctx, {
      kind: RESTORE_BACKUP,
      payload: { restoreId: id },
      summary: id,
    })
    const row = {
      ...{ id, ownerId: userId, taskId: job.id, state: 'checking' as const, mode },
      ...{ accountMap: JSON.stringify(accountMap), dryRun },
      ...{ fileName: fileName ?? null, size, sha256, objects: JSON.stringify(objects), objectKey },
      ...{
        mapping: null,
        replaced: '{}',
        nextStep: 0,
        nextLine: 0,
        report: '{}',
        finishedAt: null,
      },
      ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
    }
    return await commit(ctx, {
      changes: [
        withoutEvents(statements),
        {
          statements: [
            ...insertRestore(row),
            ...(dryRun || isMerged ? [] : [mustBeEmpty(tablesToFill(), userId)]),
          ],
          events: [
            backupEvents.restoreRequested({ id, resourceType: 'restore' }, { sha256, dryRun }),
          ],
        },
      ],
      tasks: [task],
      result: { id, job },
    })
  } catch (error) {
    await (objectKey !== null && isCertain(error) ? deleteFiles(ctx, [objectKey]) : undefined)
    throw error
  }
}

/** @param found which tables have rows, by their names */
export function notEmptyBecause(found: Record<string, 0 | 1>): AppError | undefined {
  const filled = Object.keys(found).filter((name) => found[name] === 1)
  const what = filled.map((name) => name.replaceAll('_', ' ')).join(', ')
  return filled.length > 0 ? backupErrors.notEmpty({ what }) : undefined
}

export async function listRestores(ctx: SignedIn, page: PageRequest): Promise<Page<RestoreRow>> {
  const [found, [total]] = await read(ctx, pageOfRestores(ctx, page), countOfRestores(ctx))
  requireUnrestricted(ctx)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function getRestore(ctx: SignedIn, id: string): Promise<RestoreRow> {
  const [[found]] = await read(ctx, restoreById(ctx, id))
  requireUnrestricted(ctx)
  if (!found) {
    throw backupErrors.restoreNotFound()
  }
  return found
}
