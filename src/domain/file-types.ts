/**
 * The types that `fileTypeSniffer` can tell apart. Everything else is `application/octet-stream`, which is never an
 * allowed type.
 */
const FILE_TYPES = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/avif',
  'text/plain',
  'text/csv',
  'application/json',
  'application/xml',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
] as const

export type FileType = (typeof FILE_TYPES)[number] | 'application/octet-stream'

const HEIC = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

/** Returns the type that begins with these first bytes, given as Latin letters; undefined for text and for unknown types. */
function magicOf(head: string): FileType | undefined {
  const starts = (...magic: string[]) => magic.some((one) => head.startsWith(one))
  const brand = head.slice(4, 8) === 'ftyp' ? head.slice(8, 12) : ''
  const found: [FileType, boolean][] = [
    ['application/pdf', starts('%PDF-')],
    ['image/jpeg', starts('\xFF\xD8\xFF')],
    ['image/png', starts('\x89PNG\r\n\x1A\n')],
    ['image/gif', starts('GIF87a', 'GIF89a')],
    ['image/webp', starts('RIFF') && head.slice(8, 12) === 'WEBP'],
    ['image/heic', HEIC.includes(brand)],
    ['image/avif', ['avif', 'avis'].includes(brand)],
    ['application/zip', starts('PK\x03\x04', 'PK\x05\x06')],
  ]
  return found.find(([, is]) => is)?.[0]
}

/** The entry that identifies each type of office document, beside its list of contents. */
const OFFICE: [string, FileType][] = [
  ['xl/workbook.xml', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['word/document.xml', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [
    'ppt/presentation.xml',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
]

const HEAD_BYTES = 1024
/** Room for the list of what is in an archive, which stands at its end: some hundreds of names. */
const TAIL_BYTES = 65_536

/**
 * Tells what a file is by its bytes, as they pass, whatever its sender calls it. Text must be UTF-8 throughout; which
 * text it is no byte tells, so there the name is believed.
 */
export function fileTypeSniffer(fileName: string): {
  take: (piece: Uint8Array) => void
  type: () => FileType
} {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let head = ''
  let tail = new Uint8Array()
  let isText = true
  return {
    take: (piece) => {
      if (head.length < HEAD_BYTES) {
        head += latin(piece.subarray(0, HEAD_BYTES - head.length))
      }
      const magic = magicOf(head)
      tail = magic === 'application/zip' ? endOf(tail, piece) : tail
      isText &&= magic === undefined && isPlain(decoder, piece)
    },
    type: () => {
      const magic = magicOf(head)
      if (magic === 'application/zip') {
        return archiveType(tail)
      }
      if (magic) {
        return magic
      }
      return isText && isPlain(decoder) ? textType(head, fileName) : 'application/octet-stream'
    },
  }
}

const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes)

function endOf(tail: Uint8Array<ArrayBuffer>, piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept = tail.subarray(Math.max(0, tail.byteLength + piece.byteLength - TAIL_BYTES))
  const added = piece.subarray(-TAIL_BYTES)
  const end = new Uint8Array(kept.byteLength + added.byteLength)
  end.set(kept)
  end.set(added, kept.byteLength)
  return end
}

/** No text has these; tabs, line ends and form feeds it may have. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\0-\x08\x0B\x0E-\x1F\x7F]/

/** @param piece the next one, or none at the end, where half a letter is none */
function isPlain(decoder: TextDecoder, piece?: Uint8Array): boolean {
  try {
    return !CONTROLS.test(piece ? decoder.decode(piece, { stream: true }) : decoder.decode())
  } catch {
    return false
  }
}

function textType(head: string, fileName: string): FileType {
  // Content that a browser would run is no document, whatever its file name.
  if (/<(!doctype\s+html|html|svg|script)\b/i.test(head)) {
    return 'application/octet-stream'
  }
  if (/^(\xEF\xBB\xBF)?\s*<\?xml\b/.test(head)) {
    return 'application/xml'
  }
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase()
  if (extension === 'json' && /^(\xEF\xBB\xBF)?\s*[[{]/.test(head)) {
    return 'application/json'
  }
  return extension === 'csv' ? 'text/csv' : 'text/plain'
}

/** An archive of any kind, or what office programs make of one; with programs in it it is neither. */
function archiveType(tail: Uint8Array): FileType {
  const names = namesIn(tail)
  if (!names.includes('[Content_Types].xml')) {
    return 'application/zip'
  }
  if (names.some((name) => /vbaProject\.bin$/i.test(name))) {
    return 'application/octet-stream'
  }
  return OFFICE.find(([part]) => names.includes(part))?.[1] ?? 'application/zip'
}

const DIRECTORY_ENTRY = 0x02014b50
const END_OF_DIRECTORY = 'PK\x05\x06'

/** The names in the directory at the end of an archive; none where it is cut or larger than what was kept. */
function namesIn(tail: Uint8Array): string[] {
  const letters = new TextDecoder('latin1').decode(tail)
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  const end = letters.lastIndexOf(END_OF_DIRECTORY)
  if (end < 0 || end + 22 > tail.byteLength) {
    return []
  }
  const names: string[] = []
  let at = end - view.getUint32(end + 12, true)
  while (at >= 0 && at + 46 <= end && view.getUint32(at, true) === DIRECTORY_ENTRY) {
    const endOfName = at + 46 + view.getUint16(at + 28, true)
    names.push(letters.slice(at + 46, endOfName))
    // Behind the name stand more fields and a comment.
    at = endOfName + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return names
}
