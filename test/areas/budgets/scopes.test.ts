import { describe, expect, it } from 'vitest'
import {
  deleteAccount,
  updateAccount,
  closeAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createCategory,
  updateCategory,
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { getBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  deleteBudgetLine,
  getBudgetLine,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { bringBack } from '../trash/trashing.ts'
import { book } from '../transactions/booking.ts'
import { envelopeRow, limitRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { categoryOf, newCouple } from './household.fixtures.ts'

// What happens to lines when what they name changes.

const JANUARY = '2026-01-01'
const date = '2026-01-10'

async function newBooks(mode: 'envelope' | 'limit') {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '1000', openingDate: JANUARY })
  const budget = await newBudget(me, { mode })
  return { me, account, budget }
}

const idsOf = async (as: TestUser, budget: { id: string }, line: { id: string }) => {
  const path = { id: budget.id, lineId: line.id }
  return (await ok(getBudgetLine, { as, path })).scope.ids
}

const lineOver = (
  as: TestUser,
  budget: { id: string },
  kind: 'category' | 'tag' | 'payee' | 'account',
  ids: string[],
) =>
  ok(createBudgetLine, {
    as,
    id: budget.id,
    json: { name: `Of ${ids.join()}`.slice(0, 90), amount: '100', scope: { kind, ids } },
  })

it('adds the amount of a limit in periods in which it names no category, as it stands below no other', async () => {
  const { me, account, budget } = await newBooks('limit')
  const food = await newLine(me, budget, 'Food', { amount: '100' })
  const out = await newLine(me, budget, 'Out', { amount: '20' })
  await book(me, account, { amount: '7', date, categoryId: out.categoryId })
  const path = { id: budget.id, lineId: out.id }
  await ok(deleteBudgetLine, { as: me, path, query: { reassignTo: food.id } })
  // From the current period on it names what it took over; before that nothing.
  const scope = { kind: 'category' as const, ids: [out.categoryId] }
  await ok(updateBudgetLine, { as: me, path: { ...path, lineId: food.id }, json: { scope } })
  const sums = { amount: '120.00', spent: '7.00', remaining: '113.00' }
  expect((await periodOf(me, budget, JANUARY)).limit).toMatchObject(sums)
})

describe('merging a category', () => {
  it('keeps what a limit counted of both when it took one of them over from another', async () => {
    const { me, account, budget } = await newBooks('limit')
    const groceries = await newLine(me, budget, 'Groceries', { amount: '100' })
    const bakery = await newLine(me, budget, 'Bakery', { amount: '20' })
    await book(me, account, { amount: '7', date, categoryId: groceries.categoryId })
    await ok(deleteBudgetLine, {
      as: me,
      path: { id: budget.id, lineId: bakery.id },
      query: { reassignTo: groceries.id },
    })
    await ok(mergeCategory, {
      as: me,
      id: bakery.categoryId,
      json: { categoryId: groceries.categoryId },
    })
    expect((await limitRow(me, budget, groceries, JANUARY)).spent).toBe('7.00')
    expect((await periodOf(me, budget, JANUARY)).limit).toMatchObject({ spent: '7.00' })
  })

  it('moves the scopes of lines in the same commit', async () => {
    const { me, account, budget } = await newBooks('envelope')
    const food = await newLine(me, budget, 'Food')
    const other = await categoryOf(me, 'Groceries')
    await book(me, account, { date, amount: '10', categoryId: food.categoryId })
    await book(me, account, { date, amount: '5', categoryId: other.id })
    expect((await envelopeRow(me, budget, food, JANUARY)).activity).toBe('-10.00')
    await ok(mergeCategory, { as: me, id: other.id, json: { categoryId: food.categoryId } })
    expect(await idsOf(me, budget, food)).toEqual([other.id])
    expect((await envelopeRow(me, budget, food, JANUARY)).activity).toBe('-15.00')
    const path = { id: budget.id, lineId: food.id }
    expect((await ok(getBudgetLine, { as: me, path })).version).toBe(2)
  })

  it('ends a line that loses its last one to another line, which takes over what it has', async () => {
    const { me, account, budget } = await newBooks('envelope')
    const [food, out] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Out')]
    for (const [line, assigned] of [
      [food, '50'],
      [out, '20'],
    ] as const) {
      const path = { id: budget.id, period: JANUARY, lineId: line.id }
      await ok(setAllocation, { as: me, path, json: { assigned } })
      await book(me, account, { date, amount: '10', categoryId: line.categoryId })
    }
    const json = { categoryId: out.categoryId }
    await ok(mergeCategory, { as: me, id: food.categoryId, json })
    expect([await idsOf(me, budget, food), await idsOf(me, budget, out)]).toEqual([
      [food.categoryId],
      [],
    ])
    const { envelope } = await periodOf(me, budget, JANUARY)
    expect(
      envelope?.lines.map(({ name, assigned, activity }) => [name, assigned, activity]),
    ).toEqual([['Food', '70.00', '-20.00']])
  })

  it('counts once in a limit that named both, and in each of two limits', async () => {
    const { me, account, budget } = await newBooks('limit')
    const [one, two] = [await categoryOf(me, 'One'), await categoryOf(me, 'Two')]
    const both = await lineOver(me, budget, 'category', [one.id, two.id])
    const only = await lineOver(me, budget, 'category', [two.id])
    await book(me, account, { date, amount: '10', categoryId: one.id })
    await book(me, account, { date, amount: '5', categoryId: two.id })
    await ok(mergeCategory, { as: me, id: one.id, json: { categoryId: two.id } })
    for (const line of [both, only]) {
      expect(await idsOf(me, budget, line)).toEqual([one.id])
      expect((await limitRow(me, budget, line, JANUARY)).spent).toBe('15.00')
    }
  })

  it('follows in the income of the next period, also in budgets of a group', async () => {
    const { ada, ben, group } = await newCouple()
    const income = (name: string) =>
      ok(createCategory, { as: ben, json: { name, kind: 'income' as const } })
    const [wage, salary] = [await income('Wage'), await income('Salary')]
    const ofGroup = await newBudget(ada, {
      ...{ mode: 'envelope', groupId: group.id },
      incomeInNextPeriod: [wage.id, salary.id],
    })
    const own = await newBudget(ben, { mode: 'envelope', incomeInNextPeriod: [wage.id] })
    await ok(mergeCategory, { as: ben, id: salary.id, json: { categoryId: wage.id } })
    for (const [as, { id }] of [
      [ada, ofGroup],
      [ben, own],
    ] as const) {
      expect(await ok(getBudget, { as, id })).toMatchObject({
        incomeInNextPeriod: [salary.id],
        version: 2,
      })
    }
  })
})

describe('deleting a category', () => {
  it('ends its line until it is restored', async () => {
    const { me, account, budget } = await newBooks('envelope')
    const [food, out] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Out')]
    await book(me, account, { date, amount: '10', categoryId: food.categoryId })
    const query = { reassignTo: out.categoryId }
    await ok(deleteCategory, { as: me, id: food.categoryId, query })
    expect(await idsOf(me, budget, food)).toEqual([])
    expect((await periodOf(me, budget, JANUARY)).envelope?.lines).toMatchObject([
      { name: 'Out', activity: '-10.00' },
    ])
    const path = { id: budget.id, lineId: food.id }
    await ok(updateBudgetLine, { as: me, path, json: { note: 'waits' } })
    expect((await bringBack(me, 'category', food.categoryId)).status).toBe(200)
    expect(await idsOf(me, budget, food)).toEqual([food.categoryId])
    expect((await envelopeRow(me, budget, food, JANUARY)).activity).toBe('-10.00')
    expect((await envelopeRow(me, budget, out, JANUARY)).activity).toBe('0.00')
  })

  it('that nothing is booked on does likewise', async () => {
    const { me, budget } = await newBooks('limit')
    const food = await newLine(me, budget, 'Food', { amount: '5' })
    await ok(deleteCategory, { as: me, id: food.categoryId })
    expect(await idsOf(me, budget, food)).toEqual([])
    expect((await bringBack(me, 'category', food.categoryId)).status).toBe(200)
    expect(await idsOf(me, budget, food)).toEqual([food.categoryId])
  })
})

it('a category that moves counts on the nearest line, and outside while it is excluded', async () => {
  const { me, account, budget } = await newBooks('envelope')
  const [food, out] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Out')]
  const json = { name: 'Coffee', kind: 'expense' as const, parentId: food.categoryId }
  const coffee = await ok(createCategory, { as: me, json })
  await book(me, account, { date, amount: '3', categoryId: coffee.id })
  const change = (to: object) => ok(updateCategory, { as: me, id: coffee.id, json: to })
  const shown = async () => {
    const { envelope, outside } = await periodOf(me, budget, JANUARY)
    const of = ({ id }: { id: string }) =>
      envelope?.lines.find(({ lineId }) => lineId === id)?.activity
    return [of(food), of(out), outside.uncovered, outside.excluded]
  }
  expect(await shown()).toEqual(['-3.00', '0.00', '0.00', '0.00'])
  await change({ parentId: out.categoryId })
  expect(await shown()).toEqual(['0.00', '-3.00', '0.00', '0.00'])
  await change({ excludeFromBudget: true })
  expect(await shown()).toEqual(['0.00', '0.00', '0.00', '-3.00'])
  await change({ excludeFromBudget: false, parentId: null })
  expect(await shown()).toEqual(['0.00', '0.00', '-3.00', '0.00'])
})

describe('a line over', () => {
  it('a tag rests while the tag is in the trash', async () => {
    const { me, account, budget } = await newBooks('limit')
    const { id } = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const line = await lineOver(me, budget, 'tag', [id])
    await book(me, account, { date, amount: '7', tagIds: [id] })
    await ok(deleteTag, { as: me, id })
    expect(await idsOf(me, budget, line)).toEqual([])
    expect((await limitRow(me, budget, line, JANUARY)).spent).toBe('0.00')
    expect((await bringBack(me, 'tag', id)).status).toBe(200)
    expect(await idsOf(me, budget, line)).toEqual([id])
    expect((await limitRow(me, budget, line, JANUARY)).spent).toBe('7.00')
  })

  it('a payee rests while the payee is in the trash', async () => {
    const { me, account, budget } = await newBooks('limit')
    const [shop, other] = [
      await ok(createPayee, { as: me, json: { name: 'Shop' } }),
      await ok(createPayee, { as: me, json: { name: 'Other' } }),
    ]
    const line = await lineOver(me, budget, 'payee', [shop.id])
    await book(me, account, { date, amount: '7', payeeId: shop.id })
    await ok(deletePayee, { as: me, id: shop.id, query: { reassignTo: other.id } })
    expect(await idsOf(me, budget, line)).toEqual([])
    expect((await limitRow(me, budget, line, JANUARY)).spent).toBe('0.00')
    expect((await bringBack(me, 'payee', shop.id)).status).toBe(200)
    expect((await limitRow(me, budget, line, JANUARY)).spent).toBe('7.00')
  })

  it('an account counts when it is closed, and not while it is in the trash or off the budget', async () => {
    const { me, account, budget } = await newBooks('limit')
    const line = await lineOver(me, budget, 'account', [account.id])
    await book(me, account, { date, amount: '7' })
    const shown = async () => [
      (await idsOf(me, budget, line)).length,
      (await limitRow(me, budget, line, JANUARY)).spent,
      (await periodOf(me, budget, JANUARY)).outside.uncategorised,
    ]
    expect(await shown()).toEqual([1, '7.00', '7.00'])
    await ok(updateAccount, { as: me, id: account.id, json: { onBudget: false } })
    expect(await shown()).toEqual([0, '0.00', '0.00'])
    await ok(updateAccount, { as: me, id: account.id, json: { onBudget: true } })
    await ok(deleteAccount, { as: me, id: account.id })
    expect(await shown()).toEqual([0, '0.00', '0.00'])
    expect((await bringBack(me, 'account', account.id)).status).toBe(200)
    await book(me, account, { date, kind: 'expense', amount: '993' })
    await ok(closeAccount, { as: me, id: account.id, json: {} })
    expect(await shown()).toEqual([1, '1000.00', '1000.00'])
  })
})
