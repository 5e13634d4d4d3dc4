import { JsonItems } from '../../../../domain/json-items.ts'
import { pauseRegularly } from '../../../../platform/work/pauses.ts'
import {
  BrokenZip,
  openMember,
  type ReadPart,
  type ZipMember,
} from '../../../../platform/files/unzip.ts'
import { isComplexJson } from '../../../../domain/json-values.ts'
import type { Steps } from '../../../../domain/steps.ts'
import { backupErrors } from '../backups.errors.ts'
import { FORMAT, FORMAT_VERSION, MANIFEST, type Manifest } from '../backups.rules.ts'
import {
  ZIP_BOUNDS,
  type Fault,
  LINE_BOUNDS,
  MOST_FAULTS,
  MOST_ARCHIVE_LINES,
  MOST_OF_LINE,
} from './verifying.rules.ts'

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

/** Reads a manifest item by item, because it may be long. */
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

export type TakeRow = (row: unknown, line: number) => void

/** Collects the faults of an archive. */
export class Findings {
  count = 0
  lines = 0
  readonly first: Fault[] = []

  add({ line, code, member, message }: Omit<Fault, 'line'> & { line?: number }): void {
    this.count += 1
    if (this.first.length < MOST_FAULTS) {
      this.first.push({ line: line ?? null, code, member: cut(member), message: cut(message) })
    }
  }
}

/** Texts of archives stand in them, which may be long. */
const cut = (text: string): string => text.slice(0, 500)

/** Cuts bytes into lines, each of which is a step. */
export class ByteLines {
  count = 0
  /** The pieces of a line that has not ended. */
  private waiting: string[] = []
  private waitingLength = 0
  private isStopped = false
  private readonly decoder = new TextDecoder()

  private readonly member: string
  private readonly found: Findings
  private readonly take: TakeRow | undefined

  constructor(member: string, found: Findings, take: TakeRow | undefined) {
    this.member = member
    this.found = found
    this.take = take
  }

  *add(chunk: Uint8Array): Steps<void> {
    if (this.isStopped) {
      return
    }
    const pieces = this.decoder.decode(chunk, { stream: true }).split('\n')
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) {
        this.one(this.waiting.join(''))
        yield
        this.waiting = []
        this.waitingLength = 0
      }
      this.waiting.push(piece)
      this.waitingLength += piece.length
      if (this.waitingLength > MOST_OF_LINE) {
        this.isStopped = true
        this.found.add({
          ...{ code: 'malformedLine', member: this.member, line: this.count + 1 },
          message: 'The line is too long. What follows it is not read.',
        })
        return
      }
    }
  }

  end(): void {
    if (this.waitingLength > 0 && !this.isStopped) {
      this.one(this.waiting.join(''))
    }
  }

  private one(text: string): void {
    this.count += 1
    this.found.lines += 1
    if (this.found.lines > MOST_ARCHIVE_LINES) {
      throw backupErrors.brokenArchive({ reason: 'It has too many lines.' })
    }
    const row = isComplexJson(text, LINE_BOUNDS) ? undefined : parsed(text)
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      this.found.add({
        ...{ code: 'malformedLine', member: this.member, line: this.count },
        message: 'It is no JSON object, or one of too many parts.',
      })
      return
    }
    this.take?.(row, this.count)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
