const DAY_MS = 24 * 60 * 60 * 1000

/** An archive is deleted after this time. */
export const ARCHIVE_KEPT_MS = 7 * DAY_MS

export const ARCHIVE_STATES = [
  'queued',
  'running',
  'ready',
  'failed',
  'cancelled',
  'expired',
] as const

export type ArchiveState = (typeof ARCHIVE_STATES)[number]

/** Until it is made, how its task is; who does not find that any more learns that it failed. */
export function archiveState(
  stored: 'queued' | 'ready' | 'failed' | 'expired',
  task: string | null,
): ArchiveState {
  if (stored !== 'queued') {
    return stored
  }
  return task === 'queued' || task === 'running' || task === 'cancelled' ? task : 'failed'
}
