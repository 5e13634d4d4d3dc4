import { describe, expect, test } from 'vitest'
import { chooseRate, oldestRate, type RateOn } from '../../../src/domain/exchange.ts'
import { convertAmounts, type ReportAmount } from '../../../src/domain/reports/amounts.ts'
import { type CashAmount, cashFlowOf } from '../../../src/domain/reports/cash-flow.ts'
import {
  dayOfCell,
  type KeptCell,
  type Pooling,
  takeOff,
} from '../../../src/domain/reports/cells.ts'
import { percentOf, savingsRate } from '../../../src/domain/reports/percent.ts'
import { byTotal, NONE, OTHER, rowsOf, upToLimit } from '../../../src/domain/reports/rows.ts'

/** Dollars have rates from 2026-01-05 on. */
const rateOn: RateOn = (currency, day) =>
  day < '2026-01-05' || currency !== 'USD'
    ? undefined
    : chooseRate(
        [{ from: 'USD', to: 'EUR', date: day < '2026-02-01' ? '2026-01-05' : day, rate: '0.8' }],
        'USD',
        'EUR',
        'EUR',
      )

const amount = (day: string, minor: bigint, more: Partial<ReportAmount> = {}): ReportAmount => ({
  ...{ accountId: 'a', currency: 'USD', day, side: 'spent', categoryId: 'food' },
  ...{ isExcluded: false, minor, ...more },
})

describe('percent', () => {
  test.each([
    [1n, 8n, '12.5'],
    [1n, 16n, '6.2'],
    [3n, 16n, '18.8'],
    [-1n, 3n, '-33.3'],
    [1n, -3n, '-33.3'],
    [-1n, -3n, '33.3'],
    [0n, 5n, '0.0'],
    [1n, 2000n, '0.0'],
    [3n, 2000n, '0.2'],
    [1n, 0n, null],
  ])('%d of %d are %s', (part, whole, text) => {
    expect(percentOf(part, whole)).toBe(text)
  })

  test('of nothing earned nothing is saved', () => {
    expect([savingsRate(0n, 5n), savingsRate(-1n, 0n), savingsRate(1111n, 3804n)]).toEqual([
      null,
      null,
      '-242.4',
    ])
  })
})

describe('converted amounts', () => {
  test('share the rounded amount of their cell, and tell what has no rate', () => {
    const all = [
      ...[amount('2026-01-05', 1n), amount('2026-01-05', 1n), amount('2026-01-05', 1n)],
      amount('2026-01-05', 7n, { currency: 'EUR' }),
      amount('2026-01-06', 10n, { categoryId: '' }),
      ...[amount('2026-01-03', 5n), amount('2026-01-02', 4n, { side: 'earned' })],
      amount('2026-01-01', 9n, { isExcluded: true }),
      amount('2026-01-02', 3n, { accountId: '0', currency: 'GBP' }),
      amount('2026-01-04', 1n, { accountId: '0', currency: 'GBP' }),
      amount('2026-01-03', 2n, { accountId: 'b', currency: 'GBP' }),
    ]
    const { amounts, unconverted, rated } = convertAmounts(all, 'EUR', rateOn)
    expect(amounts.map(({ minor }) => minor)).toEqual([7n, 1n, 1n, 0n, 8n])
    expect(unconverted.all()).toEqual([
      {
        ...{ accountId: '0', currency: 'GBP', from: '2026-01-02', to: '2026-01-04' },
        minors: new Map([['spent', 4n]]),
      },
      {
        ...{ accountId: 'a', currency: 'USD', from: '2026-01-02', to: '2026-01-03' },
        minors: new Map([
          ['spent', 5n],
          ['earned', 4n],
        ]),
      },
      {
        ...{ accountId: 'b', currency: 'GBP', from: '2026-01-03', to: '2026-01-03' },
        minors: new Map([['spent', 2n]]),
      },
    ])
    const sums = rated.map(({ currency, day, minor }) => [currency, day, minor])
    expect(sums).toEqual([
      ['USD', '2026-01-05', 3n],
      ['USD', '2026-01-06', 10n],
    ])
    expect(oldestRate(rated)).toBe('2026-01-05')
    expect(oldestRate([{ chosen: undefined }])).toBeNull()
  })

  test('name the oldest rate, whatever comes first', () => {
    const days = ['2026-02-05', '2026-01-05', '2026-02-06']
    const asOf = (some: string[]) =>
      oldestRate(
        convertAmounts(
          some.map((day) => amount(day, 1n)),
          'EUR',
          rateOn,
        ).rated,
      )
    expect([asOf(days), asOf(days.toReversed()), asOf([])]).toEqual([
      ...['2026-01-05', '2026-01-05', null],
    ])
  })

  test('stay as they are without a currency', () => {
    const all = [amount('2026-01-01', 1n)]
    const { amounts, unconverted } = convertAmounts(all, undefined, rateOn)
    expect([amounts, unconverted.all()]).toEqual([all, []])
  })
})

describe('rows', () => {
  const named = new Map([
    ['living', { name: 'Living', parentId: null }],
    ['food', { name: 'food', parentId: 'living' }],
    ['rent', { name: 'Rent', parentId: 'living' }],
    ['fees', { name: 'Fees', parentId: null }],
  ])
  const of = (key: string, minor: bigint, period = 0, currency = 'EUR') => ({
    ...{ key, minor, period, currency },
  })
  const all = [
    ...[of('rent', 10n), of('food', 3n), of('food', 2n, 1), of(NONE, 1n), of('living', 4n)],
    ...[of('fees', 20n), of('fees', 9n, 0, 'USD'), of('gone', 0n)],
  ]

  test('add up to those above, in the order of their paths', () => {
    const rows = rowsOf(all, named, 2)
    expect(rows.map(({ key, depth, path }) => [key, depth, path.join(' ')])).toEqual([
      ['fees', 1, 'Fees'],
      ['living', 1, 'Living'],
      ['food', 2, 'Living food'],
      ['rent', 2, 'Living Rent'],
      ['gone', 1, ''],
      [NONE, 1, ''],
    ])
    expect(rows[1]?.byCurrency.get('EUR')).toEqual({
      ...{ own: 4n, total: 19n },
      periods: [
        { own: 4n, total: 17n },
        { own: 0n, total: 2n },
      ],
    })
  })

  test('the largest come first, and those beyond the limit are one', () => {
    const rows = byTotal(rowsOf(all, named, 2), 'EUR')
    const totals = rows.map(({ key, byCurrency }) => [key, byCurrency.get('EUR')?.total])
    expect(totals).toEqual([
      ['fees', 20n],
      ['living', 19n],
      ['rent', 10n],
      ['food', 5n],
      [NONE, 1n],
      ['gone', 0n],
    ])
    expect(byTotal(rowsOf(all, named, 2), 'USD')[0]?.key).toBe('fees')
    const few = upToLimit(rows, 2, all, 2)
    expect(few.map(({ key }) => key)).toEqual(['fees', 'living', OTHER])
    expect(few[2]?.byCurrency.get('EUR')).toEqual({
      ...{ own: 16n, total: 16n },
      periods: [
        { own: 14n, total: 14n },
        { own: 2n, total: 2n },
      ],
    })
    expect(upToLimit(rows, 6, all, 2)).toEqual(rows)
  })

  test('of the same name are in the order of their keys', () => {
    const same = new Map([...'ba'].map((key) => [key, { name: 'X', parentId: null }]))
    expect(rowsOf([of('b', 1n), of('a', 1n)], same, 1).map(({ key }) => key)).toEqual(['a', 'b'])
    expect(rowsOf([of('a', 1n), of('b', 1n)], same, 1).map(({ key }) => key)).toEqual(['a', 'b'])
  })
})

describe('cells', () => {
  const cell = (period: string, minor: bigint, lines: number, accountId = 'a'): KeptCell => ({
    ...{ accountId, currency: 'EUR', period, flow: 'expense', categoryId: '' },
    ...{ counterAccountId: '', minor, lines },
  })
  const line = (day: string, minor: bigint, accountId = 'a') => {
    const { period: _, ...one } = cell('', minor, 1, accountId)
    return { ...one, day }
  }
  const kept: Pooling = {
    ...{ isPooled: () => false, by: 'span', from: '2026-01-05' },
  }

  test('lose the lines that are taken off, and vanish with the last one', () => {
    const cells = [cell('2026-01', -9n, 2), cell('2026-02-05', -4n, 1)]
    const taken = [line('2026-01-07', -3n), line('2026-02-05', -4n), line('2026-03-01', -1n)]
    expect(takeOff(cells, taken, kept)).toEqual([cell('2026-01', -6n, 1)])
    expect(takeOff(cells, [], kept)).toEqual(cells)
    expect(cells.map(dayOfCell)).toEqual(['2026-01-01', '2026-02-05'])
  })

  const isPooled = (id: string) => id === 'own'

  test.each([
    [kept, ['own', '2026-01'], ['own', '2026-02-03']],
    [{ ...kept, isPooled, by: 'month' }, ['', '2026-01'], ['', '2026-02-03']],
    [{ ...kept, isPooled, by: 'span' }, ['', '2026-01-05'], ['', '2026-01-05']],
  ] as const)('of own accounts are joined as they are read', (pooling, first, second) => {
    const places = [
      ['2026-01-07', first],
      ['2026-02-03', second],
    ] as const
    for (const [day, [accountId, period]] of places) {
      const cells = [cell(period, -9n, 2, accountId)]
      expect(takeOff(cells, [line(day, -4n, 'own')], pooling)).toEqual([
        cell(period, -5n, 1, accountId),
      ])
    }
    // Accounts of others have cells of their own.
    const others = [cell('2026-01', -9n, 1)]
    expect(takeOff(others, [line('2026-01-07', -9n)], pooling)).toEqual([])
  })
})

describe('cash flow', () => {
  const flow = (
    day: string,
    side: CashAmount['side'],
    minor: bigint,
    more: Partial<CashAmount> = {},
  ): CashAmount => ({ ...amount(day, minor, more), side })
  const periods = [
    { from: '2026-01-01', to: '2026-01-31' },
    { from: '2026-02-01', to: '2026-02-28' },
  ]
  const flows = [
    flow('2026-01-10', 'in', 100n),
    flow('2026-01-10', 'exchange', -50n),
    flow('2026-01-10', 'exchange', 40n, { accountId: 'b', currency: 'EUR' }),
    flow('2026-02-10', 'out', -5n, { accountId: 'b', currency: 'EUR' }),
    flow('2026-03-01', 'out', -7n),
  ]
  const opening = [
    { accountId: 'a', currency: 'USD', minor: 10n },
    { accountId: 'b', currency: 'EUR', minor: 0n },
    { accountId: 'c', currency: 'USD', minor: 0n },
  ]

  test('closes in each currency', () => {
    const { byCurrency } = cashFlowOf({ periods, opening, flows, into: undefined, rateOn })
    const zero = { otherAccounts: 0n, adjustments: 0n }
    expect(byCurrency.get('USD')).toEqual([
      { ...zero, opening: 10n, in: 100n, out: 0n, exchange: -50n, closing: 60n },
      { ...zero, opening: 60n, in: 0n, out: 0n, exchange: 0n, closing: 60n },
    ])
    expect(byCurrency.get('EUR')?.map(({ closing }) => closing)).toEqual([40n, 35n])
  })

  test('converted, rates explain the rest, and what has no rate is told', () => {
    const found = cashFlowOf({ periods, opening, flows, into: 'EUR', rateOn })
    expect(found.byCurrency.get('EUR')).toMatchObject([
      { opening: 0n, in: 80n, exchange: 8n, closing: 88n },
      { opening: 88n, out: -5n, exchange: 0n, closing: 83n },
    ])
    expect(found.unconverted.all()).toMatchObject([
      { accountId: 'a', from: '2025-12-31', to: '2025-12-31' },
    ])
  })

  test('of no accounts is zero', () => {
    const none = { periods, opening: [], flows: [], into: 'EUR', rateOn }
    expect(cashFlowOf(none).byCurrency.get('EUR')?.[0]?.closing).toBe(0n)
  })
})
