import { describe, expect, test } from 'vitest'
import { areComplete } from '../../../src/domain/imports/counts.ts'
import { Books, row, verdicts } from './books.fixtures.ts'

const WHOLE_MARCH = [{ accountId: 'main', from: '2026-03-01', through: '2026-03-31' }]

describe('two coffees, overlapping files', () => {
  const coffee = (date: string) => row(date, '-3.00', 'Coffee')
  const fileA = [coffee('2026-03-15')]
  const fileB = [coffee('2026-03-15'), coffee('2026-03-15'), coffee('2026-03-16')]

  test('adds the union, and nothing the second time', () => {
    const books = new Books()
    expect(verdicts(books.import(fileA))).toEqual(['new'])
    expect(books.balance()).toBe(-300)
    const second = books.import(fileB)
    expect(verdicts(second)).toEqual(['duplicate', 'new', 'new'])
    expect(second.decisions[0]).toEqual({
      ...{ at: 0, verdict: 'duplicate', reason: 'sameRow', matchedId: 't1' },
    })
    expect(books.booked).toHaveLength(3)
    expect(books.balance()).toBe(-900)
    expect(books.import(fileB).counts).toMatchObject({ rows: 3, new: 0, duplicate: 3 })
    expect(books.import(fileA).counts).toMatchObject({ rows: 1, new: 0, duplicate: 1 })
  })

  test('counts occurrences across pieces', () => {
    const books = new Books()
    books.import(fileA)
    expect(verdicts(books.import(fileB, { piece: 1 }))).toEqual(['duplicate', 'new', 'new'])
  })

  test('counts them for each account', () => {
    const books = new Books({ id: 'other', name: 'Other', currency: 'EUR' })
    const other = row('2026-03-15', '-3.00', 'Coffee', { accountId: 'other' })
    expect(verdicts(books.import([...fileA, other]))).toEqual(['new', 'new'])
    expect(books.import([other]).counts.duplicate).toBe(1)
  })
})

test('daily interest is not swallowed by that of the month before', () => {
  const books = new Books()
  books.import([row('2026-07-31', '1.23', 'INTEREST')])
  const days = [1, 2, 3, 4, 5, 6, 7].map((day) => row(`2026-08-0${day}`, '1.23', 'INTEREST'))
  const coverage = [{ accountId: 'main', from: '2026-08-01', through: '2026-08-31' }]
  expect(books.import(days, { coverage }).counts).toMatchObject({ new: 7, matched: 0 })
  expect(books.booked).toHaveLength(8)
})

describe('renamed, and typed', () => {
  const stored = (payeeId?: string) => {
    const books = new Books()
    books.import([
      row('2026-03-10', '-20.00', 'CARD 1234 AMAZON'),
      row('2026-03-11', '-20.00', 'AMAZON'),
    ])
    books.type('2026-03-12', -950, 'Lunch', payeeId === undefined ? {} : { payeeId })
    return books
  }
  const file = (payeeId?: string) => [
    row('2026-03-10', '-20.00', 'AMZN Mktp DE'),
    row('2026-03-11', '-20.00', 'AMAZON'),
    row('2026-03-14', '-9.50', 'TRATTORIA ROMA', payeeId === undefined ? {} : { payeeId }),
  ]

  test('only what the file does not tell of is matched', () => {
    const { decisions } = stored().import(file(), { coverage: WHOLE_MARCH })
    expect(decisions).toEqual([
      {
        ...{ at: 0, verdict: 'matched', matchedId: 't1', score: 0.75 },
        reasons: ['sameAmount', 'sameDay', 'renamed'],
      },
      { at: 1, verdict: 'duplicate', reason: 'sameRow', matchedId: 't2' },
      {
        ...{ at: 2, verdict: 'new', suggestedMatchId: 't3', score: 0.59 },
        reasons: ['sameAmount', 'closeDays'],
      },
    ])
  })

  test('a payee in common makes it a match', () => {
    const { decisions } = stored('pay_roma').import(file('pay_roma'), { coverage: WHOLE_MARCH })
    expect(decisions[2]).toEqual({
      ...{ at: 2, verdict: 'matched', matchedId: 't3', score: 0.74 },
      reasons: ['sameAmount', 'closeDays', 'samePayee'],
    })
  })

  test('the same file again changes nothing', () => {
    const books = stored('pay_roma')
    books.import(file('pay_roma'), { coverage: WHOLE_MARCH })
    const again = books.import(file('pay_roma'), { coverage: WHOLE_MARCH })
    expect(again.counts).toMatchObject({ duplicate: 3 })
    expect(books.booked).toHaveLength(3)
  })
})

test('pending with a tip: neither posted row eats the pending one', () => {
  const books = new Books()
  books.import([row('2026-05-02', '-50.00', 'LA PIAZZA', { pending: true })])
  const file = [row('2026-05-04', '-57.50', 'LA PIAZZA NY'), row('2026-05-03', '-50.00', 'FUEL')]
  const { decisions } = books.import(file)
  expect(decisions[0]).toMatchObject({ verdict: 'new', suggestedMatchId: 't1' })
  expect(decisions[0]?.reasons).toContain('sameText')
  expect(decisions[1]).toEqual({
    ...{ at: 1, verdict: 'new', suggestedMatchId: 't1', score: 0.62 },
    reasons: ['sameAmount', 'closeDays'],
  })
})

describe('reused ids', () => {
  const ofx = (id: string, amount: string, text: string) =>
    row('2026-03-10', amount, text, { bankId: { scheme: 'ofx', id }, format: 'ofx' })
  const file = [ofx('77', '-100.00', 'HOTEL'), ofx('77', '-3.00', 'FOREIGN FEE')]

  test('are not trusted: both rows are booked, once', () => {
    const books = new Books()
    const first = books.import(file)
    expect(first.counts).toMatchObject({ rows: 2, new: 2 })
    expect(first.outcome.reused).toEqual([{ accountId: 'main', scheme: 'ofx', ids: ['77'] }])
    expect(books.balance()).toBe(-10_300)
    expect(books.identities.map(({ identity }) => identity[0])).toEqual(['f', 'f'])
    expect(books.import(file).counts).toMatchObject({ new: 0, duplicate: 2 })
  })

  test('are found out by what is stored, and what was stored by the id stays known', () => {
    const books = new Books()
    books.import(file.slice(0, 1))
    const second = books.import(file.slice(1))
    expect(second.decisions).toEqual([{ at: 0, verdict: 'new', warnings: ['idReused'] }])
    expect(second.outcome.reused).toMatchObject([{ ids: ['77'] }])
    expect(books.identities.map(({ identity }) => identity[0])).toEqual(['b', 'f'])
    expect(books.import(file).counts).toMatchObject({ new: 0, duplicate: 2 })
  })
})

describe('transfers across files', () => {
  const savings = {
    id: 'savings',
    name: 'Rainy days',
    currency: 'EUR',
    iban: 'DE02 1203 0000 0000',
  }
  const out = row('2026-03-20', '-500.00', 'SAVE', { counterAccount: 'DE02120300000000' })
  const into = row('2026-03-22', '500.00', 'INCOMING', { accountId: 'savings' })

  test('the second half is a transfer', () => {
    const books = new Books(savings)
    expect(verdicts(books.import([out]))).toEqual(['new'])
    expect(books.import([into]).decisions).toEqual([
      {
        ...{ at: 0, verdict: 'transfer', matchedId: 't1', score: 0.974, isOnlyOne: true },
        reasons: ['sameAmount', 'closeDays', 'uncategorised', 'counterIban'],
      },
    ])
    expect(books.balance() + books.balance('savings')).toBe(0)
  })

  test('both halves within one import', () => {
    const { decisions } = new Books(savings).import([out, into])
    expect(decisions).toMatchObject([
      { verdict: 'transfer', partnerAt: 1, score: 0.974 },
      { verdict: 'transfer', partnerAt: 0, score: 0.974 },
    ])
  })
})

describe('QIF, both sides', () => {
  const savings = { id: 'savings', name: 'Savings', currency: 'EUR' }
  const out = row('2026-02-14', '-200.00', 'x', { transferAccountId: 'savings' })
  const into = row('2026-02-14', '200.00', 'y', {
    ...{ accountId: 'savings', transferAccountId: 'main' },
  })

  test('are two transfers, not four', () => {
    const { decisions } = new Books(savings).import([out, out, into, into])
    expect(decisions).toEqual([
      { at: 0, verdict: 'transfer', isStated: true, partnerAt: 2 },
      { at: 1, verdict: 'transfer', isStated: true, partnerAt: 3 },
      { at: 2, verdict: 'transfer', isStated: true, partnerAt: 0 },
      { at: 3, verdict: 'transfer', isStated: true, partnerAt: 1 },
    ])
  })

  test('a third line in one section alone is a transfer of its own', () => {
    const { decisions } = new Books(savings).import([out, out, into, into, into])
    expect(decisions.slice(0, 4).map(({ verdict }) => verdict)).toEqual(
      Array.from({ length: 4 }, () => 'transfer'),
    )
    expect(decisions[4]).toEqual({ at: 4, verdict: 'new' })
  })
})

test('every row is accounted for', () => {
  const books = new Books()
  const known = [1, 2, 3].map((day) => row(`2026-03-0${day}`, '-1.00', `known ${day}`))
  books.import(known)
  books.type('2026-03-12', -950, 'Lunch at Roma')
  const { counts } = books.import(
    [
      ...known,
      ...[1, 2, 3, 4, 5].map((day) => row(`2026-03-2${day}`, `-${day}.00`, `shop ${day}`)),
      row('2026-03-12', '-9.50', 'LUNCH'),
      row('2026-03-01', '100.00', 'Opening balance', { ignored: 'opening' }),
      row('2026-03-25', '12.345', 'too precise'),
      row('2026-02-25', '-5.00', 'in a locked month'),
    ],
    { lockedThrough: '2026-02-28' },
  )
  expect(counts).toEqual({
    ...{ rows: 12, new: 5, duplicate: 3, matched: 1, updated: 0, transfer: 0 },
    ...{ ignored: 1, locked: 1, error: 1, skipped: 0 },
  })
  expect(areComplete(counts)).toBe(true)
})
