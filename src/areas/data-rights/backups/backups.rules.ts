/** What one run writes within its lease, with room to spare. */
export const MOST_BYTES = 2 * 1024 ** 3
/** Each is fetched from the bucket, and one run may do that some thousand times. */
export const MOST_FILES = 5000
/** That are kept for one user at a time. */
export const MOST_KEPT = 3

export const FORMAT = 'coffer-backup'
export const FORMAT_VERSION = 1

/** What an archive says of itself. */
export interface Manifest {
  format: typeof FORMAT
  formatVersion: typeof FORMAT_VERSION
  createdAt: string
  userId: string
  /** Whether something changed while it was read, three times over. */
  changedMeanwhile: boolean
  /** Of rows by kind. */
  counts: Record<string, number>
  files: { path: string; size: number; sha256: string }[]
  /** Files whose bytes were not there. */
  missing: string[]
}
