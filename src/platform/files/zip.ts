import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

// A ZIP archive as a stream: members are stored as they are, one after the other, and what is known of each only
// at its end stands behind it. Without ZIP64: 4 GiB and 65,535 members at most.

export interface Member {
  /** Path within the archive. */
  name: string
  body: AsyncIterable<Uint8Array>
}

export interface Packed {
  name: string
  size: number
  /** Hexadecimal. */
  sha256: string
}

/** The entry of a member in the directory at the end. */
interface Listed {
  name: Uint8Array
  offset: number
  size: number
  crc: number
}

/** Sizes come behind the bytes; names are UTF-8. */
const FLAGS = 0x0808
const VERSION = 20

/**
 * The bytes of an archive. A member is asked for when all before it have been packed.
 * @param at what all members are stamped with
 */
export async function* zip(
  members: AsyncIterable<Member>,
  at: number,
  packed: (member: Packed) => void,
): AsyncGenerator<Uint8Array> {
  const listed: Listed[] = []
  const stamp = stampOf(at)
  let offset = 0
  for await (const { name, body } of members) {
    const member = { name: new TextEncoder().encode(name), offset, size: 0, crc: 0 }
    const hash = createHash('sha256')
    const header = localHeader(member, stamp)
    yield header
    for await (const chunk of body) {
      member.crc = crc32(chunk, member.crc)
      member.size += chunk.length
      hash.update(chunk)
      yield chunk
    }
    const descriptor = numbers([4, 0x08074b50], [4, member.crc], [4, member.size], [4, member.size])
    yield descriptor
    offset += header.length + member.size + descriptor.length
    listed.push(member)
    packed({ name, size: member.size, sha256: hash.digest('hex') })
  }
  const directory = listed.map((member) => directoryEntry(member, stamp))
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  yield* directory
  yield numbers(
    [4, 0x06054b50],
    [4, 0],
    [2, listed.length],
    [2, listed.length],
    [4, size],
    [4, offset],
    [2, 0],
  )
}

const localHeader = ({ name }: Listed, stamp: number): Uint8Array =>
  joined(
    numbers(
      [4, 0x04034b50],
      [2, VERSION],
      [2, FLAGS],
      [2, 0],
      [4, stamp],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    ),
    name,
  )

const directoryEntry = ({ name, offset, size, crc }: Listed, stamp: number): Uint8Array =>
  joined(
    numbers(
      [4, 0x02014b50],
      [2, VERSION],
      [2, VERSION],
      [2, FLAGS],
      [2, 0],
      [4, stamp],
      [4, crc],
      [4, size],
      [4, size],
      [2, name.length],
      [4, 0],
      [4, 0],
      [4, 0],
      [4, offset],
    ),
    name,
  )

/**
 * Unsigned numbers of 2 or 4 bytes, the least byte first.
 * @throws RangeError where one has no room: the archive would be damaged without a word
 */
function numbers(...fields: [bytes: 2 | 4, value: number][]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)))
  let at = 0
  for (const [bytes, value] of fields) {
    if (value >= 2 ** (8 * bytes)) {
      throw new RangeError(`${value} has no room in ${bytes} bytes of a ZIP archive`)
    }
    if (bytes === 2) {
      view.setUint16(at, value, true)
    } else {
      view.setUint32(at, value, true)
    }
    at += bytes
  }
  return new Uint8Array(view.buffer)
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

/** Time in the lower half, date in the upper, in UTC. */
function stampOf(at: number): number {
  const date = new Date(at)
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return day * 0x10000 + time
}
