import { describe, expect, it } from 'vitest'
import document from '../../../docs/guides/reports.md?raw'
import {
  getCashFlow,
  getIncomeStatement,
  getSpending,
  getSpendingCsv,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createPayee, updatePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  createTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { tablesBelow } from '../../support/documents.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'

const table = (heading: string, at = 0): string[][] => tablesBelow(document, heading)[at] ?? []

const SPAN = { from: '2026-01-01', to: '2026-03-31' }

const category = (as: Principal, name: string, more: object = {}) =>
  ok(createCategory, { as, json: { name, kind: 'expense', ...more } })

type Query = NonNullable<Parameters<typeof ok<typeof getSpending>>[1]>['query']

const ownOf = async (as: Principal, query: Query = {}) => {
  const found = await ok(getSpending, { as, query: { ...SPAN, ...query } })
  return {
    ...found,
    own: [
      ...found.rows.map(({ key, name, own }) => [name ?? key, own]),
      ['total', found.total.amount],
      ['overlap', found.overlap.amount],
    ],
  }
}

describe('spending', () => {
  it('counts a part with two tags in both rows, and says so', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [trip, food] = [
      await ok(createTag, { as: me, json: { name: 'Trip' } }),
      await ok(createTag, { as: me, json: { name: 'Food' } }),
    ]
    const day = { date: '2026-01-05' }
    await book(me, account, { ...day, amount: '40', tagIds: [trip.id, food.id] })
    await book(me, account, { ...day, amount: '10', tagIds: [trip.id] })
    await book(me, account, { ...day, amount: '5' })
    const found = await ownOf(me, { by: 'tag' })
    expect(found.own).toEqual(table('Rows'))
    expect(found.rows.map(({ share }) => share)).toEqual(['90.9', '72.7', '9.1'])
  })

  it('shares the rounded amount of a cell over its lines', async () => {
    const me = await newUser()
    const account = await newAccount(me, { currency: 'USD' })
    await ok(createExchangeRate, {
      as: me,
      json: { from: 'USD', to: 'EUR', date: '2026-01-01', rate: '0.8' },
    })
    const food = await category(me, 'Food')
    for (const name of ['A', 'B', 'C']) {
      const { id } = await ok(createPayee, { as: me, json: { name } })
      await book(me, account, {
        ...{ date: '2026-01-05', amount: '0.01', categoryId: food.id, payeeId: id },
      })
    }
    const { rows, total } = await ownOf(me, { by: 'payee' })
    expect(rows.map(({ name, own }) => [name, own])).toEqual(table('Conversion'))
    expect(total.amount).toBe('0.02')
    expect((await ownOf(me)).total.amount).toBe('0.02')
  })

  it('answers this month by category in the own currency without parameters', async () => {
    const me = await newUser({ baseCurrency: 'CHF', timeZone: 'Pacific/Kiritimati' })
    const found = await ok(getSpending, { as: me })
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Kiritimati' }).format(new Date())
    expect(found).toMatchObject({ from: `${day.slice(0, 7)}-01`, currency: 'CHF', by: 'category' })
    expect(found.rows).toEqual([])
  })

  it('keeps the largest rows, and joins the others', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    for (const [at, amount] of ['5', '40', '20', '1'].entries()) {
      const { id } = await category(me, `C${at}`)
      await book(me, account, { date: '2026-02-05', amount, categoryId: id })
    }
    const { own } = await ownOf(me, { limit: '2' })
    expect(own.slice(0, -2)).toEqual([
      ['C1', '40.00'],
      ['C2', '20.00'],
      ['other', '6.00'],
    ])
  })

  it('takes the payee of the whole for a part without one, and the tags of both', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [whole, part] = [
      await ok(createPayee, { as: me, json: { name: 'Whole' } }),
      await ok(createPayee, { as: me, json: { name: 'Part' } }),
    ]
    const [one, two] = [
      await ok(createTag, { as: me, json: { name: 'One' } }),
      await ok(createTag, { as: me, json: { name: 'Two' } }),
    ]
    await book(me, account, {
      ...{ date: '2026-01-05', amount: '10', payeeId: whole.id, tagIds: [one.id] },
      splits: [{ amount: '3', payeeId: part.id, tagIds: [two.id] }, { amount: '7' }],
    })
    expect((await ownOf(me, { by: 'payee' })).own.slice(0, 2)).toEqual([
      ['Whole', '7.00'],
      ['Part', '3.00'],
    ])
    const tags = await ownOf(me, { by: 'tag' })
    expect(tags.own).toEqual([
      ['One', '10.00'],
      ['Two', '3.00'],
      ['total', '10.00'],
      ['overlap', '3.00'],
    ])
  })

  it('counts the transactions that a line of text or a condition finds', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const food = await category(me, 'Food')
    await book(me, account, {
      ...{ date: '2026-01-05', amount: '10', description: 'Market' },
      splits: [{ amount: '4', categoryId: food.id }, { amount: '6' }],
    })
    await book(me, account, { date: '2026-01-06', amount: '100', description: 'Rent' })
    expect((await ownOf(me, { q: 'market' })).own.slice(0, 2)).toEqual([
      ['none', '6.00'],
      ['Food', '4.00'],
    ])
    const condition = JSON.stringify({ field: 'amount', op: 'above', value: '50' })
    expect((await ownOf(me, { condition, by: 'account' })).total.amount).toBe('100.00')
    const { totals } = await ok(getIncomeStatement, { as: me, query: { ...SPAN, q: 'food' } })
    expect(totals.spent).toBe('0.00')
  })
})

describe('refunds', () => {
  it('lower what was spent, on their own day', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const shoes = await category(me, 'Shoes')
    const bought = await book(me, account, {
      ...{ date: '2026-01-10', amount: '100', categoryId: shoes.id },
    })
    const spent = async () => {
      const { periods } = await ok(getIncomeStatement, {
        as: me,
        query: { from: '2026-01-01', to: '2026-02-28', interval: 'month' },
      })
      return periods.map((one) => [one.from.slice(0, 7), one.spent])
    }
    const back = await book(me, account, { kind: 'income', date: '2026-02-10', amount: '30' })
    expect(await spent()).toEqual([
      ['2026-01', '100.00'],
      ['2026-02', '0.00'],
    ])
    const link = { kind: 'refundOf' as const, transactionId: bought.id }
    await ok(createTransactionLink, { as: me, id: back.id, json: link })
    expect(await spent()).toEqual(table('Refunds'))
    const query = { from: '2026-02-01', to: '2026-02-28' }
    const { rows, total } = await ok(getSpending, { as: me, query })
    expect(rows.map(({ name, own, share }) => [name, own, share])).toEqual([
      ['Shoes', '-30.00', '100.0'],
    ])
    expect(total.amount).toBe('-30.00')
  })
})

describe('what is not counted', () => {
  it('is listed: excluded categories and those below, and what has no rate', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const yen = await newAccount(me, { currency: 'JPY' })
    const work = await category(me, 'Work', { excludeFromReports: true })
    const travel = await category(me, 'Travel', { parentId: work.id })
    await book(me, account, { date: '2026-01-05', amount: '50', categoryId: travel.id })
    await book(me, account, { date: '2026-01-05', amount: '7' })
    await book(me, yen, { date: '2026-01-06', amount: '900' })
    await book(me, yen, { date: '2026-02-06', amount: '100', kind: 'income' })
    await book(me, yen, { date: '2026-02-07', amount: '1', categoryId: travel.id })
    const found = await ok(getIncomeStatement, { as: me, query: SPAN })
    expect(found.totals).toMatchObject({ earned: '0.00', spent: '7.00' })
    expect(found.spent.map(({ categoryId }) => categoryId)).toEqual([null])
    expect(found.excluded).toEqual({ earned: '0.00', spent: '50.00' })
    const span = { from: '2026-01-06', to: '2026-02-06' }
    expect(found.unconverted).toEqual([
      { accountId: yen.id, currency: 'JPY', earned: '100', spent: '900', ...span },
    ])
    const each = await ok(getSpending, { as: me, query: { ...SPAN, currency: 'none' } })
    expect(each.total.byCurrency).toEqual([
      { currency: 'EUR', amount: '7.00' },
      { currency: 'JPY', amount: '900' },
    ])
    expect(each).toMatchObject({ currency: null, unconverted: [], ratesAsOf: null })
    const cash = await ok(getCashFlow, { as: me, query: { ...SPAN, currency: 'none' } })
    expect(cash.periods[0]?.byCurrency?.[0]).toMatchObject({ in: '0.00', out: '-57.00' })
    expect(cash.excluded.byCurrency?.[0]).toEqual({
      ...{ currency: 'EUR', earned: '0.00', spent: '50.00' },
    })
  })

  it('is excluded by its row, its fee or its payee, and once if by several', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const work = await category(me, 'Work', { excludeFromReports: true })
    const friend = await ok(createPayee, {
      as: me,
      json: { name: 'Friend', excludeFromReports: true },
    })
    const shop = await ok(createPayee, { as: me, json: { name: 'Shop' } })
    const day = { date: '2026-01-05' }
    await book(me, account, { ...day, amount: '1' })
    await book(me, account, { ...day, amount: '10', kind: 'income', excludeFromReports: true })
    const thrice = { categoryId: work.id, payeeId: friend.id, excludeFromReports: true }
    await book(me, account, { ...day, amount: '100', ...thrice })
    const splits = [{ amount: '1000', payeeId: shop.id }, { amount: '2000' }]
    await book(me, account, { ...day, amount: '3000', payeeId: friend.id, splits })
    const json = { fromAccountId: account.id, toAccountId: other.id, ...day, amount: '80' }
    const fee = { fee: { amount: '2' }, excludeFromReports: true }
    const moved = await ok(createTransfer, { as: me, json: { ...json, ...fee } })
    const excluded = { earned: '10.00', spent: '2102.00' }
    for (const by of ['category', 'payee', 'tag', 'account', 'member'] as const) {
      const found = await ok(getSpending, { as: me, query: { ...SPAN, by } })
      expect([found.total.amount, found.excluded], by).toEqual(['1001.00', excluded])
    }
    const cash = await ok(getCashFlow, { as: me, query: SPAN })
    expect(cash.periods[0]).toMatchObject({ in: '10.00', out: '-3103.00', closing: '-3093.00' })
    expect(cash.excluded).toEqual(excluded)
    await ok(updatePayee, { as: me, id: friend.id, json: { excludeFromReports: false } })
    await ok(updateTransfer, { as: me, id: moved.id, json: { excludeFromReports: false } })
    const { totals } = await ok(getIncomeStatement, { as: me, query: SPAN })
    expect(totals.spent).toBe('3003.00')
  })

  it('is what a transfer moves; its fee is spent', async () => {
    const me = await newUser()
    const [from, to] = [await newAccount(me), await newAccount(me)]
    const json = { fromAccountId: from.id, toAccountId: to.id, date: '2026-01-05', amount: '80' }
    await ok(createTransfer, { as: me, json: { ...json, fee: { amount: '2' } } })
    expect((await ownOf(me, { by: 'account' })).own[0]).toEqual([from.name, '2.00'])
    const query = { ...SPAN, accountIds: from.id }
    const { periods } = await ok(getCashFlow, { as: me, query })
    expect(periods[0]).toMatchObject({ out: '-2.00', currencyEffect: '0.00' })
    expect(Number(periods[0]?.otherAccounts)).toBe(-78)
  })
})

describe('intervals', () => {
  it('are all that have a day in the span, and say where it cuts them', async () => {
    const me = await newUser()
    const ask = (interval: 'week' | 'month' | 'quarter' | 'year') =>
      ok(getIncomeStatement, { as: me, query: { from: '2026-01-15', to: '2026-03-31', interval } })
    const daysOf = async (interval: Parameters<typeof ask>[0]) =>
      (await ask(interval)).periods.map(({ from, to, partial }) => [from, to, partial])
    expect(await daysOf('month')).toEqual([
      ['2026-01-15', '2026-01-31', true],
      ['2026-02-01', '2026-02-28', false],
      ['2026-03-01', '2026-03-31', false],
    ])
    expect(await daysOf('quarter')).toEqual([['2026-01-15', '2026-03-31', true]])
    expect(await daysOf('year')).toEqual([['2026-01-15', '2026-03-31', true]])
    expect((await daysOf('week')).slice(0, 2)).toEqual([
      ['2026-01-15', '2026-01-18', true],
      ['2026-01-19', '2026-01-25', false],
    ])
  })

  it('do not move: a later rate or refund changes no month that is over', async () => {
    const me = await newUser()
    const account = await newAccount(me, { currency: 'USD' })
    const rate = (date: string, text: string) =>
      ok(createExchangeRate, { as: me, json: { from: 'USD', to: 'EUR', date, rate: text } })
    await rate('2026-01-01', '0.8')
    await book(me, account, { date: '2026-01-20', amount: '10' })
    const query = { period: '2026-01', currency: 'EUR', by: 'payee' as const }
    const january = () => ok(getSpending, { as: me, query })
    const before = await january()
    expect(before.total.amount).toBe('8.00')
    await rate('2026-02-01', '0.5')
    await book(me, account, { date: '2026-02-20', amount: '10', kind: 'income' })
    expect(await january()).toEqual(before)
  })

  it('an answer has an ETag of its body', async () => {
    const me = await newUser()
    for (const route of [getSpending, getSpendingCsv] as const) {
      const { headers } = await call(route, { as: me, query: { period: '2026' } })
      const etag = headers.get('ETag') ?? ''
      expect(etag).toMatch(/^"[\w-]{16}"$/)
      const again = await call(route, {
        ...{ as: me, query: { period: '2026' }, headers: { 'If-None-Match': etag } },
      })
      expect(again.status).toBe(304)
    }
  })
})
