import { ARCHIVE_KEPT_MS } from '../../../domain/archives.ts'
import { type Range, deleteFiles } from '../../../platform/files/bucket.ts'
import { freshId, type SignedIn, type Context } from '../../../platform/context.ts'
import { checkAccess, commit, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { dateInZone } from '../../../domain/calendar.ts'
import type { AppError } from '../../../domain/errors.ts'
import { download } from '../../../platform/files/downloads.ts'
import { type DomainEvent, withoutEvents } from '../../../platform/log/events.ts'
import { forAllRows } from '../../../platform/work/each-row.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { newJob } from '../../operations/jobs/jobs.public.ts'
import type { TaskRow } from '../../operations/queue-tasks/queue-tasks.public.ts'
import { backupErrors } from './backups.errors.ts'
import { backupEvents, archiveEvents } from './backups.events.ts'
import {
  type BackupRow,
  backupById,
  countOfBackups,
  insertBackup,
  pageOfBackups,
  type ArchivedFile,
  deleteArchiveRow,
  type ArchiveToExpire,
  archivesToExpire,
  expireArchives,
  deleteExpired,
  type UploadToExpire,
  uploadsToExpire,
} from './backups.queries.ts'
import { deleteEndedRows, endedRows } from './restoring/merging.queries.ts'

export const MAKE_BACKUP = 'backup.make'

export interface RequestedBackup {
  id: string
  job: TaskRow
}

/** Has an archive made of all that the caller owns. */
export async function createBackup(ctx: SignedIn): Promise<RequestedBackup> {
  await checkAccess(ctx)
  requireUnrestrictedForBackups(ctx)
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
  requireUnrestrictedForBackups(ctx)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

type Backup = BackupRow & { manifest: string | null }

export async function getBackup(ctx: SignedIn, id: string): Promise<Backup> {
  const [[found]] = await read(ctx, backupById(ctx, id))
  requireUnrestrictedForBackups(ctx)
  if (!found) {
    throw backupErrors.notFound()
  }
  return found
}

export function requireUnrestrictedForBackups({ caller }: SignedIn): void {
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

/** The errors and events of archives of one kind. */
export interface KeptKind {
  kind: 'backup' | 'export'
  notReady: () => AppError
  notKept: () => AppError
  deleted: (thing: { id: string }) => DomainEvent
}

/** An archive to download. */
export interface ArchiveFile {
  id: string
  fileName: string
  contentType: string
  size: number
  sha256: string
  objectKey: string
}

/** @throws AppError while it is made, and when it is gone */
export function archiveFile(
  { kind, notReady, notKept }: KeptKind,
  { id, stored, task, objectKey, size, sha256, createdAt }: ArchivedFile,
  { extension, contentType }: { extension: string; contentType: string },
): ArchiveFile {
  if (stored === 'queued' && (task === 'queued' || task === 'running')) {
    throw notReady()
  }
  if (stored !== 'ready' || objectKey === null || size === null || sha256 === null) {
    throw notKept()
  }
  const fileName = `coffer-${kind}-${dateInZone(createdAt, 'UTC')}.${extension}`
  return { id, objectKey, size, sha256, fileName, contentType }
}

export async function openArchiveFile(
  ctx: SignedIn,
  { kind, notKept }: KeptKind,
  { id, objectKey, size }: ArchiveFile,
  range: Range,
): Promise<ReadableStream<Uint8Array>> {
  const body = await download(ctx, { kind, id, objectKey, size }, range)
  if (!body) {
    throw notKept()
  }
  return body
}

/** Deletes an archive, and calls off one that is being made. */
export async function deleteArchive(
  ctx: SignedIn,
  { deleted }: KeptKind,
  archive: ArchivedFile,
): Promise<void> {
  requireVersion(ctx, archive.version)
  await commit(ctx, {
    changes: [{ statements: deleteArchiveRow(archive), events: [deleted({ id: archive.id })] }],
    result: undefined,
  })
  await deleteFiles(ctx, archive.objectKey === null ? [] : [archive.objectKey])
}

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
