import { planOfActual } from '../../../../domain/actual/actual.ts'
import { camt } from '../../../../domain/camt/camt.ts'
import { pauseRegularly } from '../../../../platform/work/pauses.ts'
import {
  BrokenZip,
  openMember,
  readDirectory,
  type ReadPart,
  TooLargeZip,
  type ZipMember,
} from '../../../../platform/files/unzip.ts'
import { importErrors } from '../imports.errors.ts'

// Files that come in a ZIP archive: one file, messages of a bank, or the budget of another program.

/** The database of a budget is read in one piece. */
const MOST_DATABASE = 32 * 1024 * 1024
const BOUNDS = { members: 100, bytes: 100 * 1024 * 1024, ratio: 200 }

/** The content of an archive, as if it had been sent without one. */
export interface Unpacked {
  open: () => AsyncIterable<Uint8Array>
  size: number
  /** Names of files that are not read. */
  leftOut?: string[]
}

export const isArchive = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || head[2] === 5)

/** Reads parts of bytes that are in memory. */
export const partsInMemory =
  (bytes: Uint8Array): ReadPart =>
  (offset, length) =>
    Promise.resolve(new Blob([bytes.slice(offset, offset + length)]).stream())

/** Files that file managers leave in archives. */
const JUNK = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/

/** Finds what is to be read of an archive. */
export async function unpack(read: ReadPart, size: number): Promise<Unpacked> {
  const members = await directoryOf(read, size)
  const files = members.filter(({ name }) => !name.endsWith('/') && !JUNK.test(name))
  const budgets = files
    .filter(({ name }) => /(?:^|\/)Budget\.yfull$/.test(name))
    .toSorted((one, other) => other.size - one.size)
  const database = files.find(({ name }) => /(?:^|\/)db\.sqlite$/.test(name))
  if (database) {
    if (database.size > MOST_DATABASE) {
      throw importErrors.archiveTooLarge({ reason: 'Its db.sqlite has more than 32 MiB.' })
    }
    return { open: () => planIn(read, database), size: database.size }
  }
  const [budget] = budgets
  const changes = files.filter(({ name }) => budget && isOfBudget(name, budget.name))
  if (budget && changes.length > 0) {
    return {
      open: () => budgetOf(read, budget, changes),
      size: changes.reduce((sum, file) => sum + file.size, budget.size),
    }
  }
  const only = budget ?? registerAmong(files) ?? (files.length === 1 ? files[0] : undefined)
  if (only) {
    if (isArchive(await headOf(read, only))) {
      throw importErrors.archiveInvalid({
        reason: 'It contains another archive. Send that one by itself.',
      })
    }
    const leftOut = budget ? [] : files.filter((one) => one !== only).map(({ name }) => name)
    return { open: () => bytesOf(read, only), size: only.size, leftOut }
  }
  if (files.length === 0) {
    throw importErrors.archiveInvalid({ reason: 'It contains no file.' })
  }
  for (const file of files) {
    if (camt.recognises(textOf(await headOf(read, file))) === 0) {
      const reason =
        'It contains several files that are not all CAMT messages. Send them one by one.'
      throw importErrors.archiveInvalid({ reason })
    }
  }
  const inOrder = files.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return {
    open: () => messagesOf(read, inOrder),
    size: files.reduce((sum, file) => sum + file.size, 0),
  }
}

/** The register of an export of YNAB, beside the plan of which no row is a booking. */
function registerAmong(files: ZipMember[]): ZipMember | undefined {
  const [register, ...others] = files.filter(({ name }) => REGISTER.test(name))
  const isBesidePlan = files.every((one) => one === register || PLAN.test(one.name))
  return others.length === 0 && isBesidePlan ? register : undefined
}

const REGISTER = /(?:^|[/ ])Register\.(?:csv|tsv)$/i
const PLAN = /(?:^|[/ ])(?:Plan|Budget)\.(?:csv|tsv)$/i

async function directoryOf(read: ReadPart, size: number): Promise<ZipMember[]> {
  try {
    const members = await readDirectory(read, size, BOUNDS)
    if (members.some(({ name }) => isOutside(name))) {
      throw new BrokenZip('A name in it leads out of it.')
    }
    return members
  } catch (error) {
    throw refusalOf(error)
  }
}

const isOutside = (name: string) =>
  /^(?:[/\\]|[a-z]:)/i.test(name) || name.split(/[/\\]/).includes('..')

const TOO_LARGE =
  'It may have at most 100 files, 100 MiB unpacked, and 200 times its size unpacked.'

/** The answer leaves out the reasons of the reader, because they contain names of members. */
function refusalOf(error: unknown): unknown {
  if (error instanceof TooLargeZip) {
    return importErrors.archiveTooLarge({ reason: TOO_LARGE })
  }
  return error instanceof BrokenZip
    ? importErrors.archiveInvalid({ reason: 'It is damaged, encrypted or not a ZIP archive.' })
    : error
}

async function* bytesOf(read: ReadPart, member: ZipMember): AsyncGenerator<Uint8Array> {
  try {
    yield* openMember(read, member)
  } catch (error) {
    throw refusalOf(error)
  }
}

async function headOf(read: ReadPart, member: ZipMember): Promise<Uint8Array> {
  for await (const piece of bytesOf(read, member)) {
    return piece.slice(0, 4096)
  }
  return new Uint8Array()
}

/** By its byte order mark, or by what XML says of itself. */
function labelOf(head: Uint8Array): string {
  if (head[0] === 0xfe && head[1] === 0xff) {
    return 'utf-16be'
  }
  if (head[0] === 0xff && head[1] === 0xfe) {
    return 'utf-16le'
  }
  const start = new TextDecoder('windows-1252').decode(head.subarray(0, 200))
  const [, named = 'utf-8'] =
    /^[^<]{0,3}<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{1,40})/.exec(start) ?? []
  try {
    return new TextDecoder(named).encoding
  } catch {
    return 'utf-8'
  }
}

const textOf = (head: Uint8Array) => new TextDecoder(labelOf(head)).decode(head, { stream: true })

/** The declaration, and instructions that say nothing. */
const PROLOG = /^\s*(?:<\?[^<>]*\?>\s*)*/
const MOST_OF_PROLOG = 1_000

/** Messages one after the other, as one document. One that breaks off leaves that open, so nothing of it passes. */
async function* messagesOf(read: ReadPart, files: ZipMember[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode('<?xml version="1.0" encoding="UTF-8"?>\n<Messages>')
  for (const file of files) {
    const decoder = new TextDecoder(labelOf(await headOf(read, file)))
    let start: string | undefined = ''
    for await (const piece of bytesOf(read, file)) {
      const text: string = decoder.decode(piece, { stream: true })
      if (start === undefined) {
        yield encoder.encode(text)
      } else {
        start += text
        if (start.length > MOST_OF_PROLOG) {
          yield encoder.encode(start.replace(PROLOG, ''))
          start = undefined
        }
      }
    }
    yield encoder.encode((start ?? '').replace(PROLOG, '') + decoder.decode())
  }
  yield encoder.encode('</Messages>')
}

/** Tells whether a file has changes of a device to a budget: it stands beside the folder of the budget, or in it. */
function isOfBudget(name: string, budget: string): boolean {
  const folder = budget.split('/').slice(0, -2).join('/')
  return name.endsWith('.ydiff') && name.startsWith(folder === '' ? '' : `${folder}/`)
}

/** A budget of YNAB 4 and the changes of its devices, in the order of their names, as one document. */
async function* budgetOf(
  read: ReadPart,
  budget: ZipMember,
  changes: ZipMember[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const inOrder = changes.toSorted((one, other) =>
    one.name.localeCompare(other.name, 'en', { numeric: true }),
  )
  let start = '{"full":'
  for (const file of [budget, ...inOrder]) {
    yield encoder.encode(start)
    start = ',"diff":'
    const decoder = new TextDecoder()
    for await (const piece of bytesOf(read, file)) {
      yield encoder.encode(decoder.decode(piece, { stream: true }))
    }
    yield encoder.encode(decoder.decode())
  }
  yield encoder.encode('}')
}

/** Text that is sent on at once. */
const PIECE = 64 * 1024

/** The budget of Actual as a plan in JSON. */
async function* planIn(read: ReadPart, database: ZipMember): AsyncGenerator<Uint8Array> {
  const bytes = new Uint8Array(database.size)
  let at = 0
  for await (const piece of bytesOf(read, database)) {
    bytes.set(piece.subarray(0, bytes.length - at), at)
    at += piece.length
  }
  const encoder = new TextEncoder()
  const pause = pauseRegularly()
  let text = ''
  for (const some of planOfActual(bytes)) {
    await pause()
    text += some
    if (text.length >= PIECE) {
      yield encoder.encode(text)
      text = ''
    }
  }
  yield encoder.encode(text)
}
