import { describe, expect, it } from 'vitest'
import { getHomePage } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'

const rate = (as: Principal, from: string, to: string, date: string, text: string) =>
  ok(createExchangeRate, { as, json: { from, to, date, rate: text } })

describe('the home page', () => {
  it('totals each currency by itself', async () => {
    const me = await newUser()
    await newAccount(me, { type: 'checking', openingBalance: '1000.10' })
    await newAccount(me, { type: 'creditCard', openingBalance: '-250.05' })
    await newAccount(me, { type: 'property', openingBalance: '200000' })
    await newAccount(me, { type: 'loan', openingBalance: '-5000', includeInNetWorth: false })
    await newAccount(me, { type: 'cash', currency: 'JPY', openingBalance: '500' })
    const { body, headers } = await call(getHomePage, { as: me })
    expect(headers.get('Server-Timing')).toContain('1 trips')
    expect(body.totalsByCurrency).toEqual([
      {
        currency: 'EUR',
        assets: '201000.10',
        liabilities: '-250.05',
        netWorth: '200750.05',
        budget: '750.05',
        offBudget: '195000.00',
      },
      {
        currency: 'JPY',
        assets: '500',
        liabilities: '0',
        netWorth: '500',
        budget: '500',
        offBudget: '0',
      },
    ])
    expect([body.currency, body.totals, body.unconverted, body.ratesAsOf]).toEqual([
      null,
      null,
      [],
      null,
    ])
    expect(body.budgetAccounts.map(({ type }) => type).toSorted()).toEqual([
      'cash',
      'checking',
      'creditCard',
    ])
    expect(body.offBudgetAccounts.map(({ type }) => type).toSorted()).toEqual(['loan', 'property'])
  })

  it('rolls up by direct, inverse and crossed rates, each the newest one so far', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    await newAccount(me, { name: 'eur', openingBalance: '100' })
    await newAccount(me, { name: 'usd', currency: 'USD', openingBalance: '100' })
    await newAccount(me, { name: 'jpy', currency: 'JPY', openingBalance: '16000' })
    await newAccount(me, { name: 'bhd', currency: 'BHD', openingBalance: '1.000' })
    await rate(me, 'EUR', 'USD', '2026-01-01', '1.25')
    await rate(me, 'EUR', 'USD', '2025-01-01', '2')
    await rate(me, 'EUR', 'USD', '2190-01-01', '99')
    await rate(me, 'EUR', 'JPY', '2026-02-01', '160')
    const { body, headers } = await call(getHomePage, { as: me, query: { currency: 'USD' } })
    expect(headers.get('Server-Timing')).toContain('1 trips')
    const converted = Object.fromEntries(
      body.budgetAccounts.map((one) => [one.name, one.converted]),
    )
    expect(converted).toEqual({
      eur: { amount: '125.00', currency: 'USD', rate: '1.25', rateDate: '2026-01-01', stale: true },
      usd: { amount: '100.00', currency: 'USD', rate: '1', rateDate: null, stale: false },
      jpy: {
        amount: '125.00',
        currency: 'USD',
        rate: '0.0078125',
        rateDate: '2026-01-01',
        stale: true,
      },
      bhd: null,
    })
    expect(body.unconverted.map(({ currency, balance }) => [currency, balance])).toEqual([
      ['BHD', '1.000'],
    ])
    expect(body.totals).toEqual({
      assets: '350.00',
      liabilities: '0.00',
      netWorth: '350.00',
      budget: '350.00',
      offBudget: '0.00',
    })
    expect(body.ratesAsOf).toBe('2026-01-01')
  })

  it.each(['eur', 'EURO', 'XXX', 'AAA', '€', ''])('refuses the currency %j', async (currency) => {
    const answer = await call(getHomePage, { as: await newUser(), query: { currency } })
    expect([answer.status, answer.error.field]).toEqual([400, 'currency'])
  })

  it('leaves closed accounts and those of others out', async () => {
    const me = await newUser()
    const closed = await newAccount(me, { openingBalance: '5' })
    await newAccount(await newUser(), { openingBalance: '7' })
    await rows("UPDATE accounts SET status = 'closed' WHERE id = ?", closed.id)
    const page = await ok(getHomePage, { as: me })
    expect([page.budgetAccounts, page.totalsByCurrency]).toEqual([[], []])
  })
})
