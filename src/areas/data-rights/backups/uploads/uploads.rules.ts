import { backupErrors } from '../backups.errors.ts'

const MIB = 1024 ** 2
/** Bytes of an archive. */
export const UPLOAD_BYTES = 2048 * MIB
/** Bytes of a part. Only the last one may have fewer than the least. */
export const PART_BYTES = { least: 5 * MIB, most: 50 * MIB }
export const MOST_PARTS = Math.ceil(UPLOAD_BYTES / PART_BYTES.least)
/** The maximum number of uploads of a user. */
export const MOST_UPLOADS = 3
/** The time for which an upload is kept after its last use. */
export const UPLOAD_KEPT_MS = 24 * 60 * 60 * 1000

interface Part {
  number: number
  size: number
}

const sum = (parts: Part[]) => parts.reduce((bytes, { size }) => bytes + size, 0)

/**
 * Refuses a part that the upload has no place for.
 * @param parts the stored ones
 */
export function requireFitting(parts: Part[], part: Part, size: number): void {
  if (part.size === 0) {
    throw backupErrors.emptyPart()
  }
  const all = [...parts.filter(({ number }) => number !== part.number), part]
  const last = Math.max(...all.map(({ number }) => number))
  const small = all.find((one) => one.size < PART_BYTES.least && one.number !== last)
  if (small) {
    throw backupErrors.partTooSmall({ ...small, least: PART_BYTES.least })
  }
  const sent = sum(all)
  if (sent > size) {
    throw backupErrors.uploadTooLong({ sent, size })
  }
}

/**
 * Refuses an upload of which something is missing.
 * @param parts in order
 */
export function requireComplete(parts: Part[], size: number): void {
  const received = sum(parts)
  if (received !== size || parts.some(({ number }, at) => number !== at + 1)) {
    throw backupErrors.uploadIncomplete({ received, size, parts: parts.length })
  }
}

interface ByteRange {
  offset: number
  length: number
}

/** A part of an object. */
export interface ObjectRange {
  objectKey: string
  range: ByteRange
}

/** Finds the bytes of a range in objects that follow each other. */
export function rangesIn(
  objects: readonly { objectKey: string; size: number }[],
  { offset, length }: ByteRange,
): ObjectRange[] {
  const found: ObjectRange[] = []
  let start = 0
  for (const { objectKey, size } of objects) {
    const from = Math.max(offset, start)
    const to = Math.min(offset + length, start + size)
    if (from < to) {
      found.push({ objectKey, range: { offset: from - start, length: to - from } })
    }
    start += size
  }
  return found
}
