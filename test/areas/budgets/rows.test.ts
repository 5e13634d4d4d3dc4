import { describe, expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { listLineTransactions } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { shareAccountToGroup } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { formatMoney, parseMoney, sum } from '../../../src/domain/money.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newHousehold } from '../groups/groups.ts'
import { randomFrom } from '../../support/random.ts'

import { book, refusal, tripsOf } from '../transactions/booking.ts'
import { newBudget, newLine, periodOf } from './budgets.fixtures.ts'

const minorOf = (text: string) => parseMoney(text, 'EUR', { signed: true })

/** All rows of a line in a period, in pages of a few. */
async function rowsOf(as: Principal, path: { id: string; lineId: string }, period: string) {
  const found = []
  let cursor: string | null | undefined
  let count: number | undefined
  do {
    const query = { period, limit: 3, ...(cursor ? { cursor } : {}) }
    const page = await ok(listLineTransactions, { as, path, query })
    expect(count ?? page.count).toBe(page.count)
    count = page.count
    found.push(...page.transactions)
    cursor = page.nextCursor
  } while (cursor)
  expect(found).toHaveLength(count)
  return found
}

const sumOf = (found: { counted: string | null }[]) =>
  formatMoney(sum(found.map(({ counted }) => minorOf(counted ?? '0'))), 'EUR')

const rateOf = (as: Principal, date: string, rate: string) =>
  ok(createExchangeRate, { as, json: { from: 'USD', to: 'EUR', date, rate } })

const PERIODS = ['2026-01-01', '2026-02-01', '2026-03-01']

/** Accounts in two currencies with a card, and a tree of categories. */
async function newBooks(as: Principal) {
  await rateOf(as, '2026-01-01', '0.85')
  await rateOf(as, '2026-01-20', '0.8749')
  await rateOf(as, '2026-03-03', '0.9013')
  const open = (type: 'checking' | 'creditCard' | 'investment', currency: string) =>
    newAccount(as, { type, currency, openingBalance: '10000', openingDate: '2025-12-01' })
  const category = (name: string, parentId?: string, kind: 'expense' | 'income' = 'expense') =>
    ok(createCategory, { as, json: { name, kind, ...(parentId ? { parentId } : {}) } })
  const food = await category('Food')
  const out = await category('Out', food.id)
  const coffee = await category('Coffee', out.id)
  const home = await category('Home')
  const other = await category('Other')
  const hidden = await ok(createCategory, {
    as,
    json: { name: 'Business', kind: 'expense', excludeFromBudget: true },
  })
  const salary = await category('Salary', undefined, 'income')
  const tag = await ok(createTag, { as, json: { name: 'Trip' } })
  const payee = await ok(createPayee, { as, json: { name: 'Shop' } })
  return {
    accounts: [
      await open('checking', 'EUR'),
      await open('checking', 'USD'),
      await open('creditCard', 'EUR'),
      await open('creditCard', 'USD'),
    ],
    depot: await open('investment', 'EUR'),
    categories: [food, out, coffee, home, other, hidden],
    salary,
    tag,
    payee,
  }
}

type Books = Awaited<ReturnType<typeof newBooks>>

/** Books by chance: expenses, refunds, splits, income and transfers, some of them pending, void or private. */
async function bookAtRandom(
  as: Principal,
  { accounts, depot, categories, salary, tag, payee }: Books,
  count: number,
  seed: number,
) {
  const { whole, chance, pick } = randomFrom(seed)
  const amount = () => formatMoney(whole(1, 5000), 'EUR')
  // Few days, so that rows share the rounding of theirs.
  const date = () => `2026-0${whole(1, 3)}-${pick(['02', '03', '19', '20'])}`
  const categoryId = () => (chance(0.85) ? { categoryId: pick(categories).id } : {})
  const labels = () => ({
    ...(chance(0.4) ? { tagIds: [tag.id] } : {}),
    ...(chance(0.4) ? { payeeId: payee.id } : {}),
  })
  for (let at = 0; at < count; at++) {
    const account = pick(accounts)
    const common = {
      date: date(),
      status: pick(['cleared', 'cleared', 'uncleared', 'pending', 'void'] as const),
      private: chance(0.15),
    }
    if (chance(0.2)) {
      const to = pick([...accounts, depot].filter(({ id }) => id !== account.id))
      const toAmount = to.currency === account.currency ? {} : { toAmount: amount() }
      const fee = chance(0.3) ? { fee: { amount: '0.01', ...categoryId() } } : {}
      const json = { fromAccountId: account.id, toAccountId: to.id, amount: amount(), ...fee }
      const { date: on } = common
      const transfer = await ok(createTransfer, { as, json: { ...json, ...toAmount, date: on } })
      if (chance(0.5)) {
        await rows(
          'UPDATE entries SET category_id = ? WHERE transaction_id = ? AND flow_minor IS NOT NULL',
          pick(categories).id,
          transfer.id,
        )
      }
    } else if (chance(0.25)) {
      const parts = [formatMoney(whole(5000, 9000), 'EUR'), amount(), `-${amount()}`]
      const splits = parts.map((part) => ({ amount: part, ...categoryId(), ...labels() }))
      const total = formatMoney(sum(parts.map(minorOf)), 'EUR')
      await book(as, account, { ...common, amount: total, splits })
    } else if (chance(0.3)) {
      const categoryOf = chance(0.5) ? { categoryId: salary.id } : {}
      await book(as, account, {
        ...{ ...common, kind: 'income', amount: amount() },
        ...{ ...categoryOf, ...labels() },
      })
    } else {
      await book(as, account, { ...common, amount: amount(), ...categoryId(), ...labels() })
    }
  }
}

const named = (as: Principal, budget: { id: string }, name: string, scope: object) =>
  ok(createBudgetLine, {
    as,
    id: budget.id,
    json: { name, scope: scope as { kind: 'category'; ids: string[] } },
  })

describe('the rows of a line', () => {
  it.each([
    { countPending: true, countTransfers: true },
    { countPending: false, countTransfers: false },
  ])(`add up to what a limit spent, seed ${SEED}, %o`, async (options) => {
    const me = await newUser()
    const books = await newBooks(me)
    const [food, out, , home] = books.categories.map(({ id }) => id)
    const budget = await newBudget(me, { mode: 'limit', ...options })
    const [, dollars] = books.accounts
    await named(me, budget, 'Food', { kind: 'category', ids: [food] })
    await named(me, budget, 'Out and home', { kind: 'category', ids: [out, home] })
    await named(me, budget, 'Trip', { kind: 'tag', ids: [books.tag.id] })
    await named(me, budget, 'Shop', { kind: 'payee', ids: [books.payee.id] })
    await named(me, budget, 'Dollars', { kind: 'account', ids: [dollars?.id] })
    await named(me, budget, 'All', { kind: 'everything' })
    await bookAtRandom(me, books, rounds(60, 400), SEED)
    for (const period of PERIODS) {
      const { limit } = await periodOf(me, budget, period)
      expect(limit?.lines).toHaveLength(6)
      for (const { lineId, name, spent } of limit?.lines ?? []) {
        const found = await rowsOf(me, { id: budget.id, lineId }, period)
        expect(minorOf(sumOf(found)), `${name} in ${period}`).toBe(0 - minorOf(spent))
      }
    }
  })

  it(`add up to the activity of envelopes and cards, seed ${SEED}`, async () => {
    const me = await newUser()
    const books = await newBooks(me)
    const [food, out, , home] = books.categories.map(({ id }) => id ?? '')
    const budget = await newBudget(me, {
      mode: 'envelope',
      incomeInNextPeriod: [books.salary.id],
    })
    await named(me, budget, 'Food', { kind: 'category', ids: [food] })
    await named(me, budget, 'Out and home', { kind: 'category', ids: [out, home] })
    await bookAtRandom(me, books, rounds(60, 400), SEED)
    let moved = 0
    for (const period of PERIODS) {
      const { envelope } = await periodOf(me, budget, period)
      expect(envelope?.lines.map(({ kind }) => kind)).toEqual([
        ...['line', 'line', 'cardPayment', 'cardPayment'],
      ])
      for (const row of envelope?.lines ?? []) {
        const found = await rowsOf(me, { id: budget.id, lineId: row.lineId }, period)
        const ofLines = minorOf(row.moved ?? '0')
        moved += Math.abs(ofLines)
        expect(minorOf(sumOf(found)) + ofLines, `${row.name} in ${period}`).toBe(
          minorOf(row.activity),
        )
      }
    }
  })

  it(`leave out private rows of a group, seed ${SEED}`, async () => {
    const { id: groupId, owner, member, viewer } = await newHousehold()
    const books = await newBooks(owner)
    for (const { id } of books.accounts) {
      await ok(shareAccountToGroup, { as: owner, id, json: { groupId } })
    }
    const [food] = books.categories.map(({ id }) => id)
    const budget = await newBudget(owner, { mode: 'limit', groupId, countTransfers: true })
    await named(owner, budget, 'Food', { kind: 'category', ids: [food] })
    await named(owner, budget, 'All', { kind: 'everything' })
    await bookAtRandom(owner, books, rounds(60, 400), SEED)
    const hidden = await rows<{ id: string }>(
      'SELECT id FROM transactions WHERE private = 1 AND owner_id = ?',
      owner.id,
    )
    for (const period of PERIODS) {
      const { limit, outside } = await periodOf(viewer, budget, period)
      for (const { lineId, name, spent } of limit?.lines ?? []) {
        const path = { id: budget.id, lineId }
        const found = await rowsOf(viewer, path, period)
        expect(await rowsOf(member, path, period)).toEqual(found)
        expect(await rowsOf(owner, path, period)).toEqual(found)
        const notShown = name === 'All' ? minorOf(outside.private) : 0
        expect(minorOf(sumOf(found)), `${name} in ${period}`).toBe(notShown - minorOf(spent))
        const ids = found.map(({ transactionId }) => transactionId)
        expect(hidden.filter(({ id }) => ids.includes(id))).toEqual([])
      }
    }
  })

  it('share out the rounded sum of their day in the order of their ids', async () => {
    const me = await newUser()
    const dollars = await newAccount(me, { currency: 'USD', openingDate: '2026-01-01' })
    await rateOf(me, '2026-06-01', '0.85')
    await rateOf(me, '2026-06-07', '0.5')
    const budget = await newBudget(me, { mode: 'limit' })
    const line = await newLine(me, budget, 'Food')
    const { categoryId } = line
    const spend = (day: string, amount: string, parts: string[]) =>
      book(me, dollars, {
        ...{ date: `2026-06-${day}`, amount },
        ...(parts.length === 0
          ? { categoryId }
          : { splits: parts.map((part) => ({ amount: part, categoryId })) }),
      })
    await spend('03', '15.05', ['20.05', '-5.00'])
    for (const day of ['05', '05', '05', '07', '07', '07', '07']) {
      await spend(day, '0.01', [])
    }
    const found = await rowsOf(me, { id: budget.id, lineId: line.id }, '2026-06-01')
    expect(found.toReversed().map(({ date, amount, counted }) => [date, amount, counted])).toEqual([
      ['2026-06-03', '-20.05', '-17.04'],
      ['2026-06-03', '5.00', '4.25'],
      ['2026-06-05', '-0.01', '-0.01'],
      ['2026-06-05', '-0.01', '-0.01'],
      ['2026-06-05', '-0.01', '-0.01'],
      ['2026-06-07', '-0.01', '0.00'],
      ['2026-06-07', '-0.01', '-0.01'],
      ['2026-06-07', '-0.01', '-0.01'],
      ['2026-06-07', '-0.01', '0.00'],
    ])
    expect(found[0]).toMatchObject({ rate: '0.5', rateDate: '2026-06-07', currency: 'USD' })
  })

  it('count nowhere without a rate, and are listed all the same', async () => {
    const me = await newUser()
    const dinars = await newAccount(me, { currency: 'BHD', openingDate: '2026-01-01' })
    const budget = await newBudget(me, { mode: 'limit' })
    const { id: lineId, categoryId } = await newLine(me, budget, 'Food')
    await book(me, dinars, { amount: '2.500', date: '2026-06-18', categoryId })
    const [found] = await rowsOf(me, { id: budget.id, lineId }, '2026-06-01')
    expect(found).toMatchObject({ amount: '-2.500', counted: null, rate: null, rateDate: null })
  })

  it('take one trip, and are there only for who sees the budget', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await newAccount(me)
    const budget = await newBudget(me, { mode: 'limit' })
    const line = await newLine(me, budget, 'Food')
    const path = { id: budget.id, lineId: line.id }
    const asked = (as: Principal, more: object, query = {}) =>
      call(listLineTransactions, { as, path: { ...path, ...more }, query })
    expect(tripsOf(await asked(me, {}))).toBe(1)
    expect(refusal(await asked(other, {}))).toEqual([404, 'budgets.notFound'])
    expect(refusal(await asked(me, { lineId: someId('bln') }))).toEqual([
      404,
      'budgets.lineNotFound',
    ])
    const wrong = await asked(me, {}, { period: '2026-01-02' })
    expect(refusal(wrong)).toEqual([404, 'budgets.noSuchPeriod'])
    expect((await asked(me, {}, { limit: 0 })).status).toBe(400)
  })
})
