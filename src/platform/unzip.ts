import { crc32 } from 'node:zlib'

// ZIP archives that somebody sends: nothing in them is believed before it was compared. Without ZIP64 and encryption.

/** Reads a part of an archive. */
export type ReadPart = (offset: number, length: number) => Promise<ReadableStream<Uint8Array>>

export interface ZipMember {
  name: string
  /** Of its header. */
  offset: number
  /** Unpacked. */
  size: number
  packedSize: number
  crc: number
  isDeflated: boolean
  /** Where members end, and the directory begins. */
  end: number
}

/** An archive that is no ZIP archive, or a damaged one. */
export class BrokenZip extends Error {}

/** An archive that is beyond its bounds. */
export class TooLargeZip extends BrokenZip {}

export interface ZipBounds {
  members: number
  bytes: number
  /** Unpacked bytes for each packed one. */
  ratio: number
}

const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const LOCAL_HEADER_BYTES = 30
const ENTRY_BYTES = 46

/** What the directory at the end lists, in the order of its places in the archive. */
export async function readDirectory(
  read: ReadPart,
  size: number,
  bounds: ZipBounds,
): Promise<ZipMember[]> {
  const tailAt = Math.max(0, size - END_BYTES - LONGEST_COMMENT)
  const tail = await bytesOf(read, tailAt, size - tailAt)
  const endAt = lastIndexOfEnd(tail)
  if (endAt === undefined) {
    throw new BrokenZip('It is no ZIP archive.')
  }
  const end = new DataView(tail.buffer, tail.byteOffset + endAt)
  const [count, length, offset] = [
    end.getUint16(10, true),
    end.getUint32(12, true),
    end.getUint32(16, true),
  ]
  if (end.getUint32(4, true) !== 0 || offset + length > tailAt + endAt) {
    throw new BrokenZip('Its directory does not fit.')
  }
  if (count > bounds.members) {
    throw new TooLargeZip(`It has more than ${bounds.members} members.`)
  }
  const members = membersIn(await bytesOf(read, offset, length), count, offset)
  requireBounds(members, offset, bounds)
  return members
}

function lastIndexOfEnd(tail: Uint8Array): number | undefined {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) === 0x06054b50) {
      return at
    }
  }
  return undefined
}

function membersIn(directory: Uint8Array, count: number, end: number): ZipMember[] {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength)
  const members: ZipMember[] = []
  let at = 0
  while (members.length < count) {
    if (at + ENTRY_BYTES > directory.length || view.getUint32(at, true) !== 0x02014b50) {
      throw new BrokenZip('Its directory is damaged.')
    }
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
    const nameLength = view.getUint16(at + 28, true)
    const next =
      at + ENTRY_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if ((flags & 1) !== 0 || ![0, 8].includes(method) || next > directory.length) {
      throw new BrokenZip('A member is encrypted, or packed in a way that is not supported.')
    }
    members.push({
      name: nameOf(directory.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength)),
      offset: view.getUint32(at + 42, true),
      size: view.getUint32(at + 24, true),
      packedSize: view.getUint32(at + 20, true),
      crc: view.getUint32(at + 16, true),
      isDeflated: method === 8,
      end,
    })
    at = next
  }
  return members.toSorted((one, other) => one.offset - other.offset)
}

/** A name that leads out of the folder into which it would be unpacked, or that no system can have. */
const STRAY_NAME = /^$|^\/|^[a-z]:|[\\\0]|(?:^|\/)\.{1,2}(?:\/|$)/i

function nameOf(bytes: Uint8Array): string {
  let name: string
  try {
    name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BrokenZip('The name of a member is not UTF-8.')
  }
  if (STRAY_NAME.test(name)) {
    throw new BrokenZip(
      `The name of the member ${JSON.stringify(name.slice(0, 100))} is a path that is not allowed.`,
    )
  }
  return name
}

/** Members that share bytes, or unpack to far more than they are, would make much work of a small file. */
function requireBounds(members: ZipMember[], directoryAt: number, bounds: ZipBounds): void {
  let free = 0
  for (const { name, offset, packedSize, size } of members) {
    if (offset < free) {
      throw new BrokenZip(`The member ${name} overlaps another one.`)
    }
    if (size > (packedSize + LOCAL_HEADER_BYTES) * bounds.ratio) {
      throw new TooLargeZip(`The member ${name} is packed too tightly.`)
    }
    free = offset + LOCAL_HEADER_BYTES + packedSize
  }
  if (free > directoryAt || new Set(members.map(({ name }) => name)).size < members.length) {
    throw new BrokenZip('Its members do not fit, or two have the same name.')
  }
  if (members.reduce((sum, { size }) => sum + size, 0) > bounds.bytes) {
    throw new TooLargeZip(`It unpacks to more than ${bounds.bytes} bytes.`)
  }
}

/** The unpacked bytes of a member. @throws BrokenZip at the end at the latest, unless they are what the directory says */
export async function* openMember(
  read: ReadPart,
  { name, offset, size, packedSize, crc, isDeflated, end }: ZipMember,
): AsyncGenerator<Uint8Array> {
  const broken = () => new BrokenZip(`The member ${name} is damaged.`)
  const header = await bytesOf(read, offset, LOCAL_HEADER_BYTES)
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  if (view.getUint32(0, true) !== 0x04034b50) {
    throw broken()
  }
  const start = offset + LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + packedSize > end) {
    throw broken()
  }
  const found = { size: 0, crc: 0 }
  if (packedSize > 0) {
    const packed = await read(start, packedSize)
    const unpacked = isDeflated
      ? packed.pipeThrough(new DecompressionStream('deflate-raw'))
      : packed
    try {
      for await (const chunk of unpacked) {
        found.size += chunk.byteLength
        found.crc = crc32(chunk, found.crc)
        if (found.size > size) {
          throw broken()
        }
        yield chunk
      }
    } catch (error) {
      // What the unpacking says of damaged bytes.
      throw error instanceof TypeError ? broken() : error
    }
  }
  if (found.size !== size || found.crc !== crc) {
    throw broken()
  }
}

async function bytesOf(read: ReadPart, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let filled = 0
  if (length > 0) {
    for await (const chunk of await read(offset, length)) {
      bytes.set(chunk.subarray(0, length - filled), filled)
      filled += chunk.byteLength
    }
  }
  if (filled < length) {
    throw new BrokenZip('It ends too early.')
  }
  return bytes
}
