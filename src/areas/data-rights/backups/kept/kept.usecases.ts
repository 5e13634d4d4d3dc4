import { dateInZone } from '../../../../domain/calendar.ts'
import type { AppError } from '../../../../domain/errors.ts'
import { deleteFiles, type Range } from '../../../../platform/bucket.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, requireVersion } from '../../../../platform/database.ts'
import { download } from '../../../../platform/downloads.ts'
import type { DomainEvent } from '../../../../platform/events.ts'
import { type ArchivedFile, deleteArchiveRow } from '../backups.queries.ts'

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
