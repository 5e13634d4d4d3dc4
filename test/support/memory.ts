import { statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
/** Far more than the tests need: in some containers the folder is small. */
const LEAST_BYTES = 2 ** 31

/** A folder in memory, where a test waits for no disk; undefined where there is none, or little of it. */
export function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(FOLDER)
    return bavail * bsize >= LEAST_BYTES ? FOLDER : undefined
  } catch {
    return undefined
  }
}
