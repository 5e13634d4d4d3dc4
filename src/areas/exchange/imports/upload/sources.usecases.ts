import { fileErrors } from '../../../../domain/bank-files/errors.ts'
import { deleteFiles, type StoredFile, storeFile } from '../../../../platform/bucket.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { MOST_BYTES, READ_AT_ONCE } from '../imports.rules.ts'
import { type Bytes, byteWatcher } from './bytes.rules.ts'

/** A file as it comes. */
export interface Upload {
  body: ReadableStream<Uint8Array>
  length: number | undefined
}

export interface StoredSource extends StoredFile, Bytes {
  /** All of it, where it is small. */
  whole: Uint8Array | undefined
}

/** Stores the bytes of a file, and looks at them on the way. */
export async function storeSource(
  ctx: SignedIn,
  key: string,
  { body, length }: Upload,
): Promise<StoredSource> {
  if (length === 0) {
    throw fileErrors.empty()
  }
  const watcher = byteWatcher()
  const pieces: Uint8Array[] = []
  let held = 0
  const stored = await storeFile(ctx, key, body, {
    maxBytes: MOST_BYTES,
    storageClass: 'Standard',
    length,
    watch: (piece) => {
      watcher.take(piece)
      held += piece.byteLength
      if (held <= READ_AT_ONCE.bytes) {
        pieces.push(piece.slice())
      }
    },
  })
  if (stored.size === 0) {
    await deleteFiles(ctx, [key])
    throw fileErrors.empty()
  }
  const isSmall = stored.size <= READ_AT_ONCE.bytes
  return { ...stored, ...watcher.end(), whole: isSmall ? Buffer.concat(pieces) : undefined }
}
