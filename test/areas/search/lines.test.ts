import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { parseSearch } from '../../../src/areas/insight/search/search.routes.ts'
import { getRegister } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { listExpenses } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { runRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { share } from '../sharing/sharing.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'

const find = async (as: Principal, q: string) =>
  (await ok(listTransactions, { as, query: { q } })).transactions.map(({ id }) => id)

const parse = async (as: Principal, q: string, more: { for?: 'lists' | 'rules' } = {}) =>
  (await ok(parseSearch, { as, json: { q, ...more } })).condition

const refusalOf = async (as: Principal, q: string) =>
  refusal(await call(parseSearch, { as, json: { q } }))

async function household() {
  const me = await newUser()
  const account = await newAccount(me, { name: 'Everyday' })
  const payee = (name: string) => ok(createPayee, { as: me, json: { name } })
  const category = (name: string, parentId?: string) =>
    ok(createCategory, {
      as: me,
      json: { name, kind: 'expense', ...(parentId ? { parentId } : {}) },
    })
  const [bottle, rewe] = [await payee('Blue Bottle'), await payee('REWE')]
  const food = await category('Food')
  const bread = await category('Bread', food.id)
  const trip = await ok(createTag, { as: me, json: { name: 'Trip' } })
  const coffee = await book(me, account, {
    ...{ amount: '25', date: '2026-10-05', payeeId: bottle.id, description: 'Café crème' },
  })
  const loaf = await book(me, account, {
    ...{ amount: '4', date: '2026-10-31', payeeId: rewe.id, categoryId: bread.id },
    tagIds: [trip.id],
  })
  const rent = await book(me, account, { amount: '900', date: '2026-11-01', description: 'Rent' })
  return { me, account, bottle, rewe, food, bread, trip, coffee, loaf, rent }
}

describe('a line of text', () => {
  it('is turned into a condition, in one trip or with names in one, too', async () => {
    const { me, bottle, trip, food, bread } = await household()
    const json = { q: 'payee:"Blue Bottle" amount>20 date:2026-10 -tag:trip' }
    const parsed = await call(parseSearch, { as: me, json })
    expect([parsed.status, tripsOf(parsed)]).toEqual([200, 1])
    expect(parsed.body.condition).toEqual({
      all: [
        { field: 'payeeId', op: 'oneOf', value: [bottle.id] },
        { field: 'amount', op: 'above', value: '20' },
        { field: 'date', op: 'between', value: ['2026-10-01', '2026-10-31'] },
        { not: { field: 'tagId', op: 'oneOf', value: [trip.id] } },
      ],
    })
    const plain = await call(parseSearch, { as: me, json: { q: 'by:me' } })
    expect(tripsOf(plain)).toBe(1)
    expect(plain.body.condition).toEqual({ field: 'createdBy', op: 'is', value: me.id })
    expect(await parse(me, 'category:food')).toMatchObject({ op: 'within', value: [food.id] })
    expect(await parse(me, 'category:food', { for: 'rules' })).toEqual({
      ...{ field: 'categoryId', op: 'oneOf' },
      value: [food.id, bread.id],
    })
  })

  it.each([
    ['foo:bar', 'search.unknownField'],
    ['date:2026-02-30', 'search.malformed'],
    ['   ', 'search.malformed'],
    ['"open', 'search.malformed'],
    ['payee:nobody', 'search.unknownName'],
    ['', 'request.invalid'],
    ['x'.repeat(201), 'request.invalid'],
    ['a '.repeat(21), 'request.invalid'],
  ])('%s is refused everywhere', async (q, code) => {
    const me = await newUser()
    const account = await newAccount(me)
    const query = { q }
    expect(await refusalOf(me, q)).toEqual([400, code, 'q'])
    expect(refusal(await call(listTransactions, { as: me, query }))).toEqual([400, code, 'q'])
    expect(refusal(await call(listExpenses, { as: me, query }))).toEqual([400, code, 'q'])
    expect(refusal(await call(getRegister, { as: me, id: account.id, query }))).toEqual([
      ...[400, code, 'q'],
    ])
    const bulk = await call(deleteTransactions, { as: me, json: { filter: { q } } })
    expect(refusal(bulk)).toEqual([400, code, 'filter.q'])
    const run = await call(runRules, { as: me, json: { filter: { q } } })
    expect(refusal(run)).toEqual([400, code, 'filter.q'])
  })

  it('finds the same as its condition, in lists and in bulk requests', async () => {
    const { me, account, coffee, loaf, rent } = await household()
    for (const [q, found] of [
      ['cafe', [coffee]],
      ['"CAFE creme"', [coffee]],
      ['payee:blue', [coffee]],
      ['rewe', [loaf]],
      ['category:food tag:trip', [loaf]],
      ['category:none', [rent, coffee]],
      ['-tag:trip amount<100', [coffee]],
      ['date:2026-10', [loaf, coffee]],
      ['account:every amount>=25', [rent, coffee]],
      ['has:payee -payee:rewe,"blue bottle"', []],
    ] as const) {
      const ids = found.map(({ id }) => id)
      expect([q, await find(me, q)]).toEqual([q, ids])
      const condition = JSON.stringify(await parse(me, q))
      const { transactions } = await ok(listTransactions, { as: me, query: { condition } })
      expect([q, transactions.map(({ id }) => id)]).toEqual([q, ids])
    }
    const query = { q: 'amount>100' }
    expect((await ok(listExpenses, { as: me, query })).count).toBe(1)
    expect((await ok(getRegister, { as: me, id: account.id, query })).transactions).toHaveLength(1)
    const json = { filter: { q: 'payee:rewe' }, changes: { note: 'Bread' } }
    expect((await ok(updateTransactions, { as: me, json })).changed).toBe(1)
    expect(await find(me, 'note:bread')).toEqual([loaf.id])
  })

  it('takes a trip of its own only where it has names, and goes with a condition and filters', async () => {
    const { me, loaf } = await household()
    const trips = async (query: Record<string, string>) =>
      tripsOf(await call(listTransactions, { as: me, query }))
    expect(await trips({ q: 'rewe amount>1 tag:none' })).toBe(1)
    expect(await trips({ q: 'payee:rewe tag:trip' })).toBe(2)
    const condition = JSON.stringify({ field: 'date', op: 'is', value: '2026-10-31' })
    const query = { q: 'amount<100', condition, amountFrom: '3' }
    const { transactions } = await ok(listTransactions, { as: me, query })
    expect(transactions.map(({ id }) => id)).toEqual([loaf.id])
    const words = Array.from({ length: 20 }, (_, at) => `w${at}`)
    const all = (count: number) =>
      JSON.stringify({
        any: words.slice(0, count).map((value) => ({ field: 'text', op: 'contains', value })),
      })
    const both = async (some: number, others: number) => {
      const q = words.slice(0, others).join(' ')
      return call(listTransactions, { as: me, query: { condition: all(some), q } })
    }
    expect((await both(10, 10)).status).toBe(200)
    expect(refusal(await both(10, 11))).toEqual([400, 'conditions.invalid', 'q'])
    expect(refusal(await both(1, 20))).toEqual([400, 'conditions.invalid', 'q'])
  })

  it('filters a register, whose balances also count what is left out', async () => {
    const { me, account, coffee, loaf, rent } = await household()
    const register = async (query: Record<string, string | number>) => {
      const found = await ok(getRegister, { as: me, id: account.id, query })
      const rows = found.transactions.map(({ id, runningBalance }) => [id, runningBalance])
      return [found.count, rows, found.nextCursor] as const
    }
    const all = [
      [rent.id, '-929.00'],
      [loaf.id, '-29.00'],
      [coffee.id, '-25.00'],
    ]
    expect(await register({})).toEqual([3, all, null])
    expect(await register({ q: 'amount>1' })).toEqual([3, all, null])
    expect(await register({ q: '-payee:rewe' })).toEqual([2, [all[0], all[2]], null])
    const condition = JSON.stringify({ field: 'payeeId', op: 'is', value: loaf.payeeId })
    expect(await register({ condition })).toEqual([1, [all[1]], null])
    expect(await register({ condition, q: 'rent' })).toEqual([0, [], null])
    const [count, rows, cursor] = await register({ q: '-payee:rewe', limit: 1 })
    expect([count, rows]).toEqual([2, [all[0]]])
    expect(await register({ q: '-payee:rewe', limit: 1, cursor: cursor ?? '' })).toEqual([
      ...[2, [all[2]], null],
    ])
  })

  it('is what a cursor is bound to', async () => {
    const { me } = await household()
    const page = await ok(listTransactions, { as: me, query: { q: 'amount>1', limit: 1 } })
    const cursor = page.nextCursor ?? ''
    const again = (q: string) => call(listTransactions, { as: me, query: { q, limit: 1, cursor } })
    expect((await again('amount>1')).status).toBe(200)
    expect(refusal(await again('amount>2'))).toEqual([400, 'request.invalidCursor', 'cursor'])
  })
})

describe('the names in a line', () => {
  it('are those of others only where the caller may annotate their transactions', async () => {
    const { me, account, rewe } = await household()
    const [viewer, helper, stranger] = [await newUser(), await newUser(), await newUser()]
    await share(me, account, viewer, { permission: 'view' })
    const { id } = await share(me, account, helper, { permission: 'annotate' })
    expect(await parse(helper, 'payee:rewe')).toMatchObject({ value: [rewe.id] })
    for (const other of [viewer, stranger]) {
      for (const q of ['payee:rewe', 'tag:trip', 'category:food', 'payee:rwe']) {
        const { error } = await call(parseSearch, { as: other, json: { q } })
        expect([q, error.code]).toEqual([q, 'search.unknownName'])
        expect(error.error).toMatch(/begins with it\.$/)
      }
    }
    expect(await parse(viewer, 'account:everyday')).toMatchObject({ value: [account.id] })
    expect(await refusalOf(stranger, 'account:everyday')).toEqual([
      ...[400, 'search.unknownName', 'q'],
    ])
    const { error } = await call(parseSearch, { as: helper, json: { q: 'payee:Rwe' } })
    expect(error.error).toContain('Similar names: “REWE”.')
    await ok(deleteShare, { as: me, id })
    expect(await refusalOf(helper, 'payee:rewe')).toEqual([400, 'search.unknownName', 'q'])
  })

  it('are found for a token only if it may read them, or the transactions that have them', async () => {
    const me = await newUser()
    await newAccount(me, { name: 'Savings' })
    await ok(createPayee, { as: me, json: { name: 'Rewe' } })
    await ok(createTag, { as: me, json: { name: 'trip' } })
    for (const q of ['payee:rewe', 'payee:rwe', 'account:savings', 'tag:trp']) {
      for (const scopes of [['search.read'], ['search.read', 'categories.read']] as const) {
        const as = await giveToken(me, [...scopes])
        const { status, error } = await call(parseSearch, { as, json: { q } })
        expect([status, error.code]).toEqual([400, 'search.unknownName'])
        expect(error.error).not.toContain('Similar')
      }
    }
    const as = await giveToken(me, ['search.read', 'payees.read'])
    expect((await call(parseSearch, { as, json: { q: 'payee:rewe' } })).status).toBe(200)
  })

  it('of accounts are those that a token is for', async () => {
    const { me } = await household()
    const other = await newAccount(me, { name: 'Savings' })
    const { token } = await ok(createAccessToken, {
      as: me,
      json: { name: 'x', scopes: ['search.read', 'transactions.read'], accountIds: [other.id] },
    })
    const restricted = { accessToken: token }
    expect(await parse(restricted, 'account:savings')).toMatchObject({ value: [other.id] })
    expect(await refusalOf(restricted, 'account:everyday')).toEqual([
      ...[400, 'search.unknownName', 'q'],
    ])
    expect(await find(restricted, 'rent')).toEqual([])
  })
})
