import { errorTable } from './errors.ts'

/** Crockford's base 32 in lower case: no i, l, o or u, and in the order of ASCII. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 128 bits; the first character carries three of them. */
const CORE_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}'
const CORE_LENGTH = 26
const MAX_EPOCH_MS = 2 ** 48 - 1
const RANDOM_BYTES = 10

const errors = errorTable('ids', {
  wrongTime: ['internal', 'The time of an id does not fit into 48 bits.'],
  wrongRandom: ['internal', 'An id needs exactly 10 random bytes.'],
})

/**
 * A prefixed ULID (https://github.com/ulid/spec) in lower case: `acc_` and 26 characters, which are
 * 48 bits of time in milliseconds and 80 random bits. Ids of one prefix sort by time as text; within a
 * millisecond they do if their random bits rise.
 */
export function newId(prefix: string, epochMs: number, random: Uint8Array): string {
  if (!Number.isInteger(epochMs) || epochMs < 0 || epochMs > MAX_EPOCH_MS) {
    throw errors.wrongTime()
  }
  if (random.length !== RANDOM_BYTES) {
    throw errors.wrongRandom()
  }
  const half = RANDOM_BYTES / 2
  const core =
    digits(epochMs, 10) +
    digits(numberOf(random.subarray(0, half)), 8) +
    digits(numberOf(random.subarray(half)), 8)
  return `${prefix}_${core}`
}

/**
 * Random bits above the last ones, by 2^55 and 55 random bits: ids of one millisecond sort in the order in which they are made, as
 * their stems rise, and none can be distinguished from another. There is room for eight million in a millisecond.
 * @param random 10 bytes
 */
export function risingRandom(last: Uint8Array | undefined, random: Uint8Array): Uint8Array {
  const by = bitsIn(random)
  if (!last) {
    return random.with(0, by.getUint8(0) & 0x7f)
  }
  const from = bitsIn(last)
  const low = from.getBigUint64(2) + ((2n ** 55n) | BigInt.asUintN(55, by.getBigUint64(2)))
  const next = new Uint8Array(RANDOM_BYTES)
  bitsIn(next).setUint16(0, from.getUint16(0) + Number(low >> 64n))
  bitsIn(next).setBigUint64(2, low)
  return next
}

const bitsIn = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, RANDOM_BYTES)

/** Reads at most six bytes as a number: more do not fit. */
const numberOf = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0)

function digits(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) {
    text = ALPHABET.charAt(rest % 32) + text
  }
  return text
}

/** For schemas: matches exactly the ids with this prefix. The prefix is lower-case letters. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_${CORE_PATTERN}$`)
}

/**
 * The forms of ids that have something other than a core, or something behind it: ids of the service's own rows, and
 * numbers of lines.
 */
const OTHER_FORMS: Record<string, string> = {
  rol: `(?:${CORE_PATTERN}|admin|user)`,
  stc: `(?:${CORE_PATTERN}|standard)`,
  txn: `${CORE_PATTERN}(?:-[1-9][0-9]{0,11})?`,
  log: `${CORE_PATTERN}(?:-[1-9][0-9]{0,11})?`,
  spl: `${CORE_PATTERN}-[1-9][0-9]{0,11}`,
  irw: `${CORE_PATTERN}_[1-9][0-9]{0,11}`,
}

/** For schemas: matches what addresses a resource of one of these prefixes, whether it exists or not. */
export const addressPattern = (...prefixes: string[]): RegExp =>
  new RegExp(
    `^(?:${prefixes.map((one) => `${one}_${OTHER_FORMS[one] ?? CORE_PATTERN}`).join('|')})$`,
  )

export function isId(prefix: string, text: string): boolean {
  return idPattern(prefix).test(text)
}

/** The 26 characters after the prefix of an id. */
export function coreOf(id: string): string {
  return id.slice(-CORE_LENGTH)
}

const CORE_BITS = (1n << 128n) - 1n

const bitsOf = (core: string): bigint =>
  [...core].reduce((bits, digit) => (bits << 5n) | BigInt(ALPHABET.indexOf(digit)), 0n)

/** The core that comes so many after another; after the last one comes the first. */
export function coreAfter(core: string, by: bigint): string {
  let text = ''
  for (let rest = (bitsOf(core) + by) & CORE_BITS; text.length < CORE_LENGTH; rest >>= 5n) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text
  }
  return text
}

/** The time, and 25 random bits: renewed ids sort as those that they replace, also those of one millisecond. */
const STEM_LENGTH = 15

/** The first characters of an id, which stay when its core is renewed. */
export const stemOf = (id: string): string => coreOf(id).slice(0, STEM_LENGTH)

/**
 * A core with the stem of another one, and 55 new random bits.
 * @param random at least 11 bytes
 */
export const renewedCore = (core: string, random: Uint8Array): string =>
  core.slice(0, STEM_LENGTH) +
  [...random.subarray(0, CORE_LENGTH - STEM_LENGTH)]
    .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    .join('')

/** The id of the transaction that follows from another row: the opening balance of an account, or what an erased transfer leaves. */
export const transactionIdFrom = (id: string): string => `txn_${coreOf(id)}`

/** The id of the transfer that a single transaction becomes a leg of, or that left it behind. */
export const transferIdFrom = (id: string): string => `trf_${coreOf(id)}`

/**
 * The id of what a transaction leaves on another account when its own account is erased.
 * @param part the line of the part that was on that account; null where the whole was
 */
export const remainderId = (id: string, part: number | null): string =>
  `txn_${coreAfter(coreOf(id), BigInt(part ?? 0))}`

/** The milliseconds since 1970 that an id was made at; undefined of what is no id. */
export function timeOf(id: string): number | undefined {
  const core = new RegExp(`_(${CORE_PATTERN})$`).exec(id)?.[1]
  if (core === undefined) {
    return undefined
  }
  return Number(bitsOf(core) >> BigInt(8 * RANDOM_BYTES))
}

/** Kinds whose ids are made of those of others have cores of their own: that of an opening is of its account. */
const FAMILIES: Record<string, string> = { txn: 'd', spl: 'd', trf: 'e', val: 'f' }

/**
 * The id of a thing of the demo data, so that what the description gives as an example works there.
 * @param nth which of its kind, from 1 to 11
 */
export const exampleId = (prefix: string, nth = 1): string =>
  `${prefix}_01k9v3q8m5t0w2x4y6z8a1b3${FAMILIES[prefix] ?? 'c'}${(4 + nth).toString(16)}`
