import { describe, expect, test } from 'vitest'
import { bankKeysOf, identifier, identitiesAs } from '../../../src/domain/imports/identity.ts'
import { foldText } from '../../../src/domain/matching/texts.ts'
import { hash, row, type RowSketch, settle } from './books.fixtures.ts'

const identify = (...sketches: RowSketch[]) => identifier(hash).identify(settle(sketches))
const ofx = (id: string) => ({ bankId: { scheme: 'ofx', id } })

describe('folding', () => {
  test.each([
    ['Coffee  SHOP', 'coffee shop'],
    ['  a \t\n b\u0000c ', 'a b c'],
    ['trailing ', 'trailing'],
    ['ＣＯＦＦＥＥ Ünal', 'coffee ünal'],
    ['ﬁnance\u00a0now', 'finance now'],
    ['', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
    expect(foldText(folded)).toBe(folded)
  })
})

describe('the identity of a row without a bank id', () => {
  const base = row('2026-03-01', '-3.00', 'Coffee')

  test('is that of its date, amount, currency, text and occurrence', () => {
    const [own, again] = identify(base, base)
    expect(own?.byText).toMatch(/^f[\w-]{22}$/)
    expect(own).toEqual({ byText: own?.byText, occurrence: 1 })
    expect(again?.occurrence).toBe(2)
    expect(again?.byText).not.toBe(own?.byText)
    const others = [
      { ...base, date: '2026-03-02' },
      { ...base, amount: '-3.01' },
      { ...base, currency: 'USD' },
      { ...base, text: 'Tea' },
    ].map((other) => identify(other)[0]?.byText)
    expect(new Set([own?.byText, ...others]).size).toBe(5)
  })

  test('does not change with case, white space and what is not in it', () => {
    const [own] = identify(base)
    const same = { text: ' COFFEE ', payeeRaw: 'Café', category: ['Food'], balance: '5.00' }
    expect(identify({ ...base, ...same })[0]).toEqual(own)
  })

  test('ignored rows have none, and do not count', () => {
    const [none, first] = identify({ ...base, ignored: 'pending' }, base)
    expect(none).toBeUndefined()
    expect(first).toEqual(identify(base)[0])
  })

  test('rows with errors are told apart by all their cells', () => {
    const broken = { ...row('2026-03-01', '1.234', 'x'), raw: { Date: '1.3.', Amount: '1,234' } }
    const [one, twin, other] = identify(broken, broken, { ...broken, raw: { Amount: '1,235' } })
    expect(new Set([one?.byText, twin?.byText, other?.byText]).size).toBe(3)
    expect(twin?.occurrence).toBe(2)
    expect(identify({ ...broken, ...ofx('7') })[0]?.byId).toBeUndefined()
  })
})

describe('the identity of a row with a bank id', () => {
  const base = row('2026-03-01', '-3.00', 'Coffee', ofx('77'))

  test('is that of its scheme, id, date, amount and occurrence', () => {
    const [own, again] = identify(base, base)
    expect(own?.byId).toMatch(/^b[\w-]{22}$/)
    expect(own?.byId).not.toBe(again?.byId)
    expect(own?.bankKey).toBe(again?.bankKey)
    expect(own?.bankKey).toBe(bankKeysOf(hash, [{ scheme: 'ofx', id: '77' }])[0])
    expect(identify({ ...base, text: 'Tea' })[0]?.byId).toBe(own?.byId)
    const others = [
      { ...base, ...ofx('78') },
      { ...base, bankId: { scheme: 'camt', id: '77' } },
      { ...base, date: '2026-03-02' },
      { ...base, amount: '-3.01' },
    ].map((other) => identify(other)[0]?.byId)
    expect(new Set([own?.byId, ...others]).size).toBe(5)
  })

  test('by text, it has the id in it', () => {
    const [own, other] = identify(base, { ...base, ...ofx('78') })
    expect(own?.byText).not.toBe(other?.byText)
  })

  test('an empty id is none', () => {
    expect(identify({ ...base, ...ofx(' ') })[0]?.byId).toBeUndefined()
  })
})

test('occurrences count across pieces, per account', () => {
  const file = identifier(hash)
  const base = row('2026-03-01', '-3.00', 'Coffee')
  const [first] = file.identify(settle([base]))
  const [second] = file.identify(settle([base]))
  const [other] = file.identify(settle([{ ...base, accountId: 'other' }]))
  expect([first?.occurrence, second?.occurrence, other?.occurrence]).toEqual([1, 2, 1])
  expect(other?.byText).toBe(first?.byText)
  expect(file.has('main', second?.byText ?? '')).toBe(true)
  expect(file.has('other', second?.byText ?? '')).toBe(false)
})

test('a row that is booked beside its twin has the identity of the next occurrence', () => {
  const base = row('2026-03-01', '-3.00', 'Coffee')
  const withId = { ...base, ...ofx('77') }
  const [plain] = settle([base])
  const [known] = settle([withId])
  const [, second] = identify(base, base)
  const [, secondOfId] = identify(withId, withId)
  expect(plain && identitiesAs(hash, plain, 2)).toEqual([second?.byText])
  expect(known && identitiesAs(hash, known, 2)).toEqual([secondOfId?.byText, secondOfId?.byId])
})
