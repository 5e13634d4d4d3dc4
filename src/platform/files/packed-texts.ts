import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readFile, type StoredFile, storePieces } from './bucket.ts'
import type { Context } from '../context.ts'

// Texts of a few megabytes as objects of the bucket, packed by gzip.

/** The most bytes of a text, so that unpacking an object of unknown origin ends. */
const MOST_BYTES = 64 * 1024 * 1024

/** Stores a text that is seldom read, under a key that nothing has yet. */
export function storeText(ctx: Context, key: string, text: string): Promise<StoredFile> {
  const bytes = gzipSync(text)
  const pieces = async function* () {
    yield bytes
  }
  return storePieces(ctx, key, pieces(), {
    maxBytes: MOST_BYTES,
    storageClass: 'InfrequentAccess',
    length: bytes.byteLength,
  })
}

/** The text of an object; undefined where there is none of this key, null where it is no packed text of this hash. */
export async function readText(
  ctx: Context,
  key: string,
  sha256: string,
): Promise<string | null | undefined> {
  const body = await readFile(ctx, key)
  if (!body) {
    return undefined
  }
  const bytes = new Uint8Array(await new Response(body).arrayBuffer())
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    return null
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString()
  } catch {
    return null
  }
}
