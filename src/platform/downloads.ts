import { sql } from 'drizzle-orm'
import { type Range, readFile } from './bucket.ts'
import type { SignedIn } from './context.ts'
import { commit } from './database.ts'
import type { LogEntry } from './old-change.ts'

/** Where the bytes of a file are, and what the log says whose it is. */
export interface Download extends Pick<LogEntry, 'ownerId' | 'groupId'> {
  kind: 'attachment' | 'backup' | 'auditLog'
  id: string
  objectKey: string
  size: number
}

/**
 * The bytes of a file that the caller was just seen to see, or of a part of it; undefined where they are gone. That
 * they were fetched is in the log, where metrics read it, before the first of them leaves.
 */
export async function download(
  ctx: SignedIn,
  { kind, id, objectKey, size, ...entry }: Download,
  range: Range,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const body = await readFile(ctx, objectKey, range.length === size ? undefined : range)
  if (!body) {
    return undefined
  }
  try {
    await commit(ctx, {
      ...entry,
      action: 'file.downloaded',
      resource: { type: kind, id },
      facts: sql`json_object('kind', ${kind}, 'bytes', CAST(${range.length} AS INTEGER))`,
      writes: [],
      result: undefined,
    })
  } catch (error) {
    await body.cancel()
    throw error
  }
  return body
}
