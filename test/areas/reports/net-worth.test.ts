import { describe, expect, it } from 'vitest'
import {
  deleteAccount,
  getAccountBalance,
  closeAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  convertAmount,
  createExchangeRate,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import {
  getNetWorth,
  getNetWorthHistory,
} from '../../../src/areas/insight/reports/reports.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { addDays, dateInZone } from '../../../src/domain/calendar.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { randomFrom } from '../../support/random.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'

const rate = (as: Principal, from: string, to: string, date: string, text: string) =>
  ok(createExchangeRate, { as, json: { from, to, date, rate: text } })

const opened = { openingDate: '2026-01-01' }

describe('the net worth on a day', () => {
  it('is what was on the accounts at its end, at the newest rates so far, with their path', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const eur = await newAccount(me, { name: 'a', openingBalance: '1000', ...opened })
    await newAccount(me, { name: 'b', currency: 'USD', openingBalance: '100', ...opened })
    const loan = { type: 'mortgage', currency: 'JPY', openingBalance: '-160001' } as const
    await newAccount(me, { name: 'c', ...loan, ...opened })
    await newAccount(me, { name: 'd', openingBalance: '7', includeInNetWorth: false, ...opened })
    await rate(me, 'USD', 'EUR', '2026-01-01', '0.8')
    await rate(me, 'USD', 'EUR', '2026-02-11', '0.5')
    await rate(me, 'EUR', 'JPY', '2026-01-15', '160')
    const spend = { kind: 'expense', accountId: eur.id } as const
    await ok(createTransaction, { as: me, json: { ...spend, date: '2026-02-10', amount: '40' } })
    await ok(createTransaction, { as: me, json: { ...spend, date: '2026-02-11', amount: '60' } })
    const answer = await call(getNetWorth, { as: me, query: { date: '2026-02-10' } })
    expect(tripsOf(answer)).toBe(1)
    expect(answer.body).toMatchObject({
      date: '2026-02-10',
      currency: 'EUR',
      totals: { assets: '1040.00', liabilities: '-1000.01', netWorth: '39.99' },
      totalsByCurrency: [
        { currency: 'EUR', assets: '960.00', liabilities: '0.00', netWorth: '960.00' },
        { currency: 'JPY', assets: '0', liabilities: '-160001', netWorth: '-160001' },
        { currency: 'USD', assets: '100.00', liabilities: '0.00', netWorth: '100.00' },
      ],
      count: 3,
      unconverted: [],
      ratesAsOf: '2026-01-01',
    })
    expect(answer.body.accounts.map(({ converted }) => converted)).toEqual([
      { amount: '960.00', rate: '1', rateDate: null, stale: false, path: 'same', via: null },
      {
        amount: '80.00',
        rate: '0.8',
        rateDate: '2026-01-01',
        stale: true,
        path: 'direct',
        via: null,
      },
      {
        amount: '-1000.01',
        rate: '0.00625',
        rateDate: '2026-01-15',
        stale: true,
        path: 'inverse',
        via: null,
      },
    ])
    const inYen = await ok(getNetWorth, {
      as: me,
      query: { date: '2026-02-11', currency: 'JPY' },
    })
    expect(inYen.accounts[1]?.converted).toEqual({
      amount: '8000',
      rate: '80',
      rateDate: '2026-01-15',
      stale: true,
      path: 'viaBase',
      via: 'EUR',
    })
    expect(inYen.totals).toEqual({ assets: '152000', liabilities: '-160001', netWorth: '-8001' })
  })

  it('names what has no rate by then, and counts it neither as one nor as zero', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const { id } = await newAccount(me, { currency: 'USD', openingBalance: '100', ...opened })
    await newAccount(me, { currency: 'KWD' })
    await rate(me, 'USD', 'EUR', '2026-03-01', '0.9')
    const before = await ok(getNetWorth, { as: me, query: { date: '2026-02-28' } })
    expect(before).toMatchObject({
      totals: { assets: '0.00', netWorth: '0.00' },
      unconverted: [{ accountId: id, currency: 'USD', balance: '100.00' }],
      ratesAsOf: null,
    })
    expect(before.accounts.map(({ converted }) => converted)).toEqual([null, null])
    const after = await ok(getNetWorth, { as: me, query: { date: '2026-03-01' } })
    expect([after.totals.netWorth, after.unconverted]).toEqual(['90.00', []])
  })

  it('counts a closed account while something was on it, and none in the trash', async () => {
    const me = await newUser()
    const heir = await newAccount(me)
    const { id } = await newAccount(me, { openingBalance: '50', ...opened })
    const gone = await newAccount(me, { openingBalance: '9', ...opened })
    await ok(closeAccount, { as: me, id, json: { transferTo: heir.id, date: '2026-02-01' } })
    await ok(deleteAccount, { as: me, id: gone.id })
    const on = async (date: string) => {
      const { accounts, totals } = await ok(getNetWorth, { as: me, query: { date } })
      return [accounts.map(({ accountId }) => accountId).toSorted(), totals.netWorth]
    }
    expect(await on('2026-01-31')).toEqual([[heir.id, id].toSorted(), '50.00'])
    expect(await on('2026-02-01')).toEqual([[heir.id], '50.00'])
    expect(await on('2025-12-31')).toEqual([[heir.id], '0.00'])
  })

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'])(
    'is of today in the zone of the user, as in %s',
    async (timeZone) => {
      const me = await newUser({ timeZone })
      const today = dateInZone(Date.now(), timeZone)
      const { id } = await newAccount(me, { openingBalance: '1', openingDate: today })
      const json = { kind: 'income', accountId: id, amount: '5', date: addDays(today, 1) } as const
      await ok(createTransaction, { as: me, json })
      const { date, totals } = await ok(getNetWorth, { as: me })
      expect([date, totals.netWorth]).toEqual([today, '1.00'])
    },
  )

  it('refuses what is no day and no currency', async () => {
    const me = await newUser()
    const ask = async (query: Record<string, string>) =>
      refusal(await call(getNetWorth, { as: me, query }))
    expect(await ask({ date: '2026-02-30' })).toEqual([400, 'request.invalid', 'date'])
    expect(await ask({ currency: 'XYZ' })).toEqual([400, 'request.invalid', 'currency'])
    expect(await ask({ at: '2026-02-01' })).toEqual([400, 'request.invalid', 'at'])
  })

  it('shows a restricted token its accounts, and nobody those of others', async () => {
    const me = await newUser()
    const mine = await newAccount(me, { openingBalance: '5', ...opened })
    await newAccount(me, { openingBalance: '7', ...opened })
    const token = await giveToken(me, ['reports.read'], [mine.id])
    const query = { date: '2026-02-01' }
    const seen = await ok(getNetWorth, { as: token, query })
    expect([seen.accounts.map(({ accountId }) => accountId), seen.totals.netWorth]).toEqual([
      [mine.id],
      '5.00',
    ])
    const span = { from: '2026-01-01', to: '2026-02-01' }
    const series = await ok(getNetWorthHistory, { as: token, query: span })
    expect(series.points.map(({ netWorth }) => netWorth)).toEqual(['5.00', '5.00'])
    const stranger = await ok(getNetWorth, { as: await newUser(), query })
    expect([stranger.accounts, stranger.totals.netWorth]).toEqual([[], '0.00'])
  })
})

describe('the history of net worth', () => {
  it('takes each point at the rates of its day, gaps carried forward', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const { id } = await newAccount(me, { currency: 'USD', openingBalance: '100', ...opened })
    await newAccount(me, { type: 'loan', openingBalance: '-10', ...opened })
    await rate(me, 'USD', 'EUR', '2026-02-10', '0.8')
    await rate(me, 'EUR', 'USD', '2026-02-10', '5')
    await rate(me, 'USD', 'EUR', '2026-04-20', '0.9')
    const query = { from: '2026-01-15', to: '2026-05-02' }
    const answer = await call(getNetWorthHistory, { as: me, query })
    expect(tripsOf(answer)).toBe(1)
    const point = (date: string, assets: string, netWorth: string, unconverted = 0) => ({
      date,
      assets,
      liabilities: '-10.00',
      netWorth,
      unconverted,
    })
    expect(answer.body).toEqual({
      currency: 'EUR',
      interval: 'month',
      points: [
        point('2026-01-31', '0.00', '-10.00', 1),
        point('2026-02-28', '80.00', '70.00'),
        point('2026-03-31', '80.00', '70.00'),
        point('2026-04-30', '90.00', '80.00'),
        point('2026-05-02', '90.00', '80.00'),
      ],
      count: 5,
      unconverted: [{ accountId: id, currency: 'USD', from: '2026-01-31', to: '2026-01-31' }],
      warnings: [
        { code: 'exchangeRates.stale', currency: 'USD', rateDate: '2026-02-10', days: 49 },
      ],
    })
  })

  it('refuses a span that ends before it begins, and more than a thousand points', async () => {
    const me = await newUser()
    const ask = async (query: Record<string, string>) =>
      refusal(await call(getNetWorthHistory, { as: me, query }))
    expect(await ask({ from: '2026-02-02', to: '2026-02-01' })).toEqual([
      400,
      'request.invalid',
      'to',
    ])
    expect(await ask({ from: '2020-01-01', to: '2026-02-01', interval: 'day' })).toEqual([
      400,
      'reports.tooManyPoints',
      'interval',
    ])
    expect(await ask({ from: '2026-01-01' })).toEqual([400, 'request.invalid', 'to'])
    const most = { from: '2024-01-01', to: '2026-09-26', interval: 'day' }
    expect((await ok(getNetWorthHistory, { as: me, query: most })).count).toBe(1000)
  })

  it.each(['day', 'week', 'month'])(
    'by %s agrees at every point with the balances and the conversions of that day',
    async (interval) => {
      const { whole, pick } = randomFrom(SEED)
      const me = await newUser({ baseCurrency: 'CHF' })
      const currencies = ['CHF', 'EUR', 'USD', 'JPY', 'KWD']
      const accounts = await Promise.all(
        currencies.map((currency) => newAccount(me, { currency, openingDate: '2025-01-01' })),
      )
      for (let round = 0; round < 20; round++) {
        const { id: accountId } = pick(accounts)
        const date = addDays('2026-01-01', whole(0, 90))
        const kind = pick(['income', 'expense'] as const)
        const json = { kind, accountId, date, amount: String(whole(1, 9999)) }
        await ok(createTransaction, { as: me, json })
        const from = pick(currencies)
        const to = pick(currencies.filter((one) => one !== from))
        const text = `${whole(0, 9)}.${whole(1, 9999)}`
        // Of one pair and day there is one rate only.
        await call(createExchangeRate, { as: me, json: { from, to, date, rate: text } })
      }
      const query = { from: '2026-01-10', to: '2026-03-20', interval, currency: 'USD' }
      const { points } = await ok(getNetWorthHistory, { as: me, query })
      const some = points.filter(() => points.length < 10 || whole(0, 5) === 0)
      for (const point of some) {
        const { date } = point
        const single = await ok(getNetWorth, { as: me, query: { date, currency: 'USD' } })
        expect(single.totals.netWorth, `seed ${SEED}, ${date}`).toBe(point.netWorth)
        expect(single.unconverted.length, `seed ${SEED}, ${date}`).toBe(point.unconverted)
        for (const { accountId, balance, currency, converted } of single.accounts) {
          const at = await ok(getAccountBalance, { as: me, id: accountId, query: { date } })
          const asked = { amount: balance, from: currency, to: 'USD', date }
          const { body, status } = await call(convertAmount, { as: me, query: asked })
          expect([balance, converted?.amount, converted?.rateDate, converted?.path]).toEqual([
            at.balance,
            ...(status === 404 ? [undefined, undefined, undefined] : []),
            ...(status === 200 ? [body.converted, body.rateDate, body.path] : []),
          ])
        }
      }
    },
  )
})
