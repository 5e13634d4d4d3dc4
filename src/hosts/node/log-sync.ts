import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/** Brings an open file to the disk. */
export type ToDisk = (file: number) => Promise<void>

export const toDisk: ToDisk = promisify(fdatasync)

/** Brings SQLite's write-ahead log to the disk. */
export interface LogSync {
  /** Must be called after each commit that may have written. */
  committed: () => void
  /**
   * Fulfilled when all that was committed by now is on the disk.
   * @throws Error ever after the disk has refused once: nobody knows what it holds then
   */
  stored: () => Promise<void>
  close: () => void
}

/** The log of a database in memory, which has no disk. */
export const NO_LOG: LogSync = {
  committed: () => undefined,
  stored: async () => undefined,
  close: () => undefined,
}

/**
 * One sync serves all who have committed before it begins, and this thread goes on meanwhile: a disk takes as long for
 * many commits as for one.
 * @param path of the log, which is there once something was committed
 */
export function openLogSync(path: string, bring: ToDisk): LogSync {
  let file: number | undefined
  let committed = 0
  let stored = 0
  let running: Promise<void> | undefined

  const syncOnce = async () => {
    const upTo = committed
    file ??= openSync(path, 'r+')
    await bring(file)
    stored = upTo
    running = undefined
  }
  // A failure is kept, and every later call gets it.
  const syncing = () => (running ??= syncOnce())
  return {
    committed: () => {
      committed++
    },
    stored: async () => {
      const wanted = committed
      if (stored < wanted) {
        await syncing()
      }
      // The first sync may have begun before the commit.
      if (stored < wanted) {
        await syncing()
      }
    },
    close: () => {
      if (file !== undefined) {
        closeSync(file)
      }
    },
  }
}
