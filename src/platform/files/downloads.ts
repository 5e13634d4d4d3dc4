import { sql } from 'drizzle-orm'
import { type Range, readFile } from './bucket.ts'
import type { SignedIn } from '../context.ts'
import { commit } from '../database/database.ts'
import type { Thing } from '../log/events.ts'
import { fileEvents } from '../log/platform-events.ts'

/** The place of a file's bytes, and its owner in the log. */
interface Download extends Pick<Thing, 'ownerId' | 'groupId'> {
  kind: 'attachment' | 'backup' | 'export' | 'auditLog' | 'import'
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
  { kind, id, objectKey, size, ...thing }: Download,
  range: Range,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const body = await readFile(ctx, objectKey, range.length === size ? undefined : range)
  if (!body) {
    return undefined
  }
  try {
    const facts = sql`json_object('kind', ${kind}, 'bytes', CAST(${range.length} AS INTEGER))`
    const event = fileEvents.downloaded({ id, resourceType: kind, facts, ...thing })
    await commit(ctx, { changes: [{ statements: [], events: [event] }], result: undefined })
  } catch (error) {
    await body.cancel()
    throw error
  }
  return body
}
