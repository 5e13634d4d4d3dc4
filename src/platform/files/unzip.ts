import { crc32 } from 'node:zlib'

// ZIP archives that somebody sends: nothing in them is believed before it was compared. Without ZIP64 and encryption.

/** Reads a part of an archive. */
export type ReadPart = (offset: number, length: number) => Promise<ReadableStream<Uint8Array>>

export interface ZipMember {
  name: string
  /** The offset of its header. */
  offset: number
  /** Unpacked. */
  size: number
  packedSize: number
  crc: number
  isDeflated: boolean
  /** The latest possible end. It is the start of the directory; in an exact archive, the start of the next part. */
  end: number
  /** The fields that the header before the bytes must repeat; only in an exact archive. */
  listed: Uint8Array | undefined
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
  /** True if all its bytes must belong to something: no comments, no gaps, and no contradicting repetitions. */
  isExact?: true
}

const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const LOCAL_HEADER_BYTES = 30
const ENTRY_BYTES = 46
/** The fields that both headers of a member have, from its version to the length of its name. */
const LISTED_BYTES = 24
/** Behind the bytes of a member whose flags say so. */
const DESCRIPTOR_BYTES = 16
/** In the flags of a member: its sizes stand behind its bytes. */
const HAS_DESCRIPTOR = 8

/** Reads the members that the directory at the end lists, in the order of their places in the archive. */
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
  if (!bounds.isExact) {
    return members.map((member) => ({ ...member, listed: undefined }))
  }
  const isWhole =
    endAt + END_BYTES === tail.length &&
    offset + length === tailAt + endAt &&
    end.getUint16(8, true) === count &&
    (members[0]?.offset ?? offset) === 0
  if (!isWhole) {
    throw new BrokenZip('It has bytes that belong to no member.')
  }
  return members.map((member, at) => ({ ...member, end: members[at + 1]?.offset ?? offset }))
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
      listed: joined(
        directory.subarray(at + 6, at + 6 + LISTED_BYTES),
        directory.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength),
      ),
    })
    at = next
  }
  if (at !== directory.length) {
    throw new BrokenZip('Its directory is damaged.')
  }
  return members.toSorted((one, other) => one.offset - other.offset)
}

/** A name that leads out of the folder into which it would be unpacked, or that no system can have. */
const STRAY_NAME = /^$|^\/|^[a-z]:|[\\\p{Cc}]|(?:^|\/)\.{1,2}(?:\/|$)/iu

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
export async function* openMember(read: ReadPart, member: ZipMember): AsyncGenerator<Uint8Array> {
  const { name, offset, size, packedSize, crc, isDeflated, end, listed } = member
  const broken = () => new BrokenZip(`The member ${name} is damaged.`)
  const nameLength = listed ? listed.length - LISTED_BYTES : 0
  if (offset + LOCAL_HEADER_BYTES + nameLength + packedSize > end) {
    throw broken()
  }
  const header = await bytesOf(read, offset, LOCAL_HEADER_BYTES + nameLength)
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  if (view.getUint32(0, true) !== 0x04034b50 || (listed && !isSameHeader(header, listed))) {
    throw broken()
  }
  const start = offset + LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
  const rest = end - start - packedSize
  if (rest < 0 || (listed && rest > DESCRIPTOR_BYTES)) {
    throw broken()
  }
  const behind = new Uint8Array(listed ? rest : 0)
  const found = { size: 0, crc: 0 }
  if (packedSize + behind.length > 0) {
    const packed = cutOff(await read(start, packedSize + behind.length), packedSize, behind)
    const unpacked =
      isDeflated && packedSize > 0
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
      // The unpacking raises a TypeError for damaged bytes.
      throw error instanceof TypeError ? broken() : error
    }
  }
  if (found.size !== size || found.crc !== crc) {
    throw broken()
  }
  if (listed && !isDescriptor(behind, member, listed)) {
    throw broken()
  }
}

/** The first bytes of a stream; what follows them is put aside. */
function cutOff(
  stream: ReadableStream<Uint8Array>,
  length: number,
  behind: Uint8Array,
): ReadableStream<Uint8Array> {
  let at = 0
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const kept = chunk.subarray(0, Math.max(0, length - at))
      if (kept.length < chunk.length) {
        behind.set(chunk.subarray(kept.length), at + kept.length - length)
      }
      if (kept.length > 0) {
        controller.enqueue(kept)
      }
      at += chunk.length
    },
  })
  return behind.length > 0 ? stream.pipeThrough(cut) : stream
}

/**
 * True if the header before the bytes agrees with the directory. Sizes that come behind the bytes may be zero there.
 */
function isSameHeader(header: Uint8Array, listed: Uint8Array): boolean {
  const localFields = joined(
    header.subarray(4, 4 + LISTED_BYTES),
    header.subarray(LOCAL_HEADER_BYTES),
  )
  const isLater = hasDescriptor(listed) && localFields.subarray(10, 22).every((byte) => byte === 0)
  return localFields.every((byte, at) => byte === listed[at] || (isLater && at >= 10 && at < 22))
}

/** True if a member's sizes are repeated behind its bytes when its flags say so, and nothing is there otherwise. */
function isDescriptor(
  behind: Uint8Array,
  { crc, packedSize, size }: ZipMember,
  listed: Uint8Array,
) {
  const numbers = hasDescriptor(listed) ? [0x08074b50, crc, packedSize, size] : []
  const view = new DataView(behind.buffer)
  return (
    behind.length === numbers.length * 4 &&
    numbers.every((number, at) => view.getUint32(at * 4, true) === number)
  )
}

const hasDescriptor = (listed: Uint8Array): boolean => ((listed[2] ?? 0) & HAS_DESCRIPTOR) !== 0

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
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
