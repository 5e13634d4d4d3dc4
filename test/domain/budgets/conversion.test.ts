import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Counted, convertSums } from '../../../src/domain/budgets/conversion.ts'
import { type ChosenRate, convert, shareOutConverted } from '../../../src/domain/exchange.ts'
import { formatMoney, sum } from '../../../src/domain/money.ts'
import { cents, ratesFrom, table, text } from './budget.fixtures.ts'

const rateOn = ratesFrom([
  { from: 'USD', to: 'EUR', date: '2026-06-01', rate: '0.85' },
  { from: 'EUR', to: 'JPY', date: '2026-06-01', rate: '160' },
  { from: 'USD', to: 'EUR', date: '2026-06-10', rate: '0.875' },
  { from: 'EUR', to: 'JPY', date: '2026-06-20', rate: '165' },
])

const rateIs = (rate: string): ChosenRate => {
  const found = ratesFrom([{ from: 'USD', to: 'EUR', date: '2026-06-01', rate }])(
    'USD',
    '2026-06-01',
  )
  if (!found) {
    throw new Error(`No rate ${rate}.`)
  }
  return found
}

const counted = (day: string, amount: string, currency: string, key = 'food'): Counted => ({
  period: 5,
  day,
  currency,
  key,
  categoryId: '',
  minor: cents(amount, currency),
})

const totalIn = (list: readonly Counted[], period = 5, key = 'food') =>
  convertSums(list, 'EUR', rateOn).sums.get(period)?.get(key)

describe('one line in June', () => {
  const days = table(`
    | 2026-06-03 | 15.05 | USD | direct | 2026-06-01 | 12.7925 | 12.79 |
    | 2026-06-10 | 0.02 | USD | direct | 2026-06-10 | 0.0175 | 0.02 |
    | 2026-06-12 | 3332 | JPY | inverse | 2026-06-01 | 20.825 | 20.82 |
    | 2026-06-21 | 1000 | JPY | inverse | 2026-06-20 | 6.060606 | 6.06 |
    | 2026-06-15 | 12.00 | EUR |  |  |  | 12.00 |
  `) as [string, string, string, string, string, string, string][]

  test.each(days)('%s: %s %s', (day, spent, currency, path, rateDate, _exactly, inBudget) => {
    expect(text(totalIn([counted(day, spent, currency)]) ?? 0)).toBe(inBudget)
    const rate = rateOn(currency, day)
    expect([rate?.path, rate?.date]).toEqual([path || 'same', rateDate || undefined])
  })

  test('sums up to 51.69, without what has no rate', () => {
    const purchases = days.slice(1).map(([day, spent, currency]) => counted(day, spent, currency))
    const { sums, unconverted, ratesAsOf } = convertSums(
      [
        ...purchases,
        counted('2026-06-03', '20.05', 'USD'),
        counted('2026-06-03', '-5.00', 'USD'),
        counted('2026-06-18', '2.500', 'BHD'),
      ],
      'EUR',
      rateOn,
    )
    expect(text(sums.get(5)?.get('food') ?? 0)).toBe('51.69')
    expect(unconverted).toEqual([
      {
        period: 5,
        key: 'food',
        currency: 'BHD',
        minor: 2500,
        from: '2026-06-18',
        to: '2026-06-18',
      },
    ])
    expect(ratesAsOf.get(5)).toBe('2026-06-01')
  })
})

test('a purchase and its refund on one day cancel out, with a rate or without one', () => {
  const { sums, unconverted, ratesAsOf } = convertSums(
    ['USD', 'BHD', 'EUR'].flatMap((currency) => [
      counted('2026-06-03', currency === 'BHD' ? '0.013' : '0.13', currency),
      counted('2026-06-03', currency === 'BHD' ? '-0.013' : '-0.13', currency),
    ]),
    'EUR',
    rateOn,
  )
  expect([...sums, ...unconverted]).toEqual([])
  expect([...ratesAsOf]).toEqual([])
})

test('periods, keys, days and currencies are rounded apart', () => {
  // 0.01 USD are 0.0085 EUR: each rounds up by itself, two of them together do not.
  const cent = counted('2026-06-03', '0.01', 'USD')
  expect(totalIn([cent, cent])).toBe(2)
  expect(totalIn([cent, cent, cent, cent])).toBe(3)
  expect(
    totalIn([cent, cent, { ...cent, day: '2026-06-04' }, { ...cent, day: '2026-06-05' }]),
  ).toBe(4)
  const elsewhere = [{ ...cent, key: 'fun' }, { ...cent, period: 6 }, cent, cent, cent]
  expect(totalIn(elsewhere)).toBe(3)
  expect(totalIn(elsewhere, 5, 'fun')).toBe(1)
  expect(totalIn(elsewhere, 6)).toBe(1)
})

test('the oldest rate that was used in a period is named', () => {
  const asOf = (...list: Counted[]) => convertSums(list, 'EUR', rateOn).ratesAsOf.get(5)
  const [early, late] = [counted('2026-06-03', '1.00', 'USD'), counted('2026-06-12', '1.00', 'USD')]
  expect(asOf(early, late)).toBe('2026-06-01')
  expect(asOf(late, early)).toBe('2026-06-01')
  expect(asOf(late)).toBe('2026-06-10')
  expect(asOf({ ...early, period: 4 }, late)).toBe('2026-06-10')
  expect(asOf(counted('2026-06-12', '1.00', 'EUR'))).toBeUndefined()
})

test('amounts without a rate are listed by period, key and currency, with their first and last day', () => {
  const list = [
    counted('2026-05-12', '1.00', 'USD'),
    counted('2026-05-02', '2.00', 'USD'),
    counted('2026-05-20', '4.00', 'USD'),
    counted('2026-05-15', '-8.00', 'USD', 'fun'),
    counted('2026-05-15', '0.016', 'BHD'),
  ]
  const { sums, unconverted } = convertSums(list, 'EUR', rateOn)
  expect(sums.size).toBe(0)
  expect(
    unconverted.map((one) => [one.key, formatMoney(one.minor, one.currency), one.from, one.to]),
  ).toEqual([
    ['food', '7.00', '2026-05-02', '2026-05-20'],
    ['fun', '-8.00', '2026-05-15', '2026-05-15'],
    ['food', '0.016', '2026-05-15', '2026-05-15'],
  ])
})

describe('rows share out the converted sum of their day', () => {
  const rows = table(`
    | 2026-06-03 | t1 | 20.05 | 20.05 | 17.04 | 17.04 | 17.04 |
    | 2026-06-03 | t2 | -5.00 | 15.05 | -4.25 | 12.79 | -4.25 |
    | 2026-06-05 | t3 | 0.01 | 0.01 | 0.01 | 0.01 | 0.01 |
    | 2026-06-05 | t4 | 0.01 | 0.02 | 0.01 | 0.02 | 0.01 |
    | 2026-06-05 | t5 | 0.01 | 0.03 | 0.01 | 0.03 | 0.01 |
    | 2026-06-07 | t6 | 0.01 | 0.01 | 0.00 | 0.00 | 0.00 |
    | 2026-06-07 | t7 | 0.01 | 0.02 | 0.00 | 0.01 | 0.01 |
    | 2026-06-07 | t8 | 0.01 | 0.03 | 0.00 | 0.02 | 0.01 |
    | 2026-06-07 | t9 | 0.01 | 0.04 | 0.00 | 0.02 | 0.00 |
  `) as [string, string, string, string, string, string, string][]

  test.each([
    ['2026-06-03', '0.85'],
    ['2026-06-05', '0.85'],
    ['2026-06-07', '0.5'],
  ])('of %s, at %s', (date, rateText) => {
    const ofDay = rows.filter(([day]) => day === date)
    const minors = ofDay.map(([, , amount]) => cents(amount))
    const rate = rateIs(rateText)
    const inBudget = (minor: number) => text(convert(minor, 'USD', 'EUR', rate.rate))
    const shares = shareOutConverted(minors, 'USD', 'EUR', rate).map(Number)
    expect(
      minors.map((minor, at) => {
        const running = sum(minors.slice(0, at + 1))
        return [text(running), inBudget(minor), inBudget(running), text(shares[at] ?? Number.NaN)]
      }),
    ).toEqual(ofDay.map((cells) => cells.slice(3)))
  })

  test('exactly, and each within one minor unit of its own conversion', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 9999 }),
        (minors, thousandths) => {
          const rate = rateIs(
            `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`,
          )
          const shares = shareOutConverted(minors, 'USD', 'EUR', rate).map(Number)
          expect(sum(shares)).toBe(convert(sum(minors), 'USD', 'EUR', rate.rate))
          const off = shares.map((share, at) =>
            Math.abs(share - convert(minors[at] ?? 0, 'USD', 'EUR', rate.rate)),
          )
          expect(Math.max(...off)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
