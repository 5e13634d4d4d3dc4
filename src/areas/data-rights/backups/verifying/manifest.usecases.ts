import { JsonItems } from '../../../../domain/json-items.ts'
import { pauseRegularly } from '../../../../platform/pauses.ts'
import { BrokenZip, openMember, type ReadPart, type ZipMember } from '../../../../platform/unzip.ts'
import { backupErrors } from '../backups.errors.ts'
import { FORMAT, FORMAT_VERSION, MANIFEST, type Manifest } from '../backups.rules.ts'
import { ZIP_BOUNDS } from './verifying.rules.ts'

/** The manifest of an archive that anybody may have written. */
export type ReadManifest = Omit<Manifest, 'contentHash' | 'formatVersion' | 'missing' | 'seal'> & {
  formatVersion: number
  contentHash?: string
  seal?: string
  missing?: string[]
}

const MOST_MANIFEST_BYTES = 8 * 1024 ** 2
const MOST_LISTS = 200
/** Each file may be missing, too. */
const MOST_ITEMS = 3 * ZIP_BOUNDS.members
/** The name of a list in the manifest. */
const LIST = /^(?:data\/)?[A-Za-z][A-Za-z_]{0,63}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/

/** The manifest of an archive. @throws AppError if it has none that can be read */
export async function manifestOf(read: ReadPart, members: ZipMember[]): Promise<ReadManifest> {
  const member = members.find(({ name }) => name === MANIFEST)
  if (!member || member.size > MOST_MANIFEST_BYTES) {
    throw backupErrors.notABackup()
  }
  const value = await readManifest(openMember(read, member)).catch((error: unknown) => {
    throw error instanceof BrokenZip ? backupErrors.brokenArchive({ reason: error.message }) : error
  })
  if (!isManifest(value)) {
    throw backupErrors.notABackup()
  }
  if (value.formatVersion > FORMAT_VERSION) {
    throw backupErrors.newerVersion()
  }
  return value
}

/** What a manifest says. It may be long, and is read item by item. */
async function readManifest(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const lists: Record<'files' | 'missing', unknown[]> = { files: [], missing: [] }
  const others: [name: string, value: unknown][] = []
  const json = new JsonItems({
    wrappers: [],
    take: (path, value) => {
      if (path === 'files' || path === 'missing') {
        lists[path].push(value)
      } else {
        others.push([path, value])
      }
      if (lists.files.length + lists.missing.length + others.length > MOST_ITEMS) {
        throw backupErrors.notABackup()
      }
    },
    refuse: () => backupErrors.notABackup(),
  })
  const decoder = new TextDecoder()
  const pause = pauseRegularly()
  for await (const chunk of chunks) {
    json.push(decoder.decode(chunk, { stream: true }))
    await pause()
  }
  json.push(decoder.decode())
  json.end()
  return { ...Object.fromEntries(others), ...lists }
}

function isManifest(value: unknown): value is ReadManifest {
  const { format, formatVersion, createdAt, userId, counts, files, missing, seal } = (value ??
    {}) as Partial<ReadManifest>
  return (
    String(format) === FORMAT &&
    Number.isSafeInteger(formatVersion) &&
    Number(formatVersion) >= FORMAT_VERSION &&
    INSTANT.test(createdAt ?? '') &&
    !Number.isNaN(Date.parse(createdAt ?? '')) &&
    typeof userId === 'string' &&
    typeof (seal ?? '') === 'string' &&
    typeof counts === 'object' &&
    counts !== null &&
    Object.keys(counts).length <= MOST_LISTS &&
    Object.entries(counts).every(
      ([name, count]) => LIST.test(name) && Number.isSafeInteger(count) && count >= 0,
    ) &&
    Array.isArray(files) &&
    Array.isArray(missing ?? []) &&
    files.every((file) => typeof file?.path === 'string' && typeof file.sha256 === 'string')
  )
}
