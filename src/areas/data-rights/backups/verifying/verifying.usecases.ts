import { deleteFiles, storeFile } from '../../../../platform/files/bucket.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { checkAccess, commit } from '../../../../platform/database/database.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { requireUnrestrictedForBackups } from '../backups.usecases.ts'
import { openBackup, openUpload, readerOf, type StoredBytes } from '../uploads.usecases.ts'
import { type Inspection, inspect } from './inspection.usecases.ts'
import { SENT_BYTES } from './verifying.rules.ts'

/** An archive as it comes. */
interface SentArchive {
  body: ReadableStream<Uint8Array>
  length: number | undefined
}

/** The source of an archive: the request, or the bucket. */
export interface ArchiveSource {
  sent: SentArchive
  /** True if a body was sent beside a query that names an archive. */
  hasBody: boolean
  uploadId?: string | undefined
  backupId?: string | undefined
}

/** An archive in the bucket, with what its use commits. */
export interface OpenedArchive extends StoredBytes {
  /** The id of the own backup, if it is one. */
  backupId: string | null
  statements: Statement[]
  /** True if nothing else needs it. */
  isTemporary: boolean
}

/** Compares an archive with what it says of itself. */
export async function verifyBackup(ctx: SignedIn, source: ArchiveSource): Promise<Inspection> {
  const { repeatable } = ctx
  delete ctx.repeatable
  const archive = await openArchiveSource(ctx, source)
  const inspection = await inspectOpened(ctx, archive)
  if (repeatable) {
    // The key stands for the bytes, too.
    ctx.repeatable = { ...repeatable, body: `${repeatable.body}\n${archive.sha256}` }
  }
  const { contentHash, faultCount } = inspection
  return commit(ctx, {
    changes: [
      {
        statements: archive.statements,
        events: [backupEvents.verified({ id: archive.backupId }, { contentHash, faultCount })],
      },
    ],
    result: inspection,
  })
}

export async function openArchiveSource(
  ctx: SignedIn,
  { sent, hasBody, uploadId, backupId }: ArchiveSource,
): Promise<OpenedArchive> {
  if (uploadId === undefined && backupId === undefined) {
    return storeSent(ctx, sent)
  }
  if (hasBody || (uploadId !== undefined && backupId !== undefined)) {
    throw backupErrors.oneSource()
  }
  if (uploadId !== undefined) {
    const upload = await openUpload(ctx, uploadId)
    return { ...upload, backupId: null, isTemporary: false }
  }
  const backup = await openBackup(ctx, backupId ?? '')
  return { ...backup, backupId: backupId ?? null, statements: [], isTemporary: false }
}

/** Stores a sent archive in the bucket while it is read by ranges. A remaining object is named by no row, and is swept. */
async function storeSent(ctx: SignedIn, { body, length }: SentArchive): Promise<OpenedArchive> {
  await checkAccess(ctx)
  requireUnrestrictedForBackups(ctx)
  const objectKey = `archives/${freshId(ctx, 'obj')}`
  const storing = { maxBytes: SENT_BYTES, storageClass: 'Standard' as const, length }
  const stored = await storeFile(ctx, objectKey, body, storing)
  if (stored.size === 0) {
    await deleteFiles(ctx, [objectKey])
    throw backupErrors.oneSource()
  }
  const objects = [{ objectKey, size: stored.size }]
  return { ...stored, objects, backupId: null, statements: [], isTemporary: true }
}

async function inspectOpened(ctx: SignedIn, archive: OpenedArchive): Promise<Inspection> {
  try {
    return await inspect(readerOf(ctx, archive), archive.size, ctx.now)
  } finally {
    await (archive.isTemporary
      ? deleteFiles(
          ctx,
          archive.objects.map(({ objectKey }) => objectKey),
        )
      : undefined)
  }
}
