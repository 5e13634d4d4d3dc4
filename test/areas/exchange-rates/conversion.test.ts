import { afterEach, describe, expect, it } from 'vitest'
import { getHomePage } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { setOwnCurrencies } from '../../../src/areas/money/currencies/currencies.routes.ts'
import {
  convertAmount,
  createExchangeRate,
  getLatestExchangeRates,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { addSystem, forgetSystemRates } from './rates.ts'

afterEach(forgetSystemRates)

const add = (as: Principal, from: string, to: string, date: string, rate: string) =>
  ok(createExchangeRate, { as, json: { from, to, date, rate } })

const convert = async (as: Principal, amount: string, from: string, to: string, date?: string) => {
  const query = { amount, from, to, ...(date === undefined ? {} : { date }) }
  const answer = await call(convertAmount, { as, query })
  return answer
}

describe('converting an amount', () => {
  it('says the way, the rate and its day: direct, inverse, over the base, over the euro', async () => {
    const me = await newUser({ baseCurrency: 'CHF' })
    await add(me, 'USD', 'CHF', '2026-01-02', '0.8')
    await add(me, 'CHF', 'JPY', '2026-01-01', '190')
    await addSystem('EUR', 'USD', '2026-01-03', '1.25')
    await addSystem('EUR', 'KWD', '2026-01-02', '0.36')
    const way = async (amount: string, from: string, to: string) => {
      const {
        amount: _,
        from: __,
        to: ___,
        date: ____,
        stale: _____,
        warnings: ______,
        ...rest
      } = (await convert(me, amount, from, to, '2026-01-31')).body
      return Object.values(rest)
    }
    const day = (last: string) => `2026-01-${last}`
    expect(await way('100', 'USD', 'CHF')).toEqual(['80.00', '0.8', day('02'), 'direct', null])
    expect(await way('100', 'CHF', 'USD')).toEqual(['125.00', '1.25', day('02'), 'inverse', null])
    expect(await way('1', 'USD', 'JPY')).toEqual(['152', '152', day('01'), 'viaBase', 'CHF'])
    expect(await way('-1', 'JPY', 'USD')).toEqual([
      '-0.01',
      '0.006578947368',
      day('01'),
      'viaBase',
      'CHF',
    ])
    expect(await way('1.25', 'USD', 'KWD')).toEqual([
      '0.360',
      '0.288',
      day('02'),
      'viaReference',
      'EUR',
    ])
    expect(await way('1.25', 'EUR', 'EUR')).toEqual(['1.25', '1', null, 'same', null])
    const { body, headers } = await convert(me, '1', 'USD', 'CHF')
    expect([body.date, costOf(headers).trips]).toEqual([new Date().toISOString().slice(0, 10), 1])
  })

  it('reports a missing rate and never takes one or zero for it', async () => {
    const me = await newUser({ baseCurrency: 'CHF' })
    await add(me, 'USD', 'CHF', '2026-01-02', '0.8')
    await add(me, 'USD', 'JPY', '2026-01-02', '150')
    for (const [from, to, date] of [
      ['USD', 'CHF', '2026-01-01'],
      ['USD', 'SEK', '2026-01-02'],
      ['JPY', 'SEK', '2026-01-02'],
    ] as const) {
      const { status, error } = await convert(me, '1', from, to, date)
      expect([status, error.code]).toEqual([404, 'exchangeRates.noRate'])
    }
    const other = await convert(await newUser(), '1', 'USD', 'CHF', '2026-01-02')
    expect(other.status).toBe(404)
  })

  it('rounds half to even once, at the end', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    await add(me, 'USD', 'EUR', '2026-01-01', '0.5')
    await add(me, 'EUR', 'GBP', '2026-01-01', '3')
    const worth = async (amount: string, to: string) =>
      (await convert(me, amount, 'USD', to, '2026-01-01')).body.converted
    expect(await worth('0.01', 'EUR')).toBe('0.00')
    expect(await worth('0.03', 'EUR')).toBe('0.02')
    expect(await worth('-0.03', 'EUR')).toBe('-0.02')
    expect(await worth('0.01', 'GBP')).toBe('0.02')
    expect(await worth('90071992547409.91', 'GBP')).toBe('135107988821114.86')
  })

  it('lets an own rate win over one of the system on the same day only', async () => {
    const me = await newUser()
    await addSystem('EUR', 'USD', '2026-01-01', '1.1')
    await add(me, 'EUR', 'USD', '2026-01-01', '2')
    await addSystem('EUR', 'USD', '2026-01-02', '1.2')
    const worth = async (day: string) =>
      (await convert(me, '1', 'EUR', 'USD', `2026-01-${day}`)).body.converted
    expect([await worth('01'), await worth('02')]).toEqual(['2.00', '1.20'])
  })

  it.each([
    ['no amount', { from: 'EUR', to: 'USD' }, 'request.invalid', 'amount'],
    ['a float', { amount: '1e2', from: 'EUR', to: 'USD' }, 'request.invalid', 'amount'],
    ['too many digits', { amount: '1.5', from: 'JPY', to: 'USD' }, 'money.tooManyDigits', 'amount'],
    ['too much', { amount: '9'.repeat(20), from: 'EUR', to: 'USD' }, 'money.outOfRange', 'amount'],
    ['no target', { amount: '1', from: 'EUR' }, 'request.invalid', 'to'],
    ['what is no currency', { amount: '1', from: 'eur', to: 'USD' }, 'request.invalid', 'from'],
    [
      'what is no day',
      { amount: '1', from: 'EUR', to: 'USD', date: 'x' },
      'request.invalid',
      'date',
    ],
  ])('refuses %s', async (_, query, code, field) => {
    const answer = await call(convertAmount, { as: await newUser(), query })
    expect([answer.status, answer.error.code, answer.error.field]).toEqual([400, code, field])
  })

  it('needs a caller and the permission', async () => {
    const me = await newUser()
    await rows('DELETE FROM user_roles WHERE user_id = ?', me.id)
    for (const route of [convertAmount, getLatestExchangeRates]) {
      expect((await call(route, {})).status).toBe(401)
      expect((await call(route, { as: me })).status).toBe(403)
    }
  })
})

describe('the latest rates', () => {
  it('are those of every currency in use to the base, with their age; missing ones are named', async () => {
    const me = await newUser({ baseCurrency: 'CHF' })
    const today = new Date().toISOString().slice(0, 10)
    await newAccount(me, { currency: 'USD' })
    await newAccount(me, { currency: 'SEK' })
    await newAccount(await newUser(), { currency: 'AUD' })
    await ok(setOwnCurrencies, { as: me, json: { currencies: ['JPY', 'GBP'] } })
    await add(me, 'USD', 'CHF', addDays(today, -3), '0.8')
    await add(me, 'USD', 'CHF', addDays(today, 2), '0.9')
    await add(me, 'CHF', 'JPY', today, '200')
    await addSystem('EUR', 'GBP', addDays(today, -10), '0.8')
    await addSystem('EUR', 'CHF', addDays(today, -1), '1')
    const { body, headers } = await call(getLatestExchangeRates, { as: me })
    expect(costOf(headers).trips).toBe(1)
    expect(body).toMatchObject({ baseCurrency: 'CHF', date: today, missing: ['SEK'], count: 3 })
    expect(body.rates).toEqual([
      {
        currency: 'GBP',
        rate: '1.25',
        rateDate: addDays(today, -10),
        ageDays: 10,
        stale: true,
        path: 'viaReference',
        via: 'EUR',
      },
      {
        currency: 'JPY',
        rate: '0.005',
        rateDate: today,
        ageDays: 0,
        stale: false,
        path: 'inverse',
        via: null,
      },
      {
        currency: 'USD',
        rate: '0.8',
        rateDate: addDays(today, -3),
        ageDays: 3,
        stale: false,
        path: 'direct',
        via: null,
      },
    ])
  })

  it('are none for who has one currency', async () => {
    const { rates, missing } = await ok(getLatestExchangeRates, { as: await newUser() })
    expect([rates, missing]).toEqual([[], []])
  })
})

describe('what users keep asking for', () => {
  it('values the past at the rate of that day, and carries gaps forward', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    await add(me, 'USD', 'EUR', '2026-01-01', '0.8')
    await add(me, 'USD', 'EUR', '2026-02-01', '1.0')
    await add(me, 'USD', 'EUR', '2026-03-01', '1.2')
    const worth = async (amount: string, date: string) =>
      (await convert(me, amount, 'USD', 'EUR', date)).body.converted
    // 100 USD bought at 0.8, 50 of them spent at 1.0: the other 50 are worth 60 EUR at 1.2.
    const dollars = await newAccount(me, {
      currency: 'USD',
      openingBalance: '100',
      openingDate: '2026-01-01',
    })
    expect(await worth('100', '2026-01-01')).toBe('80.00')
    expect(await worth('100', '2026-01-31')).toBe('80.00')
    await ok(createTransaction, {
      as: me,
      json: { kind: 'expense', accountId: dollars.id, date: '2026-02-01', amount: '50' },
    })
    expect(await worth('50', '2026-02-01')).toBe('50.00')
    const page = await ok(getHomePage, { as: me, query: { currency: 'EUR' } })
    expect([page.totals?.netWorth, page.ratesAsOf]).toEqual(['60.00', '2026-03-01'])
    // A correction of the past changes the past alone.
    await add(me, 'USD', 'EUR', '2026-01-15', '0.7')
    expect(await worth('100', '2026-01-14')).toBe('80.00')
    expect(await worth('100', '2026-01-31')).toBe('70.00')
    expect(await worth('50', '2026-03-01')).toBe('60.00')
  })

  it.each([
    ['JPY', '1200', '1.5'],
    ['KRW', '8858', '0.1'],
    ['KWD', '0.125', '0.1255'],
    ['CLF', '0.0001', '0.00015'],
  ])(
    'keeps %s in its own digits, from the account to the roll-up',
    async (currency, amount, finer) => {
      const me = await newUser({ baseCurrency: 'EUR' })
      await addSystem('EUR', currency, '2026-01-01', '4')
      const account = await newAccount(me, {
        currency,
        openingBalance: amount,
        openingDate: '2026-01-01',
      })
      expect(account.balance).toBe(amount)
      const back = await convert(me, amount, currency, currency)
      expect(back.body).toMatchObject({ amount, converted: amount })
      const tooFine = await convert(me, finer, currency, 'EUR')
      expect([tooFine.status, tooFine.error.code]).toEqual([400, 'money.tooManyDigits'])
      const { body } = await convert(me, '1', 'EUR', currency)
      const digits = amount.split('.')[1]?.length ?? 0
      expect(body.converted).toBe((4).toFixed(digits))
      const page = await ok(getHomePage, { as: me, query: { currency } })
      expect(page.totals?.netWorth).toBe(amount)
      const inEuro = await ok(getHomePage, { as: me, query: { currency: 'EUR' } })
      const { body: converted } = await convert(me, amount, currency, 'EUR')
      expect(inEuro.totals?.netWorth).toBe(converted.converted)
    },
  )
})
