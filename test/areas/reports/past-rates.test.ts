import { afterEach, describe, expect, it } from 'vitest'
import { getBalanceHistory } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import {
  getNetWorth,
  getNetWorthHistory,
} from '../../../src/areas/insight/reports/reports.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { addSystem, forgetSystemRates } from '../exchange-rates/rates.ts'
import { tripsOf } from '../transactions/booking.ts'

afterEach(forgetSystemRates)

const worth = (as: Principal, date: string, text: string) =>
  ok(createExchangeRate, { as, json: { from: 'USD', to: 'EUR', date, rate: text } })

/** 100 USD when a dollar was worth 0.80 EUR; 50 spent at 1.00; the rest is looked at when it is 1.20. */
async function newBooks() {
  const me = await newUser({ baseCurrency: 'EUR' })
  const opening = { openingBalance: '100', openingDate: '2026-01-10' }
  const { id } = await newAccount(me, { currency: 'USD', ...opening })
  await worth(me, '2026-01-10', '0.8')
  await worth(me, '2026-02-10', '1')
  await worth(me, '2026-03-10', '1.2')
  const spent = { kind: 'expense', accountId: id, date: '2026-02-10', amount: '50' } as const
  await ok(createTransaction, { as: me, json: spent })
  return { me, id }
}

/** Worked by hand: what is there on the day, times the newest rate on or before it. */
const DAYS: [string, string, string | null, string | null][] = [
  ['2026-01-09', '0.00', null, null],
  ['2026-01-10', '100.00', '80.00', '2026-01-10'],
  ['2026-01-11', '100.00', '80.00', '2026-01-10'],
  ['2026-02-09', '100.00', '80.00', '2026-01-10'],
  ['2026-02-10', '50.00', '50.00', '2026-02-10'],
  ['2026-03-09', '50.00', '50.00', '2026-02-10'],
  ['2026-03-10', '50.00', '60.00', '2026-03-10'],
  ['2026-06-30', '50.00', '60.00', '2026-03-10'],
]

describe('a past value', () => {
  it('is at the rate of its day, carried over gaps, neither zero nor of today', async () => {
    const { me, id } = await newBooks()
    const query = { from: '2026-01-09', to: '2026-06-30', interval: 'day', currency: 'EUR' }
    const answer = await call(getBalanceHistory, { as: me, id, query })
    expect(tripsOf(answer)).toBe(1)
    const { points, unconverted } = answer.body
    expect(unconverted).toEqual(['2026-01-09'])
    const series = await ok(getNetWorthHistory, { as: me, query })
    for (const [date, balance, amount, rateDate] of DAYS) {
      const point = points.find((one) => one.date === date)
      expect(point, date).toMatchObject({
        balance,
        converted: amount === null ? null : { amount, currency: 'EUR', rateDate },
      })
      const netWorth = amount ?? '0.00'
      expect(series.points.find((one) => one.date === date)).toMatchObject({ netWorth })
      const single = await ok(getNetWorth, { as: me, query: { date } })
      expect([single.totals.netWorth, single.ratesAsOf], date).toEqual([netWorth, rateDate])
    }
  })

  it('stays what it was when a later rate comes, and changes with a rate of its own day', async () => {
    const { me, id } = await newBooks()
    const query = { from: '2026-01-01', to: '2026-04-30', currency: 'EUR' }
    const amounts = async () =>
      (await ok(getBalanceHistory, { as: me, id, query })).points.map(
        ({ converted }) => converted?.amount,
      )
    expect(await amounts()).toEqual(['80.00', '50.00', '60.00', '60.00'])
    await worth(me, '2026-04-02', '3')
    expect(await amounts()).toEqual(['80.00', '50.00', '60.00', '150.00'])
    await worth(me, '2026-01-31', '0.5')
    expect(await amounts()).toEqual(['50.00', '50.00', '60.00', '150.00'])
  })

  it('is told of each interval, by month and by week, in any currency that rates lead to', async () => {
    const { me, id } = await newBooks()
    const rate = { from: 'EUR', to: 'JPY', date: '2026-02-27', rate: '160' }
    await ok(createExchangeRate, { as: me, json: rate })
    const query = { from: '2026-02-20', to: '2026-03-12', interval: 'week', currency: 'JPY' }
    const weeks = await ok(getBalanceHistory, { as: me, id, query })
    expect(weeks.points.map(({ date, converted }) => [date, converted])).toEqual([
      ['2026-02-22', null],
      [
        '2026-03-01',
        { amount: '8000', currency: 'JPY', rate: '160', rateDate: '2026-02-10', stale: true },
      ],
      [
        '2026-03-08',
        { amount: '8000', currency: 'JPY', rate: '160', rateDate: '2026-02-10', stale: true },
      ],
      [
        '2026-03-12',
        { amount: '9600', currency: 'JPY', rate: '192', rateDate: '2026-02-27', stale: true },
      ],
    ])
    expect(weeks.unconverted).toEqual(['2026-02-22'])
    const own = { from: '2026-02-20', to: '2026-03-12', currency: 'USD' }
    const same = await ok(getBalanceHistory, { as: me, id, query: own })
    expect(same.points.map(({ balance, converted }) => [balance, converted])).toEqual([
      ['50.00', { amount: '50.00', currency: 'USD', rate: '1', rateDate: null, stale: false }],
      ['50.00', { amount: '50.00', currency: 'USD', rate: '1', rateDate: null, stale: false }],
    ])
  })

  it('is at an own rate before one of the system, and at the newer one of both', async () => {
    const { me, id } = await newBooks()
    await addSystem('USD', 'EUR', '2026-02-10', '7')
    await addSystem('USD', 'EUR', '2026-02-20', '2')
    await addSystem('USD', 'EUR', '2026-03-10', '7')
    const span = { from: '2026-02-09', to: '2026-03-11', interval: 'day', currency: 'EUR' }
    const { points } = await ok(getBalanceHistory, { as: me, id, query: span })
    const on = (day: string) => points.find(({ date }) => date === day)?.converted?.amount
    const days = ['2026-02-09', '2026-02-10', '2026-02-19', '2026-02-20', '2026-03-10']
    expect(days.map(on)).toEqual(['80.00', '50.00', '50.00', '100.00', '60.00'])
    const query = { from: '2026-02-10', to: '2026-02-10', currency: 'EUR' }
    const first = await ok(getBalanceHistory, { as: me, id, query })
    expect(first.points[0]?.converted?.amount).toBe('50.00')
  })

  it('is of the week or month in which a rate lies, to its last day', async () => {
    const { me, id } = await newBooks()
    // A Saturday, a Sunday and the Monday after; the last day of a month and the first of the next.
    for (const [date, text] of [
      ['2026-04-04', '2'],
      ['2026-04-05', '3'],
      ['2026-04-06', '4'],
      ['2026-04-11', '5'],
      ['2026-04-30', '6'],
      ['2026-05-01', '7'],
    ] as const) {
      await worth(me, date, text)
    }
    const amounts = async (interval: string) => {
      const query = { from: '2026-03-23', to: '2026-05-02', interval, currency: 'EUR' }
      const { points } = await ok(getBalanceHistory, { as: me, id, query })
      return points.map(({ date, converted }) => [date, converted?.amount])
    }
    expect(await amounts('week')).toEqual([
      ['2026-03-29', '60.00'],
      ['2026-04-05', '150.00'],
      ['2026-04-12', '250.00'],
      ['2026-04-19', '250.00'],
      ['2026-04-26', '250.00'],
      ['2026-05-02', '350.00'],
    ])
    expect(await amounts('month')).toEqual([
      ['2026-03-31', '60.00'],
      ['2026-04-30', '300.00'],
      ['2026-05-02', '350.00'],
    ])
  })
})
