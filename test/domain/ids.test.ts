import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressPattern,
  coreAfter,
  coreOf,
  idPattern,
  isId,
  newId,
  remainderId,
  renewedCore,
  risingRandom,
  stemOf,
  timeOf,
  exampleId,
} from '../../src/domain/ids.ts'

const anyTime = fc.nat(2 ** 48 - 1)
const anyRandom = fc.uint8Array({ minLength: 10, maxLength: 10 })
const zeros = new Uint8Array(10)

test.each([
  [0, zeros, 'acc_00000000000000000000000000'],
  [1, zeros, 'acc_00000000010000000000000000'],
  [2 ** 48 - 1, new Uint8Array(10).fill(255), 'acc_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  // The example of the ULID specification, 01ARYZ6S41TSV4RRFFQ69G5FAV, in lower case.
  [
    1469918176385,
    Uint8Array.of(0xd6, 0x76, 0x4c, 0x61, 0xef, 0xb9, 0x93, 0x02, 0xbd, 0x5b),
    'acc_01aryz6s41tsv4rrffq69g5fav',
  ],
])('an id made at %d has its time first and its random bits after', (time, random, id) => {
  expect(newId('acc', time, random)).toBe(id)
})

test('an id is well formed and carries time and random bits unchanged', () => {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  fc.assert(
    fc.property(anyTime, anyRandom, (time, random) => {
      const id = newId('txn', time, random)
      expect(isId('txn', id)).toBe(true)
      expect(id).toBe(`txn_${coreOf(id)}`)
      let bits = 0n
      for (const character of coreOf(id)) {
        bits = bits * 32n + BigInt(alphabet.indexOf(character))
      }
      expect(bits >> 80n).toBe(BigInt(time))
      random.forEach((byte, index) => {
        expect((bits >> BigInt(8 * (9 - index))) & 255n).toBe(BigInt(byte))
      })
    }),
  )
})

test('ids sort by time as text', () => {
  fc.assert(
    fc.property(anyTime, anyTime, anyRandom, anyRandom, (early, late, one, other) => {
      fc.pre(early < late)
      expect(newId('acc', early, one) < newId('acc', late, other)).toBe(true)
    }),
  )
})

test.each([-1, 2 ** 48, 0.5, Number.NaN])('an id cannot be made at %d', (time) => {
  expect(() => newId('acc', time, zeros)).toThrow(
    expect.objectContaining({ kind: 'internal', code: 'ids.wrongTime' }),
  )
})

test.each([0, 9, 11])('an id cannot be made of %d random bytes', (length) => {
  expect(() => newId('acc', 0, new Uint8Array(length))).toThrow(
    expect.objectContaining({ kind: 'internal', code: 'ids.wrongRandom' }),
  )
})

const own = 'acc_01aryz6s41tsv4rrffq69g5fav'

test.each([
  ...'acc acc_ null ..'.split(' '),
  '',
  coreOf(own),
  own.toUpperCase(),
  `${own} `,
  ` ${own}`,
  `${own}\n`,
  `${own}0`,
  own.slice(0, -1),
  `x${own}`,
  `${own},${own}`,
  `${own}/x`,
  own.replace('acc', 'txn'),
  own.replace('_', '-'),
  // More than 128 bits, and the four letters that the alphabet leaves out.
  own.replace('_0', '_8'),
  ...['i', 'l', 'o', 'u'].map((letter) => own.replace('9', letter)),
])('%j is no account id', (text) => {
  expect(isId('acc', text)).toBe(false)
  expect(idPattern('acc').test(text)).toBe(false)
})

test('the pattern of a prefix matches its ids', () => {
  expect(idPattern('acc').test(own)).toBe(true)
  expect(idPattern('acc').source).toBe('^acc_[0-7][0-9a-hjkmnp-tv-z]{25}$')
})

const core = coreOf(own)

/** What may stand behind a prefix. */
const ENDINGS = [
  ...[core, `${core}0`, core.slice(1), `8${core.slice(1)}`, core.toUpperCase(), `${core}\n`, ''],
  ...['admin', 'user', 'standard', 'administrator', 'x'],
  ...['-1', '-2', '-999999999999', '-1000000000000', '-0', '-01', '-x', '-', '-1-1', '-1 '].map(
    (ending) => core + ending,
  ),
  ...['_1', '_50000', '_0', '_01', '_'].map((ending) => core + ending),
]

const OF_LINES = [`${core}-1`, `${core}-2`, `${core}-999999999999`]

test.each([
  ['acc', [core]],
  ['rate', [core]],
  ['rol', [core, 'admin', 'user']],
  ['stc', [core, 'standard']],
  ['txn', [core, ...OF_LINES]],
  ['log', [core, ...OF_LINES]],
  ['spl', OF_LINES],
  ['irw', [`${core}_1`, `${core}_50000`]],
])('the address of a resource with the prefix %s has the form of its ids', (prefix, endings) => {
  const asked = ['acc', 'rate', 'rol', 'stc', 'txn', 'log', 'spl', 'irw', `x${prefix}`].flatMap(
    (one) => ENDINGS.map((ending) => `${one}_${ending}`),
  )
  const found = asked.filter((text) => addressPattern(prefix).test(text))
  expect(found.toSorted()).toEqual(endings.map((ending) => `${prefix}_${ending}`).toSorted())
})

test('an address of several kinds of resources has the form of one of them', () => {
  const pattern = addressPattern('acc', 'txn')
  const asked = [own, `txn_${core}-2`, `${own}-2`, `trf_${core}`, `${own}txn_${core}`, `${own}|txn`]
  expect(asked.filter((text) => pattern.test(text))).toEqual([own, `txn_${core}-2`])
})

test('an id tells when it was made, and nothing else does', () => {
  fc.assert(
    fc.property(anyTime, anyRandom, (time, random) => {
      expect(timeOf(newId('acc', time, random))).toBe(time)
    }),
  )
  expect(timeOf('acc_8zzzzzzzzzzzzzzzzzzzzzzzzz')).toBeUndefined()
})

test('a core comes so many after another, and the first after the last', () => {
  fc.assert(
    fc.property(anyTime, anyRandom, fc.bigInt(0n, 2n ** 128n), (time, random, by) => {
      const core = coreOf(newId('acc', time, random))
      const next = coreAfter(core, by)
      expect(isId('acc', `acc_${next}`)).toBe(true)
      expect(coreAfter(next, 2n ** 128n - by)).toBe(core)
    }),
  )
  expect(coreAfter('01aryz6s41tsv4rrffq69g5faz', 1n)).toBe('01aryz6s41tsv4rrffq69g5fb0')
  expect(coreAfter('7'.padEnd(26, 'z'), 1n)).toBe('0'.repeat(26))
})

test('a renewed core keeps the time and the order, and has nothing else of the other one', () => {
  fc.assert(
    fc.property(
      anyTime,
      anyRandom,
      fc.uint8Array({ minLength: 11, maxLength: 32 }),
      (time, random, fresh) => {
        const id = newId('acc', time, random)
        const renewed = `acc_${renewedCore(coreOf(id), fresh)}`
        expect(isId('acc', renewed)).toBe(true)
        expect(timeOf(renewed)).toBe(time)
        expect(stemOf(renewed)).toBe(stemOf(id))
        expect(renewedCore('0'.repeat(26), fresh).slice(15)).toBe(coreOf(renewed).slice(15))
      },
    ),
  )
  const bytes = Uint8Array.of(0, 31, 32, 255, 1, 2, 3, 4, 5, 6, 7)
  expect(renewedCore('01aryz6s41tsv4rrffq69g5fav', bytes)).toBe('01aryz6s41tsv4r0z0z1234567')
})

test('what a transaction leaves behind has an id that follows from its own', () => {
  const id = newId('trf', 0, zeros)
  expect(remainderId(id, null)).toBe(`txn_${coreOf(id)}`)
  expect(remainderId(id, 3)).toBe('txn_00000000000000000000000003')
})

test('the ids of examples are ids, and differ by kind and number', () => {
  const ids = ['acc', 'txn', 'trf'].flatMap((prefix) => [exampleId(prefix), exampleId(prefix, 2)])
  expect(ids.every((id) => isId(id.slice(0, 3), id))).toBe(true)
  // Those of an account and of its opening, too.
  expect(new Set(ids.map(coreOf)).size).toBe(ids.length)
})

test('ids of one millisecond sort as they are made, and so do their stems', () => {
  fc.assert(
    fc.property(anyTime, fc.array(anyRandom, { minLength: 2, maxLength: 50 }), (time, randoms) => {
      let last: Uint8Array | undefined
      const ids = randoms.map((random) => {
        last = risingRandom(last, random)
        return newId('acc', time, last)
      })
      expect(ids).toEqual(ids.toSorted())
      expect(new Set(ids.map(stemOf)).size).toBe(ids.length)
    }),
  )
})

test.each([
  ['the first one', undefined, 255, [0x7f, 255, 255, 255, 255, 255, 255, 255, 255, 255]],
  ['the smallest step', 0, 0, [0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0]],
  ['the largest step', 0, 255, [0, 0, 0, 255, 255, 255, 255, 255, 255, 255]],
  ['a carry', 127, 255, [127, 127, 128, 127, 127, 127, 127, 127, 127, 126]],
])('random bits rise: %s', (_, last, random, next) => {
  const before = last === undefined ? undefined : new Uint8Array(10).fill(last)
  expect([...risingRandom(before, new Uint8Array(10).fill(random))]).toEqual(next)
})
