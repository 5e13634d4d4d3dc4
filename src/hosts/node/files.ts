import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

// The part of an R2 bucket that the service uses, over a folder: the key of a file is its path. A file is written
// under a temporary name, brought to the disk and then renamed, so that it is there whole or not at all.

/** Matches the keys of the service. None leads out of the folder, and none is the name of an unfinished file. */
const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

/** The folder of unfinished files, in the same file system, so that renaming is enough. */
const UNFINISHED = '.unfinished'

/** The most keys that R2 lists at once. */
const MOST_LISTED = 1000

/** Removes what a killed process has left. For whoever is the only one to have the folder. */
export const removeUnfinished = (folder: string): Promise<void> =>
  rm(join(folder, UNFINISHED), { recursive: true, force: true })

/**
 * The path of the file of a key.
 * @throws Error when the service makes no such keys
 */
export function pathOfObject(folder: string, key: string): string {
  if (!KEY.test(key)) {
    throw new Error(`no file can have the key ${JSON.stringify(key)}`)
  }
  return join(folder, key)
}

/** The bucket that the service calls `FILES`; the folder is made where there is none. */
export function openFiles(folder: string): R2Bucket {
  mkdirSync(join(folder, UNFINISHED), { recursive: true })
  const pathOf = (key: string) => pathOfObject(folder, key)

  const bucket = {
    createMultipartUpload: (key: string) => startUpload(folder, key),

    put: async (key: string, body: ReadableStream<Uint8Array> | Uint8Array) => {
      const upload = await startUpload(folder, key)
      try {
        for await (const piece of body instanceof Uint8Array ? [body] : body) {
          await upload.uploadPart(1, piece)
        }
      } catch (error) {
        await upload.abort()
        throw error
      }
      await upload.complete()
    },

    get: async (key: string, { range }: { range?: { offset: number; length: number } } = {}) => {
      const handle = await open(pathOf(key)).catch(nullIfMissing)
      if (!handle) {
        return null
      }
      return { body: bytesOf(handle, range) }
    },

    head: async (key: string) => stat(pathOf(key)).catch(nullIfMissing),

    delete: async (keys: string | string[]) => {
      await Promise.all([keys].flat().map((key) => rm(pathOf(key), { force: true })))
    },

    list: ({ prefix = '', cursor = '' }: { prefix?: string; cursor?: string } = {}) =>
      listObjects(folder, prefix, cursor),
  }
  return bucket as unknown as R2Bucket
}

/** The bytes that are read at once. */
const PIECE_BYTES = 64 * 1024

/**
 * The bytes of an open file, which is closed after the last of them and when nobody wants more. Not by `Readable.toWeb`: when
 * that is cancelled between two pieces, it throws where nobody can catch it, which ends the process.
 */
function bytesOf(
  handle: FileHandle,
  { offset, length } = { offset: 0, length: Infinity },
): ReadableStream<Uint8Array> {
  const end = offset + length
  let at = offset
  return new ReadableStream({
    pull: async (controller) => {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, end - at))
      const { bytesRead } = await handle.read(piece, 0, piece.length, at).catch(async (error) => {
        await handle.close()
        throw error
      })
      at += bytesRead
      if (bytesRead > 0) {
        controller.enqueue(piece.subarray(0, bytesRead))
      } else {
        await handle.close()
        controller.close()
      }
    },
    cancel: () => handle.close(),
  })
}

/** Begins to write a file. Its parts come one after another, in their order. */
async function startUpload(folder: string, key: string) {
  const target = pathOfObject(folder, key)
  const draft = join(folder, UNFINISHED, randomUUID())
  const handle = await open(draft, 'wx')
  return {
    uploadPart: async (partNumber: number, bytes: Uint8Array) => {
      await handle.writeFile(bytes)
      return { partNumber, etag: '' }
    },
    abort: async () => {
      await handle.close()
      await rm(draft, { force: true })
    },
    complete: async () => {
      await handle.sync()
      await handle.close()
      await mkdir(dirname(target), { recursive: true })
      await rename(draft, target)
      await syncPath(dirname(target))
    },
  }
}

async function listObjects(folder: string, prefix: string, cursor: string) {
  const keys: string[] = []
  for await (const key of keysIn(folder, prefix, cursor)) {
    keys.push(key)
    if (keys.length > MOST_LISTED) {
      break
    }
  }
  const truncated = keys.length > MOST_LISTED
  const listed = keys.slice(0, MOST_LISTED)
  const found = await Promise.all(
    listed.map(async (key) => ({ key, facts: await stat(join(folder, key)).catch(nullIfMissing) })),
  )
  const objects = found.flatMap(({ key, facts }) =>
    facts ? [{ key, size: facts.size, uploaded: facts.mtime }] : [],
  )
  return { objects, truncated, ...(truncated ? { cursor: listed.at(-1) } : {}) }
}

/** The keys after a cursor that begin with a prefix, in their order. */
async function* keysIn(
  folder: string,
  prefix: string,
  cursor: string,
  at = '',
): AsyncGenerator<string> {
  const entries = await readdir(join(folder, at), { withFileTypes: true })
  const names = entries
    .filter(({ name }) => name !== UNFINISHED)
    // A folder sorts as its keys do, with the slash.
    .map((entry) => ({
      isFolder: entry.isDirectory(),
      key: `${at}${entry.name}${entry.isDirectory() ? '/' : ''}`,
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  for (const { key, isFolder } of names) {
    if (isFolder) {
      const mayHold = key.startsWith(prefix) || prefix.startsWith(key)
      const isPast = key < cursor && !cursor.startsWith(key)
      if (mayHold && !isPast) {
        yield* keysIn(folder, prefix, cursor, key)
      }
    } else if (key.startsWith(prefix) && key > cursor) {
      yield key
    }
  }
}

/** A new name is on the disk when its folder is. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}

/** Turns the error about a missing file into null. */
export function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
    return null
  }
  throw error
}
