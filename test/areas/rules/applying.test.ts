import { describe, expect, it } from 'vitest'
import { createExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { createPayee, updatePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { deleteRule, updateRule } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTag, updateTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { acceptShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book, change, expenseOn, newCategory, tripsOf } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

/** The rules R1 to R5, and what they name. */
async function fiveRules(me: TestUser) {
  const amazon = await ok(createPayee, { as: me, json: { name: 'Amazon' } })
  const [shopping, big] = [await newCategory(me), await newCategory(me)]
  const online = await ok(createTag, { as: me, json: { name: 'online' } })
  const isAmazon = { field: 'payeeId', op: 'is', value: amazon.id }
  const rules = [
    await newRule(me, { changes: { payeeId: amazon.id } }),
    await newRule(me, {
      condition: isAmazon,
      changes: { categoryId: shopping.id, addTagIds: [online.id] },
    }),
    await newRule(me, {
      condition: { all: [isAmazon, { field: 'amount', op: 'from', value: '100.01' }] },
      ...{ changes: { categoryId: big.id }, stop: true },
    }),
    await newRule(me, {
      condition: { field: 'tagId', op: 'is', value: online.id },
      changes: { note: 'check the return period' },
    }),
    await newRule(me, {
      condition: { not: { field: 'categoryId', op: 'isEmpty' } },
      changes: { reviewed: true },
    }),
  ]
  return { amazon, shopping, big, online, ids: rules.map(({ id }) => id) }
}

const AMZN = 'AMZN Mktp DE'

describe('the rules R1 to R5', () => {
  it('make the same of the same rows, whichever way they come', async () => {
    const me = await newUser()
    const five = await fiveRules(me)
    const gifts = await newCategory(me)
    const sent = [
      { payeeRaw: AMZN, amount: '24.99' },
      { payeeRaw: AMZN, amount: '159.00' },
      { payeeRaw: 'REWE', amount: '12.00' },
    ]
    const asGift = { payeeRaw: AMZN, amount: '24.99', categoryId: gifts.id }
    const shopped = { payeeId: five.amazon.id, tagIds: [five.online.id] }
    const note = 'check the return period'
    const expected = [
      { ...shopped, categoryId: five.shopping.id, note, reviewed: true },
      { ...shopped, categoryId: five.big.id, note: null, reviewed: false },
      { payeeId: null, tagIds: [], categoryId: null, note: null, reviewed: false },
    ]
    const gift = { ...shopped, categoryId: gifts.id, note, reviewed: true }
    const one = await newAccount(me)
    for (const [at, draft] of [...sent, asGift].entries()) {
      expect(await book(me, one, draft)).toMatchObject(expected[at] ?? gift)
    }
    const json = { ...asGift, accountId: one.id, date: '2026-11-20' }
    expect(await ok(createExpense, { as: me, json })).toMatchObject(gift)
    const transactions = [...sent, asGift].map((draft) => expenseOn(one, draft))
    const bulk = await ok(createTransactions, { as: me, json: { transactions } })
    expect(bulk.results.map(({ transaction }) => transaction)).toMatchObject([...expected, gift])
    const two = await newAccount(me)
    const lines = sent.map(({ payeeRaw, amount }) => `2026-11-20,-${amount},${payeeRaw}`)
    const file = await uploaded(me, csv(lines, 'date,amount,payee'), { accountId: two.id })
    await committed(me, file.id)
    const query = { accountId: two.id, sort: 'amount' } as never
    const imported = await ok(listTransactions, { as: me, query })
    expect(
      imported.transactions.toSorted((a, b) => Number(a.amount) - Number(b.amount)),
    ).toMatchObject([expected[2], expected[0], expected[1]])
    expect(await differencesOf(me)).toEqual([])
  })

  it('are named by the history of what they changed', async () => {
    const me = await newUser()
    const { ids } = await fiveRules(me)
    const account = await newAccount(me)
    const { id } = await book(me, account, { payeeRaw: AMZN, amount: '159.00' })
    expect(await eventsOf(id)).toMatchObject([{ content: { ruleIds: ids.slice(0, 3) } }])
    const plain = await book(me, account)
    expect((await eventsOf(plain.id))[0]?.content).not.toHaveProperty('ruleIds')
  })

  it('do not work on edits, nor where the request leaves rules out', async () => {
    const me = await newUser()
    await fiveRules(me)
    const account = await newAccount(me)
    const left = await ok(createTransaction, {
      as: me,
      json: { ...expenseOn(account, { payeeRaw: AMZN }), applyRules: false },
    })
    expect(left).toMatchObject({ payeeId: null, categoryId: null })
    const transactions = [expenseOn(account, { payeeRaw: AMZN })]
    const bulk = { as: me, json: { transactions, applyRules: false } }
    const [made] = (await ok(createTransactions, bulk)).results
    expect(made?.transaction).toMatchObject({ payeeId: null, categoryId: null })
    const file = await uploaded(me, csv([`2026-11-20,-1.00,${AMZN}`], 'date,amount,payee'), {
      accountId: account.id,
    })
    await committed(me, file.id, { applyRules: false })
    const query = { accountId: account.id, amountTo: '1' }
    const [booked] = (await ok(listTransactions, { as: me, query })).transactions
    expect(booked).toMatchObject({ payeeRaw: AMZN, payeeId: null, tagIds: [] })
    const plain = await book(me, account)
    await change(me, plain, { payeeRaw: AMZN })
    const many = { ids: [left.id], changes: { note: 'x' } }
    await ok(updateTransactions, { as: me, json: many })
    for (const { id } of [left, plain]) {
      expect(await ok(getTransaction, { as: me, id })).toMatchObject({ payeeId: null, tagIds: [] })
    }
  })
})

describe('what the request says', () => {
  it('stays unless the rule overwrites, null included; a default is not said', async () => {
    const me = await newUser()
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const changes = { categoryId: food.id, note: 'by rule', status: 'cleared', reviewed: true }
    const rule = await newRule(me, { changes })
    const account = await newAccount(me)
    const draft = { payeeRaw: AMZN }
    expect(await book(me, account, draft)).toMatchObject(changes)
    const said = { categoryId: null, note: null, status: 'uncleared', reviewed: false } as const
    expect(await book(me, account, { ...draft, ...said })).toMatchObject(said)
    const named = { ...draft, categoryName: home.name }
    expect((await book(me, account, named)).categoryId).toBe(home.id)
    await ok(updateRule, { as: me, id: rule.id, json: { overwrite: true } })
    expect(await book(me, account, { ...draft, ...said })).toMatchObject(changes)
    expect((await book(me, account, named)).categoryId).toBe(food.id)
  })
})

describe('a transfer', () => {
  const move = (from: string, to: string, more = {}) => ({
    ...{ fromAccountId: from, toAccountId: to, date: '2026-11-20', amount: '5' },
    ...{ description: 'Savings', ...more },
  })

  it('is made by a rule of an expense, as far as it can be', async () => {
    const me = await newUser()
    const [one, two, dollars] = [
      await newAccount(me),
      await newAccount(me),
      await newAccount(me, { currency: 'USD' }),
    ]
    await newRule(me, { changes: { transferAccountId: two.id, note: 'moved' } })
    const sent = { payeeRaw: AMZN }
    for (const _ of [1, 2]) {
      const moved = await book(me, one, sent)
      expect(moved).toMatchObject({ kind: 'transfer', note: 'moved', status: 'uncleared' })
    }
    expect(await book(me, dollars, sent)).toMatchObject({ kind: 'expense', note: null })
    expect(await book(me, two, sent)).toMatchObject({ kind: 'expense', note: null })
    await rows("UPDATE accounts SET status = 'closed' WHERE id = ?", two.id)
    expect(await book(me, one, sent)).toMatchObject({ kind: 'expense', note: null })
    expect(await differencesOf(me)).toEqual([])
  })

  it('is changed by a rule in description, note, category, tags and status', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const category = await newCategory(me)
    const payee = await ok(createPayee, { as: me, json: { name: 'Bank' } })
    await newRule(me, {
      condition: { field: 'kind', op: 'is', value: 'transfer' },
      changes: {
        note: '{description}!',
        categoryId: category.id,
        status: 'cleared',
        payeeId: payee.id,
      },
    })
    const made = await ok(createTransfer, { as: me, json: move(one.id, two.id) })
    expect(made.from).toMatchObject({ note: 'Savings!', status: 'cleared', payeeId: null })
    expect(made.categoryId).toBe(category.id)
    const plain = move(one.id, two.id, { applyRules: false })
    expect((await ok(createTransfer, { as: me, json: plain })).from.note).toBeNull()
  })
})

it('parts are made by a rule, and a rule whose parts do not come out is left out', async () => {
  const me = await newUser()
  const [food, home] = [await newCategory(me), await newCategory(me)]
  const splits = [
    { fixed: '5.00', categoryId: food.id },
    { rest: 1, categoryId: home.id, note: 'rest' },
  ]
  await newRule(me, { changes: { splits, reviewed: true } })
  const account = await newAccount(me)
  const whole = await book(me, account, { payeeRaw: AMZN })
  expect(whole.splits).toMatchObject([
    { amount: '5.00', categoryId: food.id },
    { amount: '7.30', categoryId: home.id, note: 'rest' },
  ])
  const income = await book(me, account, { payeeRaw: AMZN, kind: 'income', amount: '5.00' })
  expect(income).toMatchObject({ splits: [], categoryId: food.id, reviewed: true })
  const small = await book(me, account, { payeeRaw: AMZN, amount: '4.99' })
  expect(small).toMatchObject({ splits: [], categoryId: null, reviewed: false })
  expect(await differencesOf(me)).toEqual([])
})

describe('the usual category of a payee', () => {
  it('is taken where there is none and nobody said null', async () => {
    const me = await newUser()
    const [food, salary] = [await newCategory(me), await newCategory(me, 'income')]
    const json = { name: 'Kroger', defaultCategoryId: food.id, aliases: ['KRG 1'] }
    const kroger = await ok(createPayee, { as: me, json })
    const account = await newAccount(me)
    const categoryOf = async (draft: object) => (await book(me, account, draft)).categoryId
    const payeeId = kroger.id
    expect(await categoryOf({ payeeId })).toBe(food.id)
    expect(await categoryOf({ payeeRaw: 'KRG 1' })).toBe(food.id)
    expect(await categoryOf({ payeeName: 'kroger' })).toBe(food.id)
    // Of an income it makes a refund.
    expect(await categoryOf({ payeeId, kind: 'income' })).toBe(food.id)
    expect(await categoryOf({ payeeId, categoryId: null })).toBeNull()
    expect(await categoryOf({ payeeId, applyRules: false })).toBeNull()
    expect(await categoryOf({ payeeId, kind: 'adjustment', amount: '-1' })).toBeNull()
    const parts = [{ amount: '2.30' }, { amount: '10.00' }]
    expect((await book(me, account, { payeeId, splits: parts })).splits).toMatchObject([
      { categoryId: null },
      { categoryId: null },
    ])
    await ok(updatePayee, { as: me, id: payeeId, json: { defaultCategoryId: salary.id } })
    expect(await categoryOf({ payeeId })).toBeNull()
    expect(await categoryOf({ payeeId, kind: 'income' })).toBe(salary.id)
    await ok(updatePayee, { as: me, id: payeeId, json: { defaultCategoryId: null } })
    expect(await categoryOf({ payeeId })).toBeNull()
    expect(await differencesOf(me)).toEqual([])
  })

  it('comes after rules, which may leave it out', async () => {
    const me = await newUser()
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const payee = await ok(createPayee, { as: me, json: { name: 'K', defaultCategoryId: food.id } })
    const account = await newAccount(me)
    const draft = { payeeRaw: AMZN }
    const rule = await newRule(me, { changes: { payeeId: payee.id } })
    expect((await book(me, account, draft)).categoryId).toBe(food.id)
    const update = (changes: object) => ok(updateRule, { as: me, id: rule.id, json: { changes } })
    await update({ payeeId: payee.id, categoryId: home.id })
    expect((await book(me, account, draft)).categoryId).toBe(home.id)
  })
})

describe('what a process keeps', () => {
  it('is as it was read last: a change of rules or labels works in the next request', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const send = () =>
      call(createTransaction, { as: me, json: expenseOn(account, { note: 'x', payeeRaw: AMZN }) })
    const condition = { field: 'note', op: 'is', value: 'x' }
    const tag = await ok(createTag, { as: me, json: { name: 'T' } })
    await book(me, account)
    const seen: unknown[] = []
    const look = async () => {
      const { body } = await send()
      seen.push([body.reviewed, body.tagIds.length])
    }
    await look()
    const rule = await newRule(me, { condition, changes: { reviewed: true, addTagIds: [tag.id] } })
    await look()
    await ok(updateTag, { as: me, id: tag.id, json: { archived: true } })
    await look()
    await ok(updateTag, { as: me, id: tag.id, json: { archived: false } })
    await look()
    await ok(updateRule, { as: me, id: rule.id, json: { changes: { reviewed: true } } })
    await look()
    await ok(deleteRule, { as: me, id: rule.id })
    await look()
    expect(seen).toEqual([
      [false, 0],
      [true, 1],
      [false, 0],
      [true, 1],
      [true, 0],
      [false, 0],
    ])
    expect(other.id).not.toBe(account.id)
  })

  it('spares bookings every round trip but that of the commit', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await newRule(me, { changes: { reviewed: true } })
    const send = () =>
      call(createTransaction, { as: me, json: expenseOn(account, { payeeRaw: AMZN }) })
    await send()
    const again = await send()
    expect([tripsOf(again), again.body.reviewed]).toEqual([1, true])
  })
})

it('on a shared account, the rules of its owner work for whoever books', async () => {
  const [me, friend] = [await newUser(), await newUser()]
  const account = await newAccount(me)
  const category = await newCategory(me)
  await newRule(me, { changes: { categoryId: category.id } })
  await newRule(friend, { changes: { note: 'not theirs' } })
  const json = { resourceId: account.id, userId: friend.id, permission: 'write' as const }
  const share = await ok(createShare, { as: me, json })
  await ok(acceptShare, { as: friend, id: share.id, json: {} })
  for (const _ of [1, 2]) {
    const booked = await book(friend, account, { payeeRaw: AMZN })
    expect(booked).toMatchObject({ categoryId: category.id, note: null })
  }
})
