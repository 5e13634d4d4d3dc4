import { beforeAll, describe, expect, it } from 'vitest'
import {
  getAccountBalance,
  getHomePage,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listCategories } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  getNetWorth,
  getNetWorthHistory,
} from '../../../src/areas/insight/reports/reports.routes.ts'
import { listValuations } from '../../../src/areas/money/valuations/valuations.routes.ts'
import { ok } from '../../support/api.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { bookHousehold, table, tables } from './household.ts'

// What is expected was worked by hand, in docs/guides/net-worth.md.

let books: Awaited<ReturnType<typeof bookHousehold>>

beforeAll(async () => {
  books = await bookHousehold()
})

const inOrder = <Row>(rows: Row[], nameOf: (row: Row) => string) =>
  books.names.map((name) => rows.find((row) => nameOf(row) === name))

describe('the household of docs/guides/net-worth.md', () => {
  it('has the tables that are looked at, and a ledger that agrees with itself', async () => {
    const lengths = ['Accounts', 'Lines', 'Balances', 'Spent and earned', 'History', 'Home page']
    expect(lengths.map((heading) => table(heading).length)).toEqual([5, 13, 6, 7, 3, 4])
    expect(tables('Net worth').map((rows) => rows.length)).toEqual([5, 5, 5, 5, 4])
    expect(await differencesOf(books.me)).toEqual([])
  })

  it('has its balances at the end of every day', async () => {
    const { me, accountOf, names } = books
    for (const [date = '', ...balances] of table('Balances')) {
      const found = await Promise.all(
        names.map((name) =>
          ok(getAccountBalance, { as: me, id: accountOf(name), query: { date } }),
        ),
      )
      expect(
        found.map(({ balance }) => balance),
        date,
      ).toEqual(balances)
    }
  })

  it('has its values, and books what leads to them', async () => {
    const { valuations } = await ok(listValuations, { as: books.me })
    expect(valuations.map(({ difference }) => difference)).toEqual(['0', '0', '0'])
    expect([
      ['booked at first', '', ...books.atFirst],
      ['booked in the end', ...books.inTheEnd],
    ]).toEqual(table('Lines', 1))
  })

  it('has its sums of categories, by currency', async () => {
    const query = { fromMonth: '2026-01', toMonth: '2026-03', limit: 50 }
    const { categories } = await ok(listCategories, { as: books.me, query })
    for (const [name, ...sums] of table('Spent and earned')) {
      const found = categories.find((one) => one.name === name)?.sums ?? []
      const amounts = ['EUR', 'JPY', 'USD'].map(
        (code) => found.find(({ currency }) => currency === code)?.amount ?? '',
      )
      expect(amounts, name).toEqual(sums)
    }
  })

  it('has its net worth on three days, account by account', async () => {
    const days = ['2026-01-05', '2026-02-20', '2026-03-31']
    for (const [at, date] of days.entries()) {
      const { accounts, unconverted } = await ok(getNetWorth, { as: books.me, query: { date } })
      const rows = inOrder(accounts, ({ name }) => name).map((one) => [
        one?.name,
        one?.balance,
        one?.converted?.rate ?? '',
        one?.converted?.rateDate ?? '',
        one?.converted?.amount ?? '',
      ])
      expect(rows, date).toEqual(table('Net worth', at))
      const left = table('Net worth', at).filter(([, , rate]) => rate === '')
      expect(unconverted.map(({ balance }) => balance).toSorted()).toEqual(
        left.map(([, balance]) => balance).toSorted(),
      )
    }
    const query = { date: '2026-03-31', currency: 'USD' }
    const { accounts } = await ok(getNetWorth, { as: books.me, query })
    expect(
      inOrder(accounts, ({ name }) => name).map((one) => [one?.name, one?.converted?.amount]),
    ).toEqual(table('Net worth', 3))
    for (const [day = '', currency = '', ...totals] of table('Net worth', 4)) {
      const found = await ok(getNetWorth, { as: books.me, query: { date: day, currency } })
      const { assets, liabilities, netWorth } = found.totals
      expect([assets, liabilities, netWorth], day).toEqual(totals)
    }
  })

  it('has its history', async () => {
    const query = { from: '2026-01-01', to: '2026-03-31', currency: 'EUR' }
    const { points, unconverted } = await ok(getNetWorthHistory, { as: books.me, query })
    expect(
      points.map(({ date, assets, liabilities, netWorth }) => [
        date,
        assets,
        liabilities,
        netWorth,
      ]),
    ).toEqual(table('History'))
    expect(unconverted).toEqual([])
  })

  it('has its home page', async () => {
    const page = await ok(getHomePage, { as: books.me, query: { currency: 'EUR' } })
    const all = [...page.totalsByCurrency, { ...page.totals, currency: 'all' }]
    expect(
      all.map((one) => [
        one.currency,
        one.assets,
        one.liabilities,
        one.netWorth,
        one.budget,
        one.offBudget,
      ]),
    ).toEqual(table('Home page'))
    expect([page.ratesAsOf, page.unconverted]).toEqual(['2026-02-28', []])
  })
})
