import { describe, expect, test } from 'vitest'
import { findTransfers } from '../../../src/domain/imports/transfers.ts'
import { runSteps } from '../../../src/domain/steps.ts'
import { type Booked, Books, row, type RowSketch } from './books.fixtures.ts'

const SAVINGS = {
  id: 'savings',
  name: 'Rainy days',
  currency: 'EUR',
  iban: 'DE02120300000000202051',
}
const BOX = { id: 'box', name: 'Holiday box', currency: 'EUR' }
const DOLLARS = { id: 'dollars', name: 'US', currency: 'USD', lastFour: '9876' }

const out = (more: RowSketch = {}) => row('2026-03-20', '-500.00', 'x', more)
const into = (more: RowSketch = {}) =>
  row('2026-03-20', '500.00', 'y', { accountId: 'savings', ...more })

/** What is said of a row that leaves the account, where the other half is stored on the savings account. */
function besideStored(stored: Partial<Booked>, sketch: RowSketch = out()) {
  const books = new Books(SAVINGS, DOLLARS, BOX)
  const { date = '2026-03-20', minor = 50_000, text = '', ...more } = stored
  books.type(date, minor, text, { accountId: 'savings', ...more })
  return books.preview([sketch]).decisions[0]
}

describe('what a transfer weighs', () => {
  const labelled = { category: ['Food'] }

  test.each<[string, Partial<Booked>, RowSketch, number, string[]]>([
    ['amount and day', {}, out(labelled), 0.6, ['sameAmount', 'sameDay']],
    ['no category on either', {}, out(), 0.7, ['sameAmount', 'sameDay', 'uncategorised']],
    [
      ...(['2 days apart', { date: '2026-03-18' }, out()] as const),
      ...([0.674, ['sameAmount', 'closeDays', 'uncategorised']] as const),
    ],
    [
      ...(['7 days apart', { date: '2026-03-27' }, out()] as const),
      ...([0.609, ['sameAmount', 'uncategorised']] as const),
    ],
    [
      ...(['14 days apart, and called so', { date: '2026-04-03', text: 'Umbuchung' }] as const),
      ...([out(), 0.668, ['sameAmount', 'mentionsTransfer', 'uncategorised']] as const),
    ],
    [
      ...(['the name of the other account', { text: 'from everyday' }, out(labelled)] as const),
      ...([0.75, ['sameAmount', 'sameDay', 'mentionsAccount']] as const),
    ],
    [
      ...(['its name in the row of the file', {}] as const),
      ...([out({ description: 'To RAINY DAYS', ...labelled }), 0.75] as const),
      ['sameAmount', 'sameDay', 'mentionsAccount'],
    ],
    [
      ...(['its number', {}, out({ counterAccount: 'DE02 1203 0000 0000 2020 51' })] as const),
      ...([1, ['sameAmount', 'sameDay', 'uncategorised', 'counterIban']] as const),
    ],
    [
      ...(['its number, beside the name of a third account', {}] as const),
      ...([out({ counterAccount: 'DE02120300000000202051', description: 'holiday box' })] as const),
      ...([1, ['sameAmount', 'sameDay', 'uncategorised', 'counterIban']] as const),
    ],
  ] as [string, Partial<Booked>, RowSketch, number, string[]][])(
    '%s',
    (_, stored, sketch, score, reasons) => {
      expect(besideStored(stored, sketch)).toEqual({
        ...{ at: 0, verdict: 'transfer', matchedId: 't1', score, reasons, isOnlyOne: true },
      })
    },
  )

  test.each<[string, Partial<Booked>, RowSketch?]>([
    ['8 days apart', { date: '2026-03-28' }],
    ['15 days apart, whatever it is called', { date: '2026-04-04', text: 'transfer' }],
    ['another amount', { minor: 50_001 }],
    ['the same direction', { minor: -50_000 }],
    ['the same account', { accountId: 'main' }],
    ['an account of another currency', { accountId: 'dollars' }],
    ['a transfer already', { otherAccountId: 'else' }],
    ['deleted', { state: 'inTrash' }],
    ['the source tells of another account', {}, out({ transferAccountId: 'dollars' })],
    ['the name of a third account', {}, out({ description: 'transfer to holiday box' })],
    ['pending', {}, out({ pending: true })],
  ])('%s: none', (_, stored, sketch) => {
    expect(besideStored(stored, sketch)?.verdict).toBe('new')
  })
})

describe('pairs', () => {
  test('each half once, the best first', () => {
    const books = new Books(SAVINGS)
    books.type('2026-03-21', 50_000, '', { accountId: 'savings' })
    books.type('2026-03-20', 50_000, '', { accountId: 'savings' })
    const { decisions } = books.preview([out(), { ...out(), text: 'z', description: 'z' }])
    expect(decisions.map(({ matchedId }) => matchedId)).toEqual(['t2', 't1'])
  })

  test('another one that is left makes it less than certain', () => {
    const books = new Books(SAVINGS)
    books.type('2026-03-21', 50_000, '', { accountId: 'savings' })
    books.type('2026-03-20', 50_000, '', { accountId: 'savings' })
    expect(books.preview([out()]).decisions).toMatchObject([{ matchedId: 't2', isOnlyOne: false }])
  })

  test('equal halves pair in order', () => {
    const { decisions } = new Books(SAVINGS).preview([out(), out(), into(), into()])
    expect(decisions.map(({ partnerAt, isOnlyOne }) => [partnerAt, isOnlyOne])).toEqual([
      ...[2, 3, 0, 1].map((at) => [at, true]),
    ])
  })

  test('a stored half and a row that comes in', () => {
    const books = new Books(SAVINGS)
    books.import([out({ counterAccount: SAVINGS.iban })])
    expect(books.preview([into()]).decisions).toMatchObject([{ matchedId: 't1', score: 1 }])
  })

  test('a row that is matched is no half of another', () => {
    const books = new Books(SAVINGS)
    books.type('2026-03-20', -50_000, 'x marks')
    const { decisions } = books.preview([out({ description: 'marks' }), into()])
    expect(decisions).toMatchObject([
      { verdict: 'matched', matchedId: 't1' },
      { verdict: 'transfer', matchedId: 't1' },
    ])
  })

  test('an account that is not among those given has no half', () => {
    const stray = { accountId: 'unknown', transactionId: 't1', date: '2026-03-20', minor: 50_000 }
    const halves = [{ ...stray, text: '', isUncategorised: true }]
    const known = { id: 'main', name: 'Everyday', currency: 'EUR' }
    expect(runSteps(findTransfers([], halves, [known]))).toEqual([])
    // Two rows of the file know their currency by themselves.
    const both = [out(), { ...into(), accountId: 'unknown' }]
    expect(new Books(SAVINGS).preview(both).counts.transfer).toBe(2)
  })
})

describe('between currencies', () => {
  const exchanged = out({ original: { amount: '-540.00', currency: 'USD' } })
  const dollars = (amount: string, more: RowSketch = {}) =>
    row('2026-03-20', amount, 'y', { accountId: 'dollars', currency: 'USD', ...more })

  test('where the row names the other amount', () => {
    const books = new Books(DOLLARS)
    books.type('2026-03-21', 54_000, '', { accountId: 'dollars' })
    expect(books.preview([exchanged]).decisions).toMatchObject([
      { verdict: 'transfer', matchedId: 't1', isOnlyOne: false },
    ])
    const both = new Books(DOLLARS).preview([exchanged, dollars('540.00')])
    expect(both.decisions).toMatchObject([{ partnerAt: 1 }, { partnerAt: 0 }])
  })

  test('once, where both name it', () => {
    const other = dollars('540.00', { original: { amount: '500.00', currency: 'EUR' } })
    const { decisions } = new Books(DOLLARS).preview([exchanged, other])
    expect(decisions).toMatchObject([{ partnerAt: 1 }, { partnerAt: 0 }])
  })

  test.each(['541.00', '-540.00'])('not with %s', (amount) => {
    const { counts } = new Books(DOLLARS).preview([exchanged, dollars(amount)])
    expect(counts).toMatchObject({ new: 2, transfer: 0 })
  })
})

describe('transfers that the source tells', () => {
  const toldOut = out({ transferAccountId: 'savings' })
  const toldInto = into({ transferAccountId: 'main' })

  test('by what both halves share, whatever their dates', () => {
    const pair = (sketch: RowSketch, key: string): RowSketch => ({
      ...sketch,
      transfer: { account: '', pair: key },
    })
    const later = { ...toldInto, date: '2026-03-25' }
    const { decisions } = new Books(SAVINGS).preview([
      ...[pair(toldOut, 'a'), pair(toldOut, 'b'), pair(later, 'b'), pair(later, 'a')],
    ])
    expect(decisions.map(({ partnerAt }) => partnerAt)).toEqual([3, 2, 1, 0])
  })

  test('by what both share where no account is named', () => {
    const told = (sketch: RowSketch): RowSketch => ({
      ...sketch,
      transfer: { account: '', pair: 'p' },
    })
    const books = new Books(SAVINGS, DOLLARS)
    const arrived = row('2026-03-20', '540.00', 'z', { accountId: 'dollars' })
    const payment = row('2026-03-20', '-9.00', 'w')
    const { decisions } = books.preview([told(out()), told(payment), told(arrived)])
    expect(decisions.map(({ partnerAt }) => partnerAt)).toEqual([2, undefined, 0])
    // Nothing is moved from an account to itself.
    const same = books.preview([told(out()), told({ ...payment, amount: '500.00' })])
    expect(same.decisions.map(({ verdict }) => verdict)).toEqual(['new', 'new'])
  })

  test('a part of a row is half of one', () => {
    const split = row('2026-03-20', '-600.00', 'split', {
      parts: [{ amount: '-100.00' }, { amount: '-500.00' }],
      partAccountIds: [undefined, 'savings'],
    })
    expect(new Books(SAVINGS).preview([split, toldInto]).decisions).toEqual([
      { at: 0, verdict: 'new' },
      { at: 1, verdict: 'transfer', isStated: true, partnerAt: 0, partnerPart: 1 },
    ])
  })

  test('a part and its other half may share a key', () => {
    const part = { amount: '-500.00', pair: 'p' }
    const split = row('2026-03-20', '-600.00', 'split', {
      parts: [part, { amount: '-100.00' }],
      partAccountIds: ['savings', undefined],
    })
    const other = { ...toldInto, date: '2026-03-24', transfer: { account: '', pair: 'p' } }
    expect(new Books(SAVINGS).preview([split, other]).decisions[1]).toMatchObject({
      ...{ partnerAt: 0, partnerPart: 0 },
    })
  })

  test('a part and its other half join, whichever of them is known', () => {
    const twice = row('2026-03-20', '-900.00', 'split', {
      parts: [{ amount: '-500.00' }, { amount: '-400.00' }],
      partAccountIds: ['savings', 'savings'],
    })
    const second = row('2026-03-20', '400.00', 'y', {
      ...{ accountId: 'savings', transferAccountId: 'main' },
    })
    const whole = new Books(SAVINGS)
    whole.import([twice])
    expect(whole.preview([twice, toldInto]).decisions[1]).toEqual({
      ...{ at: 1, verdict: 'transfer', isStated: true, matchedId: 't1', partnerPart: 0 },
    })
    const others = new Books(SAVINGS)
    others.import([second, toldInto])
    const [first] = others.preview([twice, second, toldInto]).decisions
    expect(first).toMatchObject({ verdict: 'new' })
    expect(first?.partMatches?.toSorted((a, b) => a.part - b.part)).toEqual([
      { part: 0, matchedId: 't2' },
      { part: 1, matchedId: 't1' },
    ])
  })

  test('the other half of a row that is known joins it', () => {
    const books = new Books(SAVINGS)
    books.import([toldOut])
    expect(books.preview([toldOut, toldInto]).decisions).toEqual([
      { at: 0, verdict: 'duplicate', reason: 'sameRow', matchedId: 't1' },
      { at: 1, verdict: 'transfer', isStated: true, matchedId: 't1' },
    ])
  })

  test('the other half of one that was erased is a row of its own', () => {
    const books = new Books(SAVINGS)
    books.import([toldOut])
    books.drop('t1', 'erased')
    expect(books.preview([toldOut, toldInto]).decisions[1]).toEqual({ at: 1, verdict: 'new' })
  })

  test('the half that we made when the first file came is matched, not doubled', () => {
    const books = new Books(SAVINGS)
    books.import([toldOut])
    books.type('2026-03-20', 50_000, '', { accountId: 'savings', otherAccountId: 'main' })
    expect(books.preview([toldInto]).decisions).toMatchObject([
      { verdict: 'matched', matchedId: 't2', score: 0.95 },
    ])
  })
})
