import known from './known.json' with { type: 'json' }

// Passwords that lists of leaked ones hold, as fingerprints: each is a number below their count times 131,072, and
// what is stored are the differences of the sorted numbers, Golomb-Rice coded. One of 131,072 other texts is taken for a
// known one.

/** Bits of a difference that are written as they are. */
export const PLAIN_BITS = 17

/** Words that passwords are made of. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(known.words.split(' '))

/** FNV-1a in 32 bits, twice with different beginnings, below a bound. */
export function fingerprintOf(text: string, count: number): number {
  let one = 0x811c9dc5
  let two = 0x01000193
  for (const byte of new TextEncoder().encode(text)) {
    one = Math.imul(one ^ byte, 0x01000193)
    two = Math.imul(two ^ byte, 0x85ebca6b)
  }
  const mixed =
    (Math.imul(one ^ (one >>> 15), 0x2c1b3c6d) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35)) >>> 0
  return Math.floor((mixed / 2 ** 32) * count * 2 ** PLAIN_BITS)
}

let decoded: Set<number> | undefined

export function isKnownPassword(bare: string): boolean {
  decoded ??= decode()
  return decoded.has(fingerprintOf(bare, known.count))
}

/** On first use, as a start must be quick. */
function decode(): Set<number> {
  const bytes = Buffer.from(known.hashes, 'base64')
  const numbers = new Set<number>()
  let at = 0
  const bit = () => {
    const value = (bytes.readUInt8(at >> 3) >> (7 - (at & 7))) & 1
    at += 1
    return value
  }
  let last = 0
  for (let read = 0; read < known.count; read++) {
    let difference = 0
    while (bit() === 1) {
      difference += 1
    }
    for (let plain = 0; plain < PLAIN_BITS; plain++) {
      difference = difference * 2 + bit()
    }
    last += difference
    numbers.add(last)
  }
  return numbers
}
