import { describe, expect, it } from 'vitest'
import { flowOf } from '../../src/domain/account-flows.ts'
import { accountsMoved } from '../../src/domain/comparing.ts'
import { rateBetween } from '../../src/domain/exchange.ts'
import { addressOf, isLegOfPart, kindAt, legIdOf } from '../../src/domain/ledger-ids.ts'
import {
  type Entry,
  type Leg,
  partTransferOf,
  singleEntries,
  type Split,
} from '../../src/domain/ledger.ts'

const CORE = '01k9v3q8m5t0w2x4y6z8a1b3c5'
const DATE = '2026-11-20'

const leg = (wanted: Partial<Leg> = {}): Leg => ({
  ...{ accountId: 'one', ownerId: 'usr', currency: 'EUR', status: 'cleared', externalId: null },
  ...wanted,
})

const part = (amountMinor: number, more: Partial<Split> = {}): Split => ({
  ...{ amountMinor, categoryId: null, note: null },
  ...more,
})

const to = (amountMinor: number, wanted: Partial<Leg> = {}, line?: number): Partial<Split> => ({
  transfer: {
    ...(line === undefined ? {} : { line }),
    leg: leg({ accountId: 'two', status: 'pending', externalId: 'bank', ...wanted }),
    amountMinor,
    payeeRaw: null,
  },
})

const entriesOf = (
  kind: 'expense' | 'income',
  signedMinor: number,
  splits: Split[],
  lastLine?: number,
) =>
  singleEntries({
    ...{ kind, leg: leg(), date: DATE, signedMinor, categoryId: null, splits },
    ...(lastLine === undefined ? {} : { lastLine }),
  })

const told = (entries: Entry[]) =>
  entries.map((entry) => {
    const { line, accountId, side, amountMinor, pair } = entry
    const { counterAccountId, flowMinor } = flowOf(entries, entry)
    return [line, accountId, side, amountMinor, pair, counterAccountId, flowMinor]
  })

describe('a part that is a transfer', () => {
  it('leaves an expense, and arrives on the other account', () => {
    const entries = entriesOf('expense', -3700, [
      part(700),
      part(3000, { ...to(3000), categoryId: 'cat', note: 'Cash' }),
    ])
    expect(told(entries)).toEqual([
      [1, 'one', 'account', -3700, null, null, null],
      [2, 'one', 'expense', 700, null, null, null],
      [3, 'one', 'exchange', 3000, null, 'two', -3000],
      [4, 'two', 'account', 3000, 3, null, null],
      [5, 'two', 'exchange', -3000, 3, 'one', 3000],
    ])
    expect(
      entries.map(({ status, categoryId, note, externalId }) => [
        status,
        categoryId,
        note,
        externalId,
      ]),
    ).toEqual([
      ['cleared', null, null, null],
      ['cleared', null, null, null],
      ['cleared', 'cat', 'Cash', null],
      ['pending', null, null, 'bank'],
      ['pending', 'cat', null, null],
    ])
  })

  it('comes from the other account where it is against an expense, or with an income', () => {
    const yen = { currency: 'JPY' }
    const against = entriesOf('expense', -100, [part(200), part(-100, to(16_200, yen))])
    expect(told(against).slice(2)).toEqual([
      [3, 'one', 'exchange', -100, null, 'two', 100],
      [4, 'two', 'account', -16_200, 3, null, null],
      [5, 'two', 'exchange', 16_200, 3, 'one', -16_200],
    ])
    const earned = entriesOf('income', 100, [part(60), part(40, to(40))])
    expect(told(earned).slice(2)).toEqual([
      [3, 'one', 'exchange', -40, null, 'two', 40],
      [4, 'two', 'account', -40, 3, null, null],
      [5, 'two', 'exchange', 40, 3, 'one', -40],
    ])
  })

  it('keeps its lines, and gets new ones behind all that there were', () => {
    const kept = [
      part(5, { line: 3, ...to(5, {}, 4) }),
      part(6, to(6)),
      part(7, { line: 2, ...to(7) }),
    ]
    const lines = told(entriesOf('expense', -18, kept, 9)).map(([line, , side, , pair]) => [
      line,
      side,
      pair,
    ])
    expect(lines).toEqual([
      [1, 'account', null],
      [3, 'exchange', null],
      [10, 'exchange', null],
      [2, 'exchange', null],
      ...[
        [4, 'account', 3],
        [5, 'exchange', 3],
      ],
      ...[
        [11, 'account', 10],
        [12, 'exchange', 10],
      ],
      ...[
        [13, 'account', 2],
        [14, 'exchange', 2],
      ],
    ])
  })

  it('is told by its lines', () => {
    const entries = entriesOf('expense', -300, [part(100), part(200, to(200))])
    const parts = [2, 3].map((line) => partTransferOf(entries, { line }))
    expect(parts).toEqual([
      undefined,
      {
        line: 4,
        leg: leg({ accountId: 'two', status: 'pending', externalId: 'bank' }),
        amountMinor: 200,
        payeeRaw: null,
      },
    ])
  })

  it('is an adjustment where its other account is no more', () => {
    const entries = entriesOf('income', 300, [part(100), part(200, { isLeft: true })])
    expect(entries.map(({ side }) => side)).toEqual(['account', 'income', 'adjustment'])
  })
})

it('tells the accounts of which the money changes', () => {
  const before = entriesOf('expense', -300, [part(100), part(200, to(200))])
  const of = (splits: Split[]) => accountsMoved(before, entriesOf('expense', -300, splits))
  expect(of([part(100, { categoryId: 'cat' }), part(200, { ...to(200), note: 'x' })])).toEqual([])
  expect(of([part(100), part(200, to(200, { status: 'cleared' }))])).toEqual(['two'])
  expect(of([part(100), part(200)])).toEqual(['one', 'two'])
  expect(of([part(100), part(200, to(200, { accountId: 'three' }))])).toEqual(['two', 'three'])
})

it('addresses the other side of a part by the id of the whole and its line', () => {
  expect(addressOf(`txn_${CORE}-2`)).toEqual({ transactionId: `trf_${CORE}`, line: 2 })
  expect(addressOf(`txn_${CORE}-3`)).toEqual({ transactionId: `txn_${CORE}`, line: 3 })
  expect(addressOf(`txn_${CORE}-104`)).toEqual({ transactionId: `txn_${CORE}`, line: 104 })
  expect([1, 2, 3].map(isLegOfPart)).toEqual([false, false, true])
  expect([kindAt(1, 'expense'), kindAt(4, 'expense')]).toEqual(['expense', 'transfer'])
  expect(legIdOf(`txn_${CORE}`, kindAt(4, 'income'), 4)).toBe(`txn_${CORE}-4`)
})

it('gives the rate between two amounts, half to even', () => {
  const rate = (minor: number, currency: string, other: number, of: string) =>
    rateBetween({ minor, currency }, { minor: other, currency: of })
  expect(rate(10_000, 'EUR', 16_200, 'JPY')).toBe('162')
  expect(rate(300, 'EUR', 100, 'USD')).toBe('0.333333333333')
  expect(rate(1, 'JPY', 1_000, 'BHD')).toBe('1')
})
