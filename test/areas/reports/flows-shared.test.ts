import { beforeAll, describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  getCashFlow,
  getIncomeStatement,
  getSpending,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { acceptShare, deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book } from '../transactions/booking.ts'

const MARCH = { period: '2026-03' }
const DAY = { date: '2026-03-05' }

let ada: TestUser
let ben: TestUser
let shared: { id: string }
let hidden: { id: string }
let shareId: string

/** What Ada books on an account that Ben sees; with private lines on categories and payees of theirs, if told. */
async function bookAll(as: TestUser, account: { id: string }, withPrivate: boolean) {
  const category = (name: string, parentId?: string) =>
    ok(createCategory, { as, json: { name, kind: 'expense', ...(parentId ? { parentId } : {}) } })
  const living = await category('Living')
  const food = await category('Food', living.id)
  const secret = await category('Secret')
  const payee = (name: string) => ok(createPayee, { as, json: { name } })
  const [shop, jeweller] = [await payee('Shop'), await payee('Jeweller')]
  const tag = await ok(createTag, { as, json: { name: 'Trip' } })
  const seen = { ...DAY, categoryId: food.id, payeeId: shop.id }
  await book(as, account, { ...seen, amount: '20', tagIds: [tag.id] })
  await book(as, account, { ...seen, amount: '5' })
  await book(as, account, { ...seen, amount: '2', kind: 'income' })
  if (withPrivate) {
    const mine = { ...DAY, private: true, payeeId: jeweller.id }
    await book(as, account, { ...mine, amount: '1000', categoryId: secret.id })
    await book(as, account, { ...mine, amount: '3000', categoryId: food.id })
    await book(as, account, { ...mine, date: '2026-03-09', amount: '400', categoryId: food.id })
  }
}

beforeAll(async () => {
  ada = await newUser({ name: 'Ada' })
  ben = await newUser({ name: 'Ben' })
  shared = await newAccount(ada, { name: 'Joint' })
  hidden = await newAccount(ada, { name: 'Hidden' })
  await bookAll(ada, shared, true)
  await book(ada, hidden, { ...DAY, amount: '7' })
  await ok(createTransfer, {
    as: ada,
    json: { fromAccountId: shared.id, toAccountId: hidden.id, ...DAY, amount: '50' },
  })
  shareId = (await share(ada, shared, ben, { permission: 'view' })).id
  await ok(acceptShare, { as: ben, id: shareId, json: { includeInTotals: true } })
})

const BREAKDOWNS = ['category', 'payee', 'tag', 'account', 'member'] as const

describe('a receiver', () => {
  it('sees what a household with only that would show', async () => {
    const other = await newUser({ name: 'Ada' })
    await bookAll(other, await newAccount(other, { name: 'Joint' }), false)
    for (const interval of ['day', 'month', undefined] as const) {
      for (const by of BREAKDOWNS) {
        const query = { ...MARCH, by, ...(interval ? { interval } : {}) }
        const ask = async (as: Principal) => {
          const { rows, total, overlap, excluded } = await ok(getSpending, { as, query })
          return {
            rows: rows
              .filter(({ own, total: all }) => own !== '0.00' || all === '0.00')
              .map(({ name, own, share: part, periods }) => [name, own, part, periods]),
            ...{ total, overlap, excluded },
          }
        }
        expect(await ask(ben), `${by} ${interval}`).toEqual(await ask(other))
      }
    }
  })

  it('narrows a report by the keys of its rows, as names of the owner are found only with the right to annotate', async () => {
    const { rows } = await ok(getSpending, { as: ben, query: { ...MARCH, by: 'payee' } })
    const [shop] = rows
    expect([shop?.name, shop?.own]).toEqual(['Shop', '23.00'])
    const total = async (q: string, as: Principal = ben) => {
      const { status, body, error } = await call(getSpending, { as, query: { ...MARCH, q } })
      return status === 200 ? body.total.amount : error.code
    }
    expect(await total('payee:Shop')).toBe('search.unknownName')
    expect(await total(`payee:${shop?.key}`)).toBe('23.00')
    const carl = await newUser()
    await share(ada, shared, carl, { permission: 'write' })
    const query = { ...MARCH, accountIds: shared.id, q: 'payee:Shop' }
    expect((await ok(getSpending, { as: carl, query })).total.amount).toBe('23.00')
  })

  it('learns no name above a category, nor that there is something private', async () => {
    const { spent, totals } = await ok(getIncomeStatement, { as: ben, query: MARCH })
    expect(spent.map(({ name, path, depth, own }) => [name, path, depth, own])).toEqual([
      ['Food', 'Food', 1, '23.00'],
    ])
    expect(totals.spent).toBe('23.00')
    const own = await ok(getIncomeStatement, { as: ada, query: MARCH })
    expect(own.spent.map(({ path }) => path)).toEqual(['Living', 'Living / Food', 'Secret', null])
    expect(own.totals.spent).toBe('4430.00')
  })

  it('finds what is private to somebody else in a cash flow as adjustments', async () => {
    const query = { ...MARCH, currency: 'none' }
    const { periods } = await ok(getCashFlow, { as: ben, query })
    expect(periods[0]?.byCurrency?.[0]).toEqual({
      ...{ currency: 'EUR', opening: '0.00', in: '0.00', out: '-23.00', exchange: '0.00' },
      ...{ otherAccounts: '-50.00', adjustments: '-4400.00', closing: '-4473.00' },
    })
  })

  it('does not count what the owner excludes', async () => {
    const spent = async () => (await ok(getIncomeStatement, { as: ben, query: MARCH })).totals.spent
    const json = { name: 'Guest', excludeFromReports: true }
    const payee = await ok(createPayee, { as: ada, json })
    await book(ada, shared, { ...DAY, amount: '500', payeeId: payee.id })
    // It is hidden and excluded, and taken off once.
    await book(ada, shared, { ...DAY, amount: '600', payeeId: payee.id, private: true })
    expect(await spent()).toBe('23.00')
    const { excluded } = await ok(getSpending, { as: ben, query: MARCH })
    expect(excluded).toEqual({ earned: '0.00', spent: '500.00' })
  })

  it('excludes a transaction for all who see it, with the right to annotate', async () => {
    const row = await book(ada, hidden, { ...DAY, amount: '9' })
    const [dora, carl] = [await newUser(), await newUser()]
    await share(ada, hidden, dora, { permission: 'annotate' })
    await share(ada, hidden, carl, { permission: 'view' })
    const json = { excludeFromReports: true }
    const exclude = async (as: Principal) =>
      (await call(updateTransaction, { as, id: row.id, json })).status
    expect([await exclude(carl), await exclude(dora)]).toEqual([403, 200])
    const query = { ...MARCH, accountIds: hidden.id }
    for (const as of [ada, carl, dora]) {
      expect((await ok(getSpending, { as, query })).excluded).toMatchObject({ spent: '9.00' })
    }
  })

  it('counts the account only in reports that name it, unless it counts in the totals', async () => {
    await ok(acceptShare, { as: ben, id: shareId, json: { includeInTotals: false } })
    const total = async (query: { accountIds?: string }) =>
      (await ok(getSpending, { as: ben, query: { ...MARCH, ...query } })).total.amount
    expect(await total({})).toBe('0.00')
    expect(await total({ accountIds: shared.id })).toBe('23.00')
    await ok(acceptShare, { as: ben, id: shareId, json: { includeInTotals: true } })
    expect(await total({})).toBe('23.00')
  })

  it('sees own private bookings on the account, and the owner does, too', async () => {
    const carl = await newUser({ name: 'Carl' })
    await share(ada, hidden, carl, { permission: 'write' })
    await book(carl, hidden, { ...DAY, amount: '3', private: true })
    const query = { ...MARCH, accountIds: hidden.id, by: 'member' as const }
    const members = async (as: Principal) =>
      (await ok(getSpending, { as, query })).rows.map(({ name, own }) => [name, own])
    const both = [
      ['Ada', '7.00'],
      ['Carl', '3.00'],
    ]
    expect(await members(carl)).toEqual(both)
    expect(await members(ada)).toEqual(both)
  })
})

describe('who sees less', () => {
  it('a token for some accounts reports these only, and transfers to others as such', async () => {
    const { token } = await ok(createAccessToken, {
      as: ada,
      json: { name: 'x', scopes: ['read'], accountIds: [shared.id] },
    })
    const as = { accessToken: token }
    const { rows } = await ok(getSpending, { as, query: { ...MARCH, by: 'account' } })
    expect(rows.map(({ name }) => name)).toEqual(['Joint'])
    const { periods } = await ok(getCashFlow, { as, query: MARCH })
    expect(periods[0]?.otherAccounts).toBe('-50.00')
    expect((await ok(getCashFlow, { as: ada, query: MARCH })).periods[0]?.otherAccounts).toBe(
      '0.00',
    )
    const { error } = await call(getSpending, { as, query: { accountIds: hidden.id } })
    expect(error.code).toBe('reports.unknownAccount')
  })

  it('a former receiver sees nothing', async () => {
    const dora = await newUser()
    const { id } = await share(ada, shared, dora, { permission: 'view' })
    const query = { ...MARCH, accountIds: shared.id, by: 'payee' as const }
    expect((await call(getSpending, { as: dora, query })).status).toBe(200)
    await ok(deleteShare, { as: ada, id })
    const { error } = await call(getSpending, { as: dora, query })
    expect(error.code).toBe('reports.unknownAccount')
    expect((await ok(getSpending, { as: dora, query: MARCH })).rows).toEqual([])
  })
})
