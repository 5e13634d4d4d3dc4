import { beforeAll, describe, expect, it } from 'vitest'
import document from '../../../docs/guides/reports.md?raw'
import {
  getCashFlow,
  getIncomeStatement,
  getSpending,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { ok } from '../../support/api.ts'
import { tablesBelow } from '../../support/documents.ts'
import { bookHousehold } from './household.ts'

// What is expected was worked by hand, in docs/guides/reports.md.

const table = (heading: string, at = 0): string[][] => tablesBelow(document, heading)[at] ?? []

let books: Awaited<ReturnType<typeof bookHousehold>>

beforeAll(async () => {
  books = await bookHousehold()
})

const SPAN = { from: '2026-01-01', to: '2026-03-31', currency: 'EUR' }

describe('the household in reports', () => {
  it('has its income statement by month and as a whole', async () => {
    const query = { ...SPAN, interval: 'month' as const }
    const { periods, totals } = await ok(getIncomeStatement, { as: books.me, query })
    const rows = [...periods, { ...totals, from: 'all' }].map((one) => [
      one.from === 'all' ? 'all' : one.from.slice(0, 7),
      ...[one.earned, one.spent, one.net, one.savingsRate ?? ''],
    ])
    expect(rows).toEqual(table('An example'))
    expect(periods.every(({ partial }) => !partial)).toBe(true)
  })

  it('has its categories by month', async () => {
    const query = { ...SPAN, interval: 'month' as const }
    const found = await ok(getIncomeStatement, { as: books.me, query })
    const rows = [...found.earned, ...found.spent]
    for (const [name, ...amounts] of table('An example', 1)) {
      const row = rows.find((one) => one.name === name)
      expect([...(row?.periods.map(({ own }) => own) ?? []), row?.own], name).toEqual(amounts)
    }
    const living = found.spent.find(({ name }) => name === 'Living')
    expect([living?.own, living?.total]).toEqual(['0.00', '1401.60'])
    expect(found.spent.map(({ path, depth, share }) => [path, depth, share])).toEqual([
      ['Bank fees', 1, '0.2'],
      ['Living', 1, '99.8'],
      ['Living / Food', 2, '12.6'],
      ['Living / Household', 2, '1.8'],
      ['Living / Rent', 2, '85.5'],
    ])
    expect(found.unconverted).toEqual([])
    expect(found.ratesAsOf).toBe('2026-01-10')
  })

  it('has its cash flow, in each currency and converted', async () => {
    const budget = { from: '2026-02-01', to: '2026-03-31' }
    const without = ['Everyday', 'Dollars', 'Tokyo'].map(books.accountOf).join(',')
    const asked = (name: string) => (name === 'on budget' ? {} : { accountIds: without })
    for (const [name = '', currency, ...amounts] of table('Cash flow')) {
      const query = { ...budget, ...asked(name), currency: 'none' }
      const { periods } = await ok(getCashFlow, { as: books.me, query })
      const found = periods[0]?.byCurrency?.find((one) => one.currency === currency)
      const { opening, in: earned, out, otherAccounts, exchange, closing } = found ?? {}
      expect([opening, earned, out, otherAccounts, exchange, closing], name).toEqual(amounts)
      expect(Number(found?.adjustments)).toBe(0)
    }
    for (const [name = '', ...amounts] of table('Cash flow', 1)) {
      const query = { ...budget, ...asked(name), currency: 'EUR' }
      const { periods } = await ok(getCashFlow, { as: books.me, query })
      const { opening, in: earned, out, otherAccounts, currencyEffect, closing } = periods[0] ?? {}
      expect([opening, earned, out, otherAccounts, currencyEffect, closing], name).toEqual(amounts)
    }
  })

  it('has the same total by every breakdown', async () => {
    const breakdowns = ['category', 'payee', 'tag', 'account', 'member'] as const
    for (const by of breakdowns) {
      const found = await ok(getSpending, { as: books.me, query: { ...SPAN, by } })
      expect([found.total.amount, found.overlap.amount], by).toEqual(['1404.10', '0.00'])
    }
  })
})
