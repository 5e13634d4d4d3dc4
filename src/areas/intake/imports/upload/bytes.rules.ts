import {
  type EncodingChoice,
  type EncodingDetector,
  encodingDetector,
  isEncoding,
} from '../../../../domain/bank-files/encodings.ts'
import type { Steps } from '../../../../domain/steps.ts'
import { recogniseFormats } from '../../../../domain/bank-files/formats.ts'
import { type Mapping, READ_AT_ONCE } from '../imports.rules.ts'
import { importErrors } from '../imports.errors.ts'

/** The facts about the bytes of a file once all of them were read. */
export interface Bytes {
  encoding: EncodingChoice
  /** The beginning, by which formats are recognized. */
  head: string
}

/** The number of bytes at the beginning by which formats are detected. */
const HEAD_BYTES = 64 * 1024

/** Returns the encoding that the header of a file claims: XML names it, and OFX gives the number of a Windows code page. */
function claimIn(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1024))
  const [, named] = /<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{1,40})["']/i.exec(text) ?? []
  const [, page] = /^CHARSET\s*:\s*(125\d)\s*$/im.exec(text) ?? []
  const label = named ?? (page === undefined ? undefined : `windows-${page}`)
  return label !== undefined && isEncoding(label) ? label : undefined
}

/** Looks at the bytes of a file as they pass, and tells what they are of. */
export function byteWatcher(): { take: (piece: Uint8Array) => void; end: () => Steps<Bytes> } {
  const head = new Uint8Array(HEAD_BYTES)
  let detector: EncodingDetector | undefined
  let filled = 0
  return {
    take: (piece) => {
      const some = piece.subarray(0, HEAD_BYTES - filled)
      head.set(some, filled)
      filled += some.byteLength
      detector ??= encodingDetector(claimIn(piece))
      detector.push(piece)
    },
    *end() {
      const encoding = yield* (detector ?? encodingDetector()).end()
      const label = encoding.encoding ?? encoding.question?.suggestion ?? 'utf-8'
      const text = new TextDecoder(label).decode(head.subarray(0, filled), { stream: true })
      return { encoding, head: text }
    },
  }
}

/** Lines of a file that are no rows: the heading, and what a bank writes above and below. */
const OTHER_LINES = 100

const [LF, CR] = [10, 13]

function lineEndsIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) {
      count += 1
    }
  }
  return count
}

/**
 * Tells whether a file clearly has more rows than are read at once. Only CSV can show that, because it has a line for
 * each row.
 */
export const hasTooManyLines = (
  bytes: Uint8Array,
  head: string,
  { chosen }: { chosen: string },
): boolean => {
  const { format = recogniseFormats(head)[0]?.format.key } = JSON.parse(chosen) as Mapping
  return format === 'csv' && lineEndsIn(bytes) > READ_AT_ONCE.rows + OTHER_LINES
}

/** The settings that depend on the layout of a file. For a file of another layout they would be wrong. */
const OF_LAYOUT: ReadonlySet<string> = new Set([
  ...['format', 'builtIn', 'columns', 'headerLine', 'skipLines', 'delimiter', 'quote'],
])

interface Layout {
  format: string | undefined
  /** Headings, or kinds of columns. */
  shape: string[]
}

/** The layout of a file, by its first part. */
function layoutOf(head: string): Layout {
  const format = recogniseFormats(head)[0]?.format
  const surveyor = format?.key === 'csv' ? format.survey({}) : undefined
  surveyor?.push(head)
  return { format: format?.key, shape: surveyor?.end().shape ?? [] }
}

/** The settings that were chosen for a file, without those that do not fit the file that replaces it. */
export function chosenFor(
  before: { chosen: string; mapping: string; shape: string },
  head: string,
): string {
  const chosen = JSON.parse(before.chosen) as Mapping
  const isOfLayout = Object.keys(chosen).some((field) => OF_LAYOUT.has(field))
  if (!isOfLayout) {
    return before.chosen
  }
  const { format, shape } = layoutOf(head)
  const isSame = format === (JSON.parse(before.mapping) as Mapping).format
  if (isSame && JSON.stringify(shape) === before.shape) {
    return before.chosen
  }
  return JSON.stringify(
    Object.fromEntries(Object.entries(chosen).filter(([field]) => !OF_LAYOUT.has(field))),
  )
}

const AT_WORK = ['queued', 'running']

/** Refuses what another reading would undo: bookings, and work that is under way. */
export function requireReadableImport({
  state,
  task,
}: {
  state: string
  task: string | null
}): void {
  if (state === 'reverted') {
    throw importErrors.reverted()
  }
  if (state === 'done' || state === 'cancelled') {
    throw importErrors.alreadyDone()
  }
  if (state === 'committing' || state === 'reverting' || (task && AT_WORK.includes(task))) {
    throw importErrors.underWay()
  }
}
