import { deleteFiles, storeFile } from '../../../../platform/bucket.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { checkAccess, commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { isCertain } from '../../../../platform/refusals.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { requireUnrestricted } from '../backups.usecases.ts'
import {
  deleteUploads,
  insertUpload,
  type PartRow,
  partsOf,
  putPart,
  uploadById,
  type UploadRow,
} from './uploads.queries.ts'
import { PART_BYTES, requireFitting, UPLOAD_KEPT_MS } from './uploads.rules.ts'

export interface UploadView {
  upload: UploadRow
  /** In order. */
  parts: PartRow[]
}

/** Begins to take an archive in parts. */
export async function createBackupUpload(
  ctx: SignedIn,
  { size, sha256 }: { size: number; sha256: string },
): Promise<UploadView> {
  await checkAccess(ctx)
  requireUnrestricted(ctx)
  const upload: UploadRow = {
    id: freshId(ctx, 'upl'),
    ownerId: ctx.caller.userId,
    size,
    sha256,
    checkedAt: null,
    expiresAt: ctx.now + UPLOAD_KEPT_MS,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const { id, version } = upload
  return commit(ctx, {
    changes: [
      {
        statements: insertUpload(upload),
        events: [backupEvents.uploadBegun({ id, version }, { size, sha256 })],
      },
    ],
    result: { upload, parts: [] },
  })
}

/** Deletes an upload with its parts: their rows, and then their objects. */
export async function deleteBackupUpload(ctx: SignedIn, id: string): Promise<void> {
  const { parts } = await existing(ctx, id)
  await commit(ctx, {
    changes: [{ statements: deleteUploads([id]), events: [backupEvents.uploadDeleted({ id })] }],
    result: undefined,
  })
  await deleteFiles(
    ctx,
    parts.map(({ objectKey }) => objectKey),
  )
}

async function existing(ctx: SignedIn, id: string): Promise<UploadView> {
  const [[upload], parts] = await read(ctx, uploadById(ctx, id), partsOf(ctx, id))
  requireUnrestricted(ctx)
  if (!upload) {
    throw backupErrors.uploadNotFound()
  }
  return { upload, parts }
}

/** A part as it comes. */
interface SentPart {
  number: number
  body: ReadableStream<Uint8Array>
  length: number | undefined
}

/**
 * Stores a part as an object of its own, and then the row that names it. The same part once more takes the place of the first; the
 * object of the first is deleted at the end, or swept.
 */
export async function putBackupUploadPart(
  ctx: SignedIn,
  id: string,
  { number, body, length }: SentPart,
): Promise<UploadView> {
  const { upload, parts } = await existing(ctx, id)
  if (length !== undefined && length <= PART_BYTES.most) {
    requireFitting(parts, { number, size: length }, upload.size)
  }
  const objectKey = `uploads/${freshId(ctx, 'obj')}`
  const storing = { maxBytes: PART_BYTES.most, storageClass: 'Standard' as const, length }
  const stored = await storeFile(ctx, objectKey, body, storing)
  const before = parts.find((part) => part.number === number)
  const part = {
    ...{ id: freshId(ctx, 'prt'), ownerId: upload.ownerId, uploadId: id, number, objectKey },
    ...{ ...stored, createdAt: ctx.now },
  }
  try {
    requireFitting(parts, part, upload.size)
    if (upload.checkedAt !== null) {
      requireSame(before, part)
      await deleteFiles(ctx, [objectKey])
      return { upload, parts }
    }
    await commit(ctx, { changes: [withoutEvents(putPart(ctx, part))], result: undefined })
  } catch (error) {
    await (isCertain(error) ? deleteFiles(ctx, [objectKey]) : undefined)
    throw error
  }
  await deleteFiles(ctx, before ? [before.objectKey] : [])
  return {
    upload: {
      ...{ ...upload, version: upload.version + 1, updatedAt: ctx.now },
      expiresAt: ctx.now + UPLOAD_KEPT_MS,
    },
    parts: [...parts.filter((one) => one !== before), part].toSorted(
      (one, other) => one.number - other.number,
    ),
  }
}

/** Refuses to change a part of an upload that was checked. */
function requireSame(before: PartRow | undefined, part: PartRow): void {
  if (before?.sha256 !== part.sha256) {
    throw backupErrors.uploadInUse()
  }
}
