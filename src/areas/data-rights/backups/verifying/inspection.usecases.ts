import { TransactionResponse } from '../../../money/transaction-views/transaction-views.public.ts'
import { AccountResponseDTO } from '../../../money/accounts/accounts.public.ts'
import {
  BrokenZip,
  openMember,
  readDirectory,
  type ReadPart,
  type ZipMember,
} from '../../../../platform/unzip.ts'
import { sha256Hex, startSha256 } from '../../../../platform/crypto.ts'
import { backupErrors } from '../backups.errors.ts'
import { FORMAT, FORMAT_VERSION, linesToHash, MANIFEST, type Manifest } from '../backups.rules.ts'
import {
  type Fault,
  faultsOf,
  faultsOfBalances,
  type Known,
  MOST_FAULTS,
  MOST_LINE_BYTES,
  MOST_LINES,
  type Sums,
  ZIP_BOUNDS,
} from './verifying.rules.ts'

/** What an archive was found to be. */
export interface Inspection {
  manifest: Pick<Manifest, 'formatVersion' | 'createdAt' | 'counts'>
  contentHash: string
  known: Known
  faultCount: number
  /** The first of them. */
  faults: Fault[]
}

/** Reads an archive once from its beginning to its end, and compares all of it with what it says of itself. */
export async function inspect(read: ReadPart, size: number): Promise<Inspection> {
  const members = await directoryOf(read, size)
  const manifest = await manifestOf(read, members)
  const found = new Findings()
  const known: Known = {
    accounts: new Map(),
    categories: new Set(),
    payees: new Set(),
    tags: new Set(),
  }
  const sums: Sums = new Map()
  const takers = takersFor(found, known, sums)
  const hashes: { path: string; sha256: string }[] = []
  const byName = new Map(members.map((member) => [member.name, member]))
  for (const file of inOrder(manifest.files, Object.keys(takers))) {
    const member = byName.get(file.path)
    byName.delete(file.path)
    if (!member) {
      found.add({ code: 'missingMember', member: file.path, message: 'It is not in the archive.' })
      continue
    }
    const list = /^([A-Za-z]+)\.ndjson$/.exec(file.path)?.[1]
    const sha256 = await readMember(
      read,
      member,
      found,
      list,
      list ? takers[list] : undefined,
      manifest,
    )
    hashes.push({ path: file.path, sha256 })
    if (sha256 !== file.sha256) {
      found.add({
        ...{ code: 'hashMismatch', member: file.path },
        message: 'Its SHA-256 is not that of the manifest.',
      })
    }
  }
  byName.delete(MANIFEST)
  for (const name of byName.keys()) {
    found.add({ code: 'unknownMember', member: name, message: 'The manifest does not list it.' })
  }
  for (const fault of faultsOfBalances(known, sums)) {
    found.add({ ...fault, member: 'accounts.ndjson' })
  }
  const contentHash = sha256Hex(linesToHash(hashes))
  if ((manifest.contentHash ?? contentHash) !== contentHash) {
    found.add({
      ...{ code: 'hashMismatch', member: MANIFEST },
      message: 'contentHash is not that of the files.',
    })
  }
  return { manifest, contentHash, known, faultCount: found.count, faults: found.first }
}

class Findings {
  count = 0
  lines = 0
  readonly first: Fault[] = []

  add(fault: Omit<Fault, 'line'> & { line?: number }): void {
    this.count += 1
    if (this.first.length < MOST_FAULTS) {
      this.first.push({ line: null, ...fault })
    }
  }
}

async function directoryOf(read: ReadPart, size: number): Promise<ZipMember[]> {
  try {
    return await readDirectory(read, size, ZIP_BOUNDS)
  } catch (error) {
    throw error instanceof BrokenZip ? backupErrors.brokenArchive({ reason: error.message }) : error
  }
}

/** Archives from before contentHash have none. */
type ReadManifest = Omit<Manifest, 'contentHash'> & { contentHash?: string }

const MOST_MANIFEST_BYTES = 8 * 1024 ** 2

async function manifestOf(read: ReadPart, members: ZipMember[]): Promise<ReadManifest> {
  const member = members.find(({ name }) => name === MANIFEST)
  if (!member || member.size > MOST_MANIFEST_BYTES) {
    throw backupErrors.notABackup()
  }
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of openMember(read, member)) {
      text += decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    throw error instanceof BrokenZip ? backupErrors.brokenArchive({ reason: error.message }) : error
  }
  const value = parsed(text)
  if (!isManifest(value)) {
    throw backupErrors.notABackup()
  }
  if (value.formatVersion > FORMAT_VERSION) {
    throw backupErrors.newerVersion()
  }
  return value
}

function isManifest(value: unknown): value is ReadManifest {
  const { format, formatVersion, createdAt, counts, files } = (value ?? {}) as Partial<ReadManifest>
  return (
    String(format) === FORMAT &&
    Number.isInteger(formatVersion) &&
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt)) &&
    typeof counts === 'object' &&
    counts !== null &&
    Object.values(counts).every(Number.isInteger) &&
    Array.isArray(files) &&
    files.every((file) => typeof file?.path === 'string' && typeof file.sha256 === 'string')
  )
}

/** The lists that others refer to come first, wherever they are in the archive. */
function inOrder<File extends { path: string }>(files: File[], lists: string[]): File[] {
  const placeOf = ({ path }: File) => {
    const place = lists.indexOf(path.replace(/\.ndjson$/, ''))
    return place === -1 ? lists.length : place
  }
  return files.toSorted((one, other) => placeOf(one) - placeOf(other))
}

type Take = (row: unknown, line: number) => void

function takersFor(found: Findings, known: Known, sums: Sums): Record<string, Take> {
  const ids =
    (list: 'categories' | 'payees' | 'tags'): Take =>
    (row, line) => {
      const { id } = row as { id?: unknown }
      if (typeof id === 'string') {
        known[list].add(id)
      } else {
        malformed(`${list}.ndjson`, line)
      }
    }
  const malformed = (member: string, line: number) =>
    found.add({ code: 'malformedLine', member, line, message: 'A field is missing or wrong.' })
  return {
    categories: ids('categories'),
    payees: ids('payees'),
    tags: ids('tags'),
    accounts: (row, line) => {
      const account = AccountResponseDTO.safeParse(row).data
      if (account) {
        known.accounts.set(account.id, account)
      } else {
        malformed('accounts.ndjson', line)
      }
    },
    transactions: (row, line) => {
      const transaction = TransactionResponse.safeParse(row).data
      if (!transaction) {
        malformed('transactions.ndjson', line)
        return
      }
      for (const fault of faultsOf(transaction, known, sums)) {
        found.add({ ...fault, member: 'transactions.ndjson', line })
      }
    },
  }
}

/** Reads a member and takes the lines of a list; gives the hash of its bytes. */
async function readMember(
  read: ReadPart,
  member: ZipMember,
  found: Findings,
  list: string | undefined,
  take: Take | undefined,
  { counts }: ReadManifest,
): Promise<string> {
  const hash = startSha256()
  const lines = new Lines(member.name, found, take)
  try {
    for await (const chunk of openMember(read, member)) {
      hash.add(chunk)
      if (list !== undefined) {
        lines.add(chunk)
      }
    }
    if (list !== undefined) {
      lines.end()
      const { count } = lines
      if (counts[list] !== undefined && counts[list] !== count) {
        found.add({
          ...{ code: 'wrongCount', member: member.name },
          message: `It has ${count} lines, and the manifest says ${counts[list]}.`,
        })
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenZip)) {
      throw error
    }
    found.add({ code: 'brokenArchive', member: member.name, message: error.message })
  }
  return hash.digest()
}

/** Cuts bytes into lines. */
class Lines {
  count = 0
  private waiting = ''
  private readonly decoder = new TextDecoder()

  private readonly member: string
  private readonly found: Findings
  private readonly take: Take | undefined

  constructor(member: string, found: Findings, take: Take | undefined) {
    this.member = member
    this.found = found
    this.take = take
  }

  add(chunk: Uint8Array): void {
    const pieces = (this.waiting + this.decoder.decode(chunk, { stream: true })).split('\n')
    this.waiting = pieces.pop() ?? ''
    pieces.forEach((line) => this.one(line))
    if (this.waiting.length > MOST_LINE_BYTES) {
      throw new BrokenZip('A line is too long.')
    }
  }

  end(): void {
    if (this.waiting !== '') {
      this.one(this.waiting)
    }
  }

  private one(text: string): void {
    this.count += 1
    this.found.lines += 1
    if (this.found.lines > MOST_LINES) {
      throw backupErrors.brokenArchive({ reason: 'It has too many lines.' })
    }
    const row = parsed(text)
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      this.found.add({
        ...{ code: 'malformedLine', member: this.member, line: this.count },
        message: 'It is no JSON object.',
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
