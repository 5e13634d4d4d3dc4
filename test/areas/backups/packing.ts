import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { zip } from '../../../src/platform/zip.ts'

// Archives that are not as the service made them.

export type Files = Record<string, Uint8Array>

export async function packed(files: Files): Promise<Uint8Array> {
  const members = async function* () {
    for (const [name, bytes] of Object.entries(files)) {
      yield {
        name,
        body: (async function* () {
          yield bytes
        })(),
      }
    }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of zip(members(), 0, () => undefined)) {
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

export const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
export const bytes = (value: string) => new TextEncoder().encode(value)
const hashOf = (value: Uint8Array) => createHash('sha256').update(value).digest('hex')

/** The files with others in place of some, and a manifest that fits them. */
export function withManifest(
  files: Files,
  changed: Record<string, string>,
  more: object = {},
): Files {
  const all: Files = { ...files }
  const manifest = JSON.parse(text(files['manifest.json']))
  for (const [path, value] of Object.entries(changed)) {
    all[path] = bytes(value)
    const file = manifest.files.find((one: { path: string }) => one.path === path)
    file.sha256 = hashOf(all[path])
    file.size = all[path].length
    const list = path.replace(/\.ndjson$/, '')
    if (list in manifest.counts && path.startsWith('data/')) {
      manifest.counts[list] = value.split('\n').filter(Boolean).length
    }
  }
  delete manifest.contentHash
  return { ...all, 'manifest.json': bytes(JSON.stringify({ ...manifest, ...more })) }
}

/** A ZIP archive of deflated members. */
export function deflated(files: Files): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const data = deflateRawSync(content)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crcOf(content), 16)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt32LE(content.length, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(head, Buffer.from(name), data)
    directory.push(entry, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + data.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

function crcOf(content: Uint8Array): number {
  let crc = -1
  for (const byte of content) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
    }
  }
  return (crc ^ -1) >>> 0
}
