import { afterEach, expect, it } from 'vitest'
import {
  getCashFlow,
  getIncomeStatement,
  getSpending,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { addSystem, forgetSystemRates } from '../exchange-rates/rates.ts'
import { book } from '../transactions/booking.ts'
import { compareTables } from './tables.fixtures.ts'

afterEach(forgetSystemRates)

const stale = (currency: string, rateDate: string, days: number) => ({
  ...{ code: 'exchangeRates.stale', currency, rateDate, days },
})

const warningsOf = async (as: Principal, query: Record<string, string>) => ({
  statement: (await ok(getIncomeStatement, { as, query })).warnings,
  byPayee: (await ok(getSpending, { as, query: { ...query, by: 'payee' } })).warnings,
  cash: (await ok(getCashFlow, { as, query })).warnings,
})

it('a report warns once of each currency that it converted at a rate that is too old', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  const [dollars, yen, old] = [
    await newAccount(me, { currency: 'USD' }),
    await newAccount(me, { currency: 'JPY' }),
    await newAccount(me, { currency: 'GBP' }),
  ]
  await addSystem('EUR', 'USD', '2026-01-02', '1.25')
  await addSystem('EUR', 'JPY', '2026-01-04', '160')
  await addSystem('EUR', 'GBP', '2025-01-04', '0.8')
  await book(me, dollars, { date: '2026-01-07', amount: '5' })
  await book(me, dollars, { date: '2026-01-08', amount: '5' })
  await book(me, dollars, { date: '2026-01-10', amount: '5' })
  await book(me, yen, { date: '2026-01-09', amount: '500' })
  // They are nothing together, and nothing is worth nothing at any rate.
  const json = { name: 'Food', kind: 'expense' as const }
  const { id: categoryId } = await ok(createCategory, { as: me, json })
  await book(me, old, { date: '2026-01-05', amount: '3', categoryId })
  await book(me, old, { date: '2026-01-05', amount: '3', categoryId, kind: 'income' })
  const span = { from: '2026-01-01', to: '2026-01-09' }
  const dollarsAt = (days: number) => stale('USD', '2026-01-02', days)
  expect(await warningsOf(me, { ...span, to: '2026-01-07' })).toMatchObject({
    ...{ statement: [], byPayee: [], cash: [] },
  })
  expect(await warningsOf(me, span)).toEqual({
    ...{ statement: [dollarsAt(6)], byPayee: [dollarsAt(6)], cash: [dollarsAt(7)] },
  })
  // Balances are converted at the rates of the last day.
  expect(await warningsOf(me, { ...span, to: '2026-01-11' })).toEqual({
    ...{ statement: [dollarsAt(8)], byPayee: [dollarsAt(8)] },
    cash: [stale('JPY', '2026-01-04', 7), dollarsAt(9)],
  })
  for (const currency of ['USD', 'none']) {
    const found = await warningsOf(me, { ...span, to: '2026-01-07', currency })
    expect(found).toEqual({ statement: [], byPayee: [], cash: [] })
  }
  await compareTables(me, { ...span, to: '2026-01-11' }, 'payee')
})

it('the age of a rate that is used for a day to come counts from today', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  const dollars = await newAccount(me, { currency: 'USD' })
  const today = new Date().toISOString().slice(0, 10)
  await addSystem('EUR', 'USD', addDays(today, -2), '1.25')
  await book(me, dollars, { date: addDays(today, 30), amount: '5' })
  const span = { from: today, to: addDays(today, 60) }
  expect(await warningsOf(me, span)).toEqual({ statement: [], byPayee: [], cash: [] })
  expect((await ok(getSpending, { as: me, query: span })).total.amount).toBe('4.00')
})
