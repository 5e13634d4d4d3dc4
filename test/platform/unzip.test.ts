import { expect, it } from 'vitest'
import { openMember, readDirectory, type ReadPart } from '../../src/platform/files/unzip.ts'
import { packed } from '../areas/backups/packing.ts'
import { deflated } from '../support/archives.ts'

const BOUNDS = { members: 10, bytes: 10_000, ratio: 200 }
const text = (value: string) => new TextEncoder().encode(value)
const FILES = { 'a.txt': text('one text'), empty: text(''), 'c/d.txt': text('another text') }

/** What is unpacked, or why it is not. */
async function unpacked(archive: Uint8Array, bounds: Parameters<typeof readDirectory>[2]) {
  // In pieces that end anywhere.
  const read: ReadPart = (offset, length) =>
    Promise.resolve(
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          const bytes = archive.slice(offset, offset + length)
          for (let at = 0; at < bytes.length; at += 7) {
            controller.enqueue(bytes.subarray(at, at + 7))
          }
          controller.close()
        },
      }),
    )
  const found: Record<string, string> = {}
  try {
    for (const member of await readDirectory(read, archive.length, bounds)) {
      const pieces = await Array.fromAsync(openMember(read, member))
      found[member.name] = Buffer.concat(pieces).toString()
    }
    return found
  } catch (error) {
    return (error as Error).constructor.name
  }
}

const DIRECTORY = Buffer.from([0x50, 0x4b, 1, 2])

it('takes an exact archive, and none whose members or headers have a flipped bit', async () => {
  const stored = Buffer.from(await packed(FILES))
  const tight = Buffer.from(deflated(FILES))
  // Behind the first header, the last bits of packed bytes say nothing.
  const cases = [
    [stored, stored.indexOf(DIRECTORY)],
    [tight, 30 + 'a.txt'.length],
  ] as const
  for (const [archive, end] of cases) {
    expect(await unpacked(archive, { ...BOUNDS, isExact: true })).toEqual({
      ...{ 'a.txt': 'one text', empty: '', 'c/d.txt': 'another text' },
    })
    for (let bit = 0; bit < end * 8; bit++) {
      const flipped = Uint8Array.from(archive)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const found = await unpacked(flipped, { ...BOUNDS, isExact: true })
      expect(found, `bit ${bit}`).toBe('BrokenZip')
    }
  }
})

it('takes bytes that belong to no member only where the archive need not be exact', async () => {
  const archive = Buffer.from(await packed(FILES))
  const directory = archive.indexOf(DIRECTORY)
  const withDirectoryAt = (bytes: Buffer, offset: number) => {
    bytes.writeUInt32LE(offset, bytes.length - 6)
    return bytes
  }
  const comment = Buffer.concat([archive, text('comment')])
  comment.writeUInt16LE(7, archive.length - 2)
  const gap = withDirectoryAt(
    Buffer.concat([archive.subarray(0, directory), text('gap'), archive.subarray(directory)]),
    directory + 3,
  )
  const behindDirectory = Buffer.concat([
    archive.subarray(0, -22),
    text('x'),
    archive.subarray(-22),
  ])
  for (const spoilt of [comment, Buffer.concat([archive, text('more')]), gap, behindDirectory]) {
    expect(Object.keys(await unpacked(spoilt, BOUNDS))).toHaveLength(3)
    expect(await unpacked(spoilt, { ...BOUNDS, isExact: true })).toBe('BrokenZip')
  }
})

const CONTROLS = [
  ...Array(32).keys(),
  0x7f,
  ...Array(32)
    .keys()
    .map((at) => 0x80 + at),
]

it.each([
  ...CONTROLS.map((code) => `a${String.fromCodePoint(code)}b`),
  ...['', '/a', 'C:a', 'a\\b', '..', 'a/../b', './a', 'a/.'],
])('takes no member with the name %j', async (name) => {
  expect(await unpacked(await packed({ [name]: text('x') }), BOUNDS)).toBe('BrokenZip')
})

it.each(['a b', '…', 'a..b', '..a/b', 'é/ü', '\u200b', 'ab:c'])(
  'takes a member with the name %j',
  async (name) => {
    expect(await unpacked(await packed({ [name]: text('x') }), BOUNDS)).toEqual({ [name]: 'x' })
  },
)
