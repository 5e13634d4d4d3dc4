import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { updateCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  createPayee,
  getPayee,
  updatePayee,
} from '../../../src/areas/money/payees/payees.routes.ts'
import { listRules, suggestRules, updateRule } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { acceptShare, createShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { addDays, dateInZone } from '../../../src/domain/calendar.ts'
import type { Permission } from '../../../src/domain/permissions.ts'
import { call, fetchRaw, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import {
  book,
  expenseOn,
  newCategory,
  type TransactionInput,
  tripsOf,
} from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

const TODAY = dateInZone(Date.now(), 'UTC')
const ago = (days: number) => addDays(TODAY, -days)

type Suggestion = Awaited<ReturnType<typeof suggested>>[number]

const suggested = async (as: Principal) => (await ok(suggestRules, { as })).suggestions

/** Sends the call of a suggestion as it is. */
async function carryOut(as: Principal, { call: { method, path, body } }: Suggestion) {
  const headers = { authorization: `Bearer ${as.accessToken}`, 'content-type': 'application/json' }
  const answer = await fetchRaw(path, { method, headers, body: JSON.stringify(body) })
  return answer.status
}

async function scene() {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2020-01-01' })
  const [food, home] = [await newCategory(me), await newCategory(me)]
  /** Books drafts on one day after the other, the last one yesterday. */
  const bookAll = (drafts: Partial<TransactionInput>[]) =>
    ok(createTransactions, {
      as: me,
      json: {
        transactions: drafts.map((draft, at) =>
          expenseOn(account, { date: ago(drafts.length - at), ...draft }),
        ),
      },
    })
  return { me, account, food, home, bookAll }
}

const newPayee = (as: Principal, name: string) => ok(createPayee, { as, json: { name } })
const times = <Draft>(count: number, draft: Draft) => Array.from({ length: count }, () => draft)

describe('usual categories', () => {
  it.each([
    ['Food Food Food', '3 of the last 3'],
    ['Food Food', undefined],
    ['Salary Kids Kids Salary Kids', undefined],
    ['Food Food Home Food Food', '4 of the last 5'],
    [`Food Home ${'Food '.repeat(9)}`, '9 of the last 10'],
  ])('of %s, oldest first', async (words, reason) => {
    const { me, food, home, bookAll } = await scene()
    const salary = await newCategory(me, 'income')
    const ids = new Map(Object.entries({ Food: food, Home: home, Kids: home, Salary: salary }))
    const { id: payeeId } = await newPayee(me, 'Market')
    await bookAll(
      words
        .trim()
        .split(' ')
        .map((word) => ({
          ...{ payeeId, categoryId: ids.get(word)?.id ?? '' },
          kind: word === 'Salary' ? 'income' : 'expense',
        })),
    )
    const found = await suggested(me)
    const call = {
      ...{ method: 'PUT', path: `/payee/${payeeId}` },
      body: { defaultCategoryId: food.id },
    }
    const whole = `${reason} transactions with Market have the category ${food.name}.`
    expect(found).toMatchObject(
      reason ? [{ payeeId, categoryId: food.id, text: null, reason: whole, call }] : [],
    )
    for (const one of found) {
      expect(await carryOut(me, one)).toBe(200)
      expect(await ok(getPayee, { as: me, id: payeeId })).toMatchObject(call.body)
    }
    expect(await suggested(me)).toEqual([])
  })

  it('leave out archived payees and categories, void rows, parts, and rows of long ago', async () => {
    const { me, food, home, bookAll } = await scene()
    const [shop, gone, old, half, cancelled] = [
      await newPayee(me, 'Shop'),
      await newPayee(me, 'Gone'),
      await newPayee(me, 'Old'),
      await newPayee(me, 'Half'),
      await newPayee(me, 'Cancelled'),
    ]
    const splits = [
      { amount: '2.30', categoryId: home.id },
      { amount: '10.00', categoryId: home.id },
    ]
    await bookAll([
      ...times(3, { payeeId: shop.id, categoryId: food.id }),
      ...times(3, { payeeId: gone.id, categoryId: home.id }),
      ...times(3, { payeeId: old.id, categoryId: home.id, date: ago(401) }),
      ...times(3, { payeeId: half.id, splits }),
      ...times(3, { payeeId: cancelled.id, categoryId: home.id, status: 'void' as const }),
    ])
    await ok(updatePayee, { as: me, id: gone.id, json: { archived: true } })
    expect(await suggested(me)).toMatchObject([{ payeeId: shop.id, agreeing: 3 }])
    await ok(updateCategory, { as: me, id: food.id, json: { archived: true } })
    expect(await suggested(me)).toEqual([])
  })
})

describe('rules for texts', () => {
  const rewe = (number: number) => ({ payeeRaw: `REWE ${number} Berlin` })

  it('are suggested where there is no payee, and work as they are sent', async () => {
    const { me, account, food, home, bookAll } = await scene()
    const categoryId = food.id
    await bookAll([
      ...[4711, 12, 5].map((number) => ({ ...rewe(number), categoryId })),
      ...[1, 2, 3].map((day) => ({ description: `Rent ${day}/2026`, categoryId: home.id })),
      ...times(3, { description: '4711', categoryId }),
      ...times(2, { description: 'Cinema', categoryId }),
    ])
    const found = await suggested(me)
    expect(found).toMatchObject([
      { payeeId: null, text: 'rent', categoryId: home.id },
      {
        ...{ payeeId: null, text: 'rewe berlin', categoryId, agreeing: 3, counted: 3 },
        reason: `3 of the last 3 transactions without payee and with the text "rewe berlin" have the category ${food.name}.`,
        call: {
          ...{ method: 'POST', path: '/rule' },
          body: {
            name: 'rewe berlin',
            condition: { field: 'payeeRaw', op: 'like', value: 'rewe * berlin' },
            changes: { categoryId },
          },
        },
      },
    ])
    for (const one of found) {
      expect(await carryOut(me, one)).toBe(201)
    }
    expect(await book(me, account, rewe(99))).toMatchObject({ categoryId })
    expect(await book(me, account, { description: 'Rent 4' })).toMatchObject({
      categoryId: home.id,
    })
    expect(await suggested(me)).toEqual([])
  })

  it('are left out where a rule does it already, or keeps a new one from working', async () => {
    const { me, food, home, bookAll } = await scene()
    await bookAll([1, 2, 3].map((number) => ({ ...rewe(number), categoryId: food.id })))
    const condition = { field: 'payeeRaw', op: 'word', value: 'rewe' }
    const other = await newRule(me, { condition, changes: { categoryId: home.id }, stop: true })
    expect(await suggested(me)).toEqual([])
    await ok(updateRule, { as: me, id: other.id, json: { stop: false } })
    expect(await suggested(me)).toHaveLength(1)
    await newRule(me, { condition, changes: { categoryId: food.id }, on: ['import'] })
    expect(await suggested(me)).toHaveLength(1)
    await newRule(me, { condition, changes: { categoryId: food.id } })
    expect(await suggested(me)).toEqual([])
  })

  it('have a name that no other rule has', async () => {
    const { me, food, bookAll } = await scene()
    await newRule(me, { name: 'REWE Berlin', active: false })
    await bookAll(
      [1, 2, 3].flatMap((number) => [
        { ...rewe(number), categoryId: food.id },
        { description: `Rewe Berlin ${number}`, categoryId: food.id },
      ]),
    )
    const found = await suggested(me)
    expect(found.map(({ call: { body } }) => body['name'])).toEqual([
      ...['rewe berlin 2', 'rewe berlin 3'],
    ])
    for (const one of found) {
      expect(await carryOut(me, one)).toBe(201)
    }
    expect(await ok(listRules, { as: me })).toMatchObject({ count: 3 })
  })
})

describe('suggestions', () => {
  it('take one round trip and see own accounts alone', async () => {
    const { me, account, food, bookAll } = await scene()
    await bookAll(times(2, { description: 'Bakery', categoryId: food.id }))
    const friend = await newUser()
    const json = { resourceId: account.id, userId: friend.id, permission: 'write' as const }
    const share = await ok(createShare, { as: me, json })
    await ok(acceptShare, { as: friend, id: share.id, json: {} })
    expect(await suggested(me)).toEqual([])
    await book(friend, account, {
      ...{ description: 'Bakery', categoryId: food.id, date: ago(1), private: true },
    })
    expect(await suggested(friend)).toEqual([])
    const answer = await call(suggestRules, { as: me })
    expect(answer.body).toMatchObject({ suggestions: [{ text: 'bakery' }], count: 1 })
    expect(tripsOf(answer)).toBe(1)
  })

  it('to a token for some accounts follow from these, and are none that it cannot carry out', async () => {
    const { me, account, food, bookAll } = await scene()
    const { id: payeeId } = await newPayee(me, 'Market')
    const other = await newAccount(me, { openingDate: '2020-01-01' })
    await bookAll([
      ...times(3, { payeeId, categoryId: food.id }),
      ...times(3, { description: 'Bakery', categoryId: food.id }),
    ])
    expect(await suggested(me)).toHaveLength(2)
    const tokenFor = async (id: string) => {
      const scopes = ['rules.read' as const, 'payees.write' as const]
      const json = { name: id, scopes, accountIds: [id], password: me.password }
      const { token } = await ok(createAccessToken, { as: me, json })
      return { accessToken: token }
    }
    expect(await suggested(await tokenFor(other.id))).toEqual([])
    const as = await tokenFor(account.id)
    const found = await suggested(as)
    expect(found).toMatchObject([{ payeeId }])
    expect(await carryOut(as, found[0] as Suggestion)).toBe(200)
  })

  it('name payees and categories only to tokens that read them', async () => {
    const { me, food, bookAll } = await scene()
    const { id: payeeId } = await newPayee(me, 'Market')
    await bookAll(times(3, { payeeId, categoryId: food.id }))
    const reasonFor = async (...scopes: Permission[]) => {
      const json = { name: 'x', scopes: ['rules.read' as const, ...scopes], password: me.password }
      const { token } = await ok(createAccessToken, { as: me, json })
      return (await suggested({ accessToken: token })).map(({ reason }) => reason)
    }
    const start = '3 of the last 3 transactions with'
    const reasons = {
      none: `${start} this payee have this category.`,
      payees: `${start} Market have this category.`,
      all: `${start} Market have the category ${food.name}.`,
    }
    expect(await reasonFor()).toEqual([reasons.none])
    expect(await reasonFor('payees.read')).toEqual([reasons.payees])
    expect(await reasonFor('payees.read', 'categories.read')).toEqual([reasons.all])
    expect(await reasonFor('transactions.read')).toEqual([reasons.all])
  })
})
