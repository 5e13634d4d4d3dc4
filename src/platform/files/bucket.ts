import { createHash } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { storedFileErrors, serviceErrors } from '../platform.errors.ts'

// The only way to the bucket: nothing else in the service talks to R2. What a file is, whose, and who may have it is in
// the database alone; here are bytes under keys.

export interface StoredFile {
  size: number
  /** Hexadecimal. */
  sha256: string
}

export interface Storing {
  maxBytes: number
  storageClass: 'Standard' | 'InfrequentAccess'
  /** The number of bytes, if it is known. The bytes are then passed on as they arrive. */
  length?: number | undefined
  /** Is shown every piece as it passes; what it throws stops the storing. */
  watch?: (piece: Uint8Array) => void
}

export interface Range {
  offset: number
  length: number
}

export interface ListedFile {
  key: string
  size: number
  uploadedAt: number
}

/** The least size that R2 accepts for each part but the last; all have the same size. */
const PART_BYTES = 5 * 1024 * 1024
/** The buffer for a part at first: most files are far smaller than a part. */
const FIRST_BYTES = 64 * 1024
/** The most keys that R2 accepts in one call. */
const MOST_KEYS = 1000

/** Stores what somebody sends, as `storePieces` does. */
export const storeFile = (
  ctx: Context,
  key: string,
  body: ReadableStream<Uint8Array>,
  storing: Storing,
): Promise<StoredFile> => storePieces(ctx, key, piecesOf(body), storing)

/**
 * Stores bytes under a key that nothing has yet, holding no more of them than one part, and counts and hashes them on
 * the way. What fails leaves nothing behind; what making or watching a piece throws is thrown as it is.
 * @throws AppError tooLarge `files.tooLarge`, invalid `files.truncated`, unavailable
 */
export async function storePieces(
  ctx: Context,
  key: string,
  pieces: AsyncIterable<Uint8Array>,
  { maxBytes, storageClass, length, watch }: Storing,
): Promise<StoredFile> {
  const tooLarge = () => storedFileErrors.tooLarge({ most: maxBytes })
  if (length !== undefined && length > maxBytes) {
    throw tooLarge()
  }
  const sink =
    length === undefined
      ? inParts(ctx.files, key, storageClass)
      : ofLength(ctx.files, key, storageClass, length)
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const piece of pieces) {
      size += piece.byteLength
      if (size > maxBytes) {
        throw tooLarge()
      }
      if (size > (length ?? size)) {
        throw truncated()
      }
      watch?.(piece)
      hash.update(piece)
      await asking(() => sink.write(piece))
    }
    if (size < (length ?? size)) {
      throw truncated()
    }
    await asking(sink.end)
  } catch (error) {
    await sink.abandon()
    throw error
  }
  return { size, sha256: hash.digest('hex') }
}

/** The bytes of a file, or of a part of it that it must have; undefined where there is none of this key. */
export async function readFile(
  ctx: Context,
  key: string,
  range?: Range,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const found = await asking(() => ctx.files.get(key, range ? { range } : {}))
  return found?.body
}

/** @throws AppError unavailable when the bucket does not answer */
export async function pingBucket(ctx: Context): Promise<void> {
  // A key that no file has.
  await asking(() => ctx.files.head('ping'))
}

/** Deletes what there is of these; keys that are gone already are no fault. */
export async function deleteFiles(ctx: Context, keys: string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += MOST_KEYS) {
    await asking(() => ctx.files.delete(keys.slice(at, at + MOST_KEYS)))
  }
}

/** Up to a thousand files whose keys begin so, in the order of their keys; `cursor` is null after the last. */
export async function listFiles(
  ctx: Context,
  prefix: string,
  cursor: string | null,
): Promise<{ files: ListedFile[]; cursor: string | null }> {
  const found = await asking(() => ctx.files.list({ prefix, ...(cursor ? { cursor } : {}) }))
  return {
    files: found.objects.map(({ key, size, uploaded }) => ({
      key,
      size,
      uploadedAt: uploaded.getTime(),
    })),
    cursor: found.truncated ? found.cursor : null,
  }
}

const truncated = () => storedFileErrors.truncated()

/** Reads the pieces of a body. An error here is one of the caller's connection, not of the bucket. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw error instanceof AppError ? error : truncated()
      })
      if (done) {
        return
      }
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

interface Sink {
  write: (piece: Uint8Array) => Promise<void>
  end: () => Promise<void>
  /** Sees to it that nothing is stored. */
  abandon: () => Promise<void>
}

type StorageClass = Storing['storageClass']

/** R2 accepts a stream only if its length is known. */
function ofLength(files: R2Bucket, key: string, storageClass: StorageClass, length: number): Sink {
  const { readable, writable } = new FixedLengthStream(length)
  const writer = writable.getWriter()
  const stored = files.put(key, readable, { storageClass })
  // The error reaches the code that awaits it; until then it is no unhandled rejection.
  stored.catch(() => undefined)
  writer.closed.catch(() => undefined)
  return {
    write: (piece) => Promise.race([writer.write(piece), stored.then(() => undefined)]),
    end: async () => {
      await Promise.all([writer.close(), stored])
    },
    abandon: async () => {
      // Not awaited: where `put` has failed, nobody takes the piece that it would wait for.
      writer.abort().catch(() => undefined)
      const isStored = await stored.then(
        () => true,
        () => false,
      )
      await (isStored ? files.delete(key).catch(() => undefined) : undefined)
    },
  }
}

function inParts(files: R2Bucket, key: string, storageClass: StorageClass): Sink {
  let room = new Uint8Array(FIRST_BYTES)
  const parts: R2UploadedPart[] = []
  let filled = 0
  let upload: R2MultipartUpload | undefined
  const flush = async () => {
    upload ??= await files.createMultipartUpload(key, { storageClass })
    parts.push(await upload.uploadPart(parts.length + 1, room.subarray(0, filled)))
    filled = 0
  }
  const makeRoom = (bytes: number) => {
    if (bytes > room.length) {
      const larger = new Uint8Array(Math.min(PART_BYTES, Math.max(bytes, 4 * room.length)))
      larger.set(room.subarray(0, filled))
      room = larger
    }
  }
  return {
    write: async (piece) => {
      for (let at = 0; at < piece.byteLength;) {
        // Only before more, so that the last part is never empty.
        await (filled === PART_BYTES ? flush() : undefined)
        const some = piece.subarray(at, at + PART_BYTES - filled)
        makeRoom(filled + some.byteLength)
        room.set(some, filled)
        filled += some.byteLength
        at += some.byteLength
      }
    },
    end: async () => {
      if (upload === undefined) {
        await files.put(key, room.subarray(0, filled), { storageClass })
      } else {
        await flush()
        await upload.complete(parts)
      }
    },
    abandon: async () => {
      await upload?.abort().catch(() => undefined)
      await files.delete(key).catch(() => undefined)
    },
  }
}

async function asking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    throw serviceErrors.unavailable({
      cause,
      retryAfter: 2,
    })
  }
}
