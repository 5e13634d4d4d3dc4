import { ARCHIVE_KEPT_MS } from '../../../domain/archives.ts'
import type { Range } from '../../../platform/bucket.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { checkAccess, commit, read } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { newJob } from '../../operations/jobs/jobs.public.ts'
import type { TaskRow } from '../../operations/queue-tasks/queue-tasks.public.ts'
import { backupErrors } from './backups.errors.ts'
import { backupEvents } from './backups.events.ts'
import {
  type BackupRow,
  backupById,
  countOfBackups,
  insertBackup,
  pageOfBackups,
} from './backups.queries.ts'
import {
  archiveFile,
  type ArchiveFile,
  deleteArchive,
  type KeptKind,
  openArchiveFile,
} from './kept/kept.usecases.ts'

export const MAKE_BACKUP = 'backup.make'

export interface Requested {
  id: string
  job: TaskRow
}

/** Has an archive made of all that the caller owns. */
export async function createBackup(ctx: SignedIn): Promise<Requested> {
  await checkAccess(ctx)
  requireUnrestricted(ctx)
  const id = freshId(ctx, 'bak')
  const { task, job } = newJob(ctx, {
    kind: MAKE_BACKUP,
    payload: { backupId: id },
    summary: id,
    cancellable: true,
  })
  const archive = {
    id,
    kind: 'backup' as const,
    ownerId: ctx.caller.userId,
    taskId: job.id,
    scheduleId: null,
    state: 'queued' as const,
    filter: null,
    objectKey: null,
    size: null,
    sha256: null,
    manifest: null,
    finishedAt: null,
    // Also of what never gets ready: something may be left of it.
    expiresAt: ctx.now + ARCHIVE_KEPT_MS,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      {
        statements: insertBackup(archive),
        events: [backupEvents.requested({ id, version: archive.version })],
      },
    ],
    tasks: [task],
    result: { id, job },
  })
}

export async function listBackups(ctx: SignedIn, page: PageRequest): Promise<Page<BackupRow>> {
  const [found, [total]] = await read(ctx, pageOfBackups(ctx, page), countOfBackups(ctx))
  requireUnrestricted(ctx)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

type Backup = BackupRow & { manifest: string | null }

export async function getBackup(ctx: SignedIn, id: string): Promise<Backup> {
  const [[found]] = await read(ctx, backupById(ctx, id))
  requireUnrestricted(ctx)
  if (!found) {
    throw backupErrors.notFound()
  }
  return found
}

export function requireUnrestricted({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw backupErrors.tokenIsRestricted()
  }
}

const KEPT: KeptKind = {
  kind: 'backup',
  notReady: backupErrors.notReady,
  notKept: backupErrors.notKept,
  deleted: backupEvents.deleted,
}

export async function findArchive(ctx: SignedIn, id: string): Promise<ArchiveFile> {
  const backup = await getBackup(ctx, id)
  return archiveFile(KEPT, backup, { extension: 'zip', contentType: 'application/zip' })
}

export const openArchive = (
  ctx: SignedIn,
  archive: ArchiveFile,
  range: Range,
): Promise<ReadableStream<Uint8Array>> => openArchiveFile(ctx, KEPT, archive, range)

export const deleteBackup = async (ctx: SignedIn, id: string): Promise<void> =>
  deleteArchive(ctx, KEPT, await getBackup(ctx, id))
