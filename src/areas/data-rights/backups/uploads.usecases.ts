import { deleteFiles, storeFile, readFile } from '../../../platform/files/bucket.ts'
import { freshId, type SignedIn, type Context } from '../../../platform/context.ts'
import { checkAccess, commit, read } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { isCertain } from '../../../platform/database/refusals.ts'
import { AppError } from '../../../domain/errors.ts'
import { startSha256 } from '../../../platform/secrets/crypto.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { BrokenZip, type ReadPart } from '../../../platform/files/unzip.ts'
import { backupErrors } from './backups.errors.ts'
import { backupEvents } from './backups.events.ts'
import { requireUnrestrictedForBackups, findArchive } from './backups.usecases.ts'
import {
  deleteUploads,
  insertUpload,
  type PartRow,
  partsOfUpload,
  putPart,
  uploadById,
  type UploadRow,
  keepUpload,
  markChecked,
} from './backups.queries.ts'
import {
  PART_BYTES,
  requireFitting,
  UPLOAD_KEPT_MS,
  type ObjectRange,
  rangesIn,
  requireComplete,
} from './backups.rules.ts'

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
  requireUnrestrictedForBackups(ctx)
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
  const [[upload], parts] = await read(ctx, uploadById(ctx, id), partsOfUpload(ctx, id))
  requireUnrestrictedForBackups(ctx)
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

/** Bytes in the bucket: what stands in these objects, one behind the other. */
export interface StoredBytes {
  objects: { objectKey: string; size: number }[]
  size: number
  sha256: string
}

/** An archive up to this size is read at once: it has some hundred members, each of which would be asked for many times. */
const READ_AT_ONCE_BYTES = 256 * 1024

/** Reads the objects of an archive by ranges, as if they were one. */
export function readerOf(ctx: Context, { objects, size }: StoredBytes): ReadPart {
  const open: ReadPart = async (offset, length) => {
    const ranges = rangesIn(objects, { offset, length })
    const [first, second] = ranges
    return first && !second ? openRange(ctx, first) : streamOf(piecesOf(ctx, ranges))
  }
  if (size > READ_AT_ONCE_BYTES) {
    return open
  }
  let whole: Promise<Uint8Array> | undefined
  return async (offset, length) => {
    whole ??= open(0, size).then(allOf)
    const bytes = await whole
    return streamOf(pieceOf(bytes.slice(offset, offset + length)))
  }
}

const allOf = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer())

async function* pieceOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) {
    yield bytes
  }
}

async function openRange(
  ctx: Context,
  { objectKey, range }: ObjectRange,
): Promise<ReadableStream<Uint8Array>> {
  const found = await readFile(ctx, objectKey, range)
  if (!found) {
    throw new BrokenZip('It ends too early.')
  }
  return found
}

async function* piecesOf(ctx: Context, ranges: ObjectRange[]): AsyncGenerator<Uint8Array> {
  for (const range of ranges) {
    yield* await openRange(ctx, range)
  }
}

const streamOf = (pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) {
        controller.close()
      } else {
        controller.enqueue(value)
      }
    },
    cancel: async () => {
      await pieces.return(undefined)
    },
  })

/** An upload that can be used. */
export interface OpenedUpload extends StoredBytes {
  id: string
  /** For the first commit of whoever uses it: that its bytes were checked, and that it is used. */
  statements: Statement[]
}

/**
 * Finds an upload of the caller, all of it, whose bytes have the declared hash. The first time, all of them are read for that; from
 * the commit of `statements` on no part changes.
 */
export async function openUpload(ctx: SignedIn, id: string): Promise<OpenedUpload> {
  const [[upload], parts] = await read(ctx, uploadById(ctx, id), partsOfUpload(ctx, id))
  requireUnrestrictedForBackups(ctx)
  if (!upload) {
    throw backupErrors.unknownUpload({ field: 'uploadId' })
  }
  const { size, sha256, checkedAt } = upload
  requireComplete(parts, size)
  const bytes = { objects: parts, size, sha256 }
  if (checkedAt === null && !(await hasHash(ctx, parts, bytes))) {
    throw backupErrors.uploadMismatch()
  }
  const statements = checkedAt === null ? markChecked(ctx, upload) : keepUpload(ctx, upload)
  return { id, ...bytes, statements }
}

/** Finds an own backup that is ready. */
export async function openBackup(ctx: SignedIn, id: string): Promise<StoredBytes> {
  const { objectKey, size, sha256 } = await findArchive(ctx, id).catch((error: unknown) => {
    throw error instanceof AppError && error.kind === 'notFound'
      ? backupErrors.unknownBackup({ field: 'backupId' })
      : error
  })
  return { objects: [{ objectKey, size }], size, sha256 }
}

async function hasHash(ctx: Context, parts: PartRow[], bytes: StoredBytes): Promise<boolean> {
  const [only, second] = parts
  if (only && !second) {
    return only.sha256 === bytes.sha256
  }
  const hash = startSha256()
  try {
    for await (const piece of await readerOf(ctx, bytes)(0, bytes.size)) {
      hash.add(piece)
    }
  } catch (error) {
    if (error instanceof BrokenZip) {
      return false
    }
    throw error
  }
  return hash.digest() === bytes.sha256
}
