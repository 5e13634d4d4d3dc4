import { afterEach, describe, expect, it } from 'vitest'
import {
  getNetWorth,
  getNetWorthHistory,
} from '../../../src/areas/insight/reports/reports.routes.ts'
import {
  getBalanceHistory,
  getHomePage,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getCurrency,
  listCurrencies,
} from '../../../src/areas/money/currencies/currencies.routes.ts'
import {
  convertAmount,
  createExchangeRate,
  getRateCoverage,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { getSystemHealth } from '../../../src/areas/operations/metrics/metrics.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { storeTask } from '../queue-tasks/tasks.ts'
import { addSystem, forgetSystemRates } from './rates.ts'

afterEach(forgetSystemRates)

const today = new Date().toISOString().slice(0, 10)

const convert = (as: Principal, from: string, to: string, date: string, amount = '100') =>
  call(convertAmount, { as, query: { amount, from, to, date } })

describe('the age of a rate', () => {
  it.each<[string, string, string, number]>([
    ['USD', '2026-11-22', '2026-11-20', 2],
    ['USD', '2026-04-07', '2026-04-02', 5],
    ['USD', '2026-04-08', '2026-04-02', 6],
    ['ISK', '2012-06-15', '2008-12-03', 1290],
  ])('of %s on %s: the newest one is of %s', async (from, date, rateDate, days) => {
    await addSystem('EUR', from, rateDate, '1.25')
    await addSystem('EUR', from, addDays(date, 1), '9')
    const me = await newUser({ baseCurrency: 'EUR' })
    const { body } = await convert(me, from, 'EUR', date)
    const stale = days > 5
    expect(body).toMatchObject({ converted: '80.00', rateDate, stale })
    const warning = { code: 'exchangeRates.stale', currency: from, rateDate, days }
    expect(body.warnings).toEqual(stale ? [warning] : [])
  })

  it('does not count for a currency that ended, and there may be no rate at all', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    await addSystem('EUR', 'HRK', '2022-12-30', '7.5365')
    const fixed = await convert(me, 'HRK', 'EUR', '2026-11-22', '75.345')
    expect(fixed.status).toBe(400)
    const { body } = await convert(me, 'HRK', 'EUR', '2026-11-22', '753.45')
    expect(body).toMatchObject({ converted: '100.00', rateDate: '2023-01-01', stale: false })
    expect(body.warnings).toEqual([])
    expect((await convert(me, 'HRK', 'EUR', '2022-12-31', '753.65')).body).toMatchObject({
      ...{ converted: '100.00', rateDate: '2022-12-30', stale: false },
    })
    expect((await convert(me, 'HRK', 'EUR', '2026-01-01', '753.65')).body.converted).toBe('100.03')
    expect((await convert(me, 'KWD', 'EUR', '2010-01-01')).status).toBe(404)
    expect((await convert(me, 'DEM', 'EUR', '1998-12-31')).status).toBe(404)
    expect((await convert(me, 'XQQ', 'EUR', '1998-12-31')).status).toBe(400)
  })

  it('is that of the other rate where one of two is fixed, and the warning names its currency', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    await addSystem('EUR', 'USD', '2026-11-20', '1.25')
    expect((await convert(me, 'DEM', 'USD', '2026-11-22', '195.583')).status).toBe(400)
    const one = (date: string) => convert(me, 'DEM', 'USD', date, '1955.83')
    expect((await one('2026-11-22')).body).toMatchObject({
      ...{ converted: '1250.00', rateDate: '2026-11-20', stale: false, via: 'EUR' },
    })
    expect((await one('2026-11-26')).body).toMatchObject({
      ...{ stale: true, warnings: [{ currency: 'USD', rateDate: '2026-11-20', days: 6 }] },
    })
    expect((await convert(me, 'USD', 'DEM', '2026-11-26', '1250')).body).toMatchObject({
      ...{ stale: true, warnings: [{ currency: 'USD', rateDate: '2026-11-20', days: 6 }] },
    })
    expect((await convert(me, 'DEM', 'FRF', '2026-11-22', '1955.83')).body).toMatchObject({
      ...{ converted: '6559.57', rateDate: '1999-01-01', stale: false, warnings: [] },
    })
  })

  it('of an own rate counts like any other, also one for a currency that ended', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    await rows(
      `INSERT INTO exchange_rates (id, owner_id, from_currency, to_currency, date, rate, created_at, updated_at)
        VALUES (?1, ?2, 'BGN', 'EUR', ?3, '0.5', 0, 0), (?4, ?2, 'HRK', 'EUR', '2020-01-01', '0.5', 0, 0)`,
      `rate_1_${me.id}`,
      me.id,
      '2026-02-01',
      `rate_2_${me.id}`,
    )
    expect((await convert(me, 'BGN', 'EUR', '2026-11-22')).body).toMatchObject({
      ...{ converted: '50.00', rateDate: '2026-02-01', stale: true },
    })
    expect((await convert(me, 'HRK', 'EUR', '2026-11-22')).body).toMatchObject({
      ...{ converted: '13.27', rateDate: '2023-01-01', stale: false },
    })
  })
})

describe('sums in one currency', () => {
  it('warn once for each currency, and mark each rate', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const opening = { openingBalance: '100', openingDate: '2026-01-01' }
    const { id } = await newAccount(me, { currency: 'USD', ...opening })
    await newAccount(me, { currency: 'USD', ...opening })
    await newAccount(me, { currency: 'JPY', ...opening })
    await addSystem('EUR', 'USD', '2026-01-02', '1.25')
    await addSystem('EUR', 'USD', addDays(today, -9), '1.25')
    await addSystem('EUR', 'JPY', addDays(today, -5), '160')
    const stale = (days: number) => ({
      ...{ code: 'exchangeRates.stale', currency: 'USD', days },
      rateDate: addDays(today, -9),
    })
    const home = await ok(getHomePage, { as: me, query: { currency: 'EUR' } })
    expect(home.warnings).toEqual([stale(9)])
    const marks = (accounts: { currency: string; converted: { stale: boolean } | null }[]) =>
      accounts.map(({ currency, converted }) => `${currency} ${converted?.stale}`).toSorted()
    const expected = ['JPY false', 'USD true', 'USD true']
    expect(marks(home.budgetAccounts)).toEqual(expected)
    expect((await ok(getHomePage, { as: me })).warnings).toEqual([])
    const worth = await ok(getNetWorth, { as: me, query: { date: today } })
    expect(worth.warnings).toEqual([stale(9)])
    expect(marks(worth.accounts)).toEqual(expected)
    const span = { from: '2026-01-02', to: '2026-01-08', interval: 'day', currency: 'EUR' }
    const series = await ok(getNetWorthHistory, { as: me, query: span })
    expect(series.warnings).toEqual([
      { code: 'exchangeRates.stale', currency: 'USD', rateDate: '2026-01-02', days: 6 },
    ])
    const { points } = await ok(getBalanceHistory, { as: me, id, query: span })
    expect(points.map(({ converted }) => converted?.stale)).toEqual([
      ...[false, false, false, false, false, false, true],
    ])
  })

  it('know the fixed rates on their days', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const { id } = await newAccount(me, { currency: 'JPY', openingDate: '2022-12-01' })
    await rows('UPDATE accounts SET currency = ? WHERE id = ?', 'HRK', id)
    await rows('UPDATE account_balances SET balance_minor = 75345 WHERE account_id = ?', id)
    await addSystem('EUR', 'HRK', '2022-12-30', '7.5365')
    const home = await ok(getHomePage, { as: me, query: { currency: 'EUR' } })
    expect(home.totals?.netWorth).toBe('100.00')
    expect(home.warnings).toEqual([])
    const query = { from: '2022-12-31', to: '2023-02-28', interval: 'month', currency: 'EUR' }
    const { points } = await ok(getBalanceHistory, { as: me, id, query })
    expect(points.map(({ converted }) => [converted?.rateDate, converted?.stale])).toEqual([
      ['2022-12-30', false],
      ['2023-01-01', false],
      ['2023-01-01', false],
    ])
  })
})

describe('currencies', () => {
  it('say what replaced them', async () => {
    const me = await newUser()
    const { currencies } = await ok(listCurrencies, { as: me })
    const byCode = new Map(currencies.map((one) => [one.code, one]))
    expect(byCode.get('HRK')?.succeededBy).toEqual({
      code: 'EUR',
      rate: '7.5345',
      on: '2023-01-01',
    })
    expect(byCode.get('BGN')?.succeededBy).toEqual({
      code: 'EUR',
      rate: '1.95583',
      on: '2026-01-01',
    })
    expect(byCode.get('DEM')).toMatchObject({ active: false, succeededBy: { rate: '1.95583' } })
    expect(byCode.get('USD')?.succeededBy).toBeNull()
    expect(currencies.filter(({ succeededBy }) => succeededBy !== null)).toHaveLength(21)
    expect((await ok(getCurrency, { as: me, path: { code: 'FRF' } })).succeededBy?.rate).toBe(
      '6.55957',
    )
  })
})

describe('coverage', () => {
  const of = async (as: Principal) => (await ok(getRateCoverage, { as })).currencies

  it('tells for each currency since when it is needed, and where rates are missing', async () => {
    const me = await newUser({ baseCurrency: 'CHF' })
    const { id: accountId } = await newAccount(me, { currency: 'USD', openingDate: '2026-02-01' })
    await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId, amount: '5', date: '2026-01-15' },
        ...{ originalAmount: '800', originalCurrency: 'JPY' },
      },
    })
    await newAccount(me, { currency: 'KWD', openingDate: today })
    await newAccount(me, { currency: 'EUR', openingDate: '2026-01-20' })
    for (const date of ['2026-01-16', '2026-01-24', '2026-02-01', '2026-02-10']) {
      await addSystem('EUR', 'USD', date, '1.25')
    }
    await addSystem('JPY', 'CHF', '2025-01-01', '0.005')
    const json = { from: 'USD', to: 'CHF', date: today, rate: '0.9' }
    await ok(createExchangeRate, { as: me, json })
    const { headers, body } = await call(getRateCoverage, { as: me })
    expect(costOf(headers).trips).toBe(1)
    const days = (from: string) => Math.round((Date.parse(today) - Date.parse(from)) / 86_400_000)
    expect(body).toEqual({
      count: 4,
      currencies: [
        {
          ...{ currency: 'CHF', neededFrom: '2026-01-15', firstDate: null, lastDate: null },
          gaps: [{ from: '2026-01-15', through: today, days: days('2026-01-15') + 1 }],
        },
        {
          ...{ currency: 'JPY', neededFrom: '2026-01-15' },
          ...{ firstDate: '2025-01-01', lastDate: '2025-01-01' },
          gaps: [{ from: '2026-01-15', through: today, days: days('2026-01-15') + 1 }],
        },
        { currency: 'KWD', neededFrom: today, firstDate: null, lastDate: null, gaps: [] },
        {
          ...{ currency: 'USD', neededFrom: '2026-01-15' },
          ...{ firstDate: '2026-01-16', lastDate: today },
          // Of two rates eight and nine days apart, only the latter have more than a week between them.
          gaps: [
            { from: '2026-02-02', through: '2026-02-09', days: 8 },
            { from: '2026-02-11', through: addDays(today, -1), days: days('2026-02-11') },
          ],
        },
      ],
    })
    expect(await of(await newUser())).toEqual([])
  })

  it('of a currency that ended ends with it', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const { id } = await newAccount(me, { currency: 'USD', openingDate: '2022-12-01' })
    await rows("UPDATE accounts SET currency = 'HRK' WHERE id = ?", id)
    expect(await of(me)).toEqual([
      {
        ...{ currency: 'HRK', neededFrom: '2022-12-01', firstDate: null, lastDate: null },
        gaps: [{ from: '2022-12-01', through: '2022-12-31', days: 31 }],
      },
    ])
    await rows("UPDATE accounts SET opening_date = '2023-01-01' WHERE id = ?", id)
    expect((await of(me))[0]?.gaps).toEqual([])
  })
})

describe('system health', () => {
  it('tells how old the rates are, and whether the last fetch failed', async () => {
    const as = await newAdmin()
    const rates = async () => {
      const { exchangeRates, problems } = await ok(getSystemHealth, { as })
      return [exchangeRates, problems.includes('exchangeRates')]
    }
    expect(await rates()).toEqual([{ state: 'ok', newestDate: null }, false])
    await addSystem('EUR', 'USD', addDays(today, -6), '1.25')
    await addSystem('EUR', 'USD', addDays(today, 3), '1.25')
    expect(await rates()).toEqual([{ state: 'stale', newestDate: addDays(today, -6) }, true])
    await addSystem('EUR', 'USD', addDays(today, -5), '1.25')
    expect(await rates()).toEqual([{ state: 'ok', newestDate: addDays(today, -5) }, false])
    const id = await storeTask({ kind: 'exchangeRates.fetch' })
    await rows("UPDATE tasks SET state = 'dead', error = 'outbound.failed' WHERE id = ?", id)
    expect(await rates()).toEqual([{ state: 'failing', newestDate: addDays(today, -5) }, true])
    await rows('DELETE FROM tasks WHERE id = ?', id)
  })
})
