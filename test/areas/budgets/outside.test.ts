import { describe, expect, it } from 'vitest'
import { updateCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { closeBudgetPeriod } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { categoryOf, newCouple } from './household.fixtures.ts'

const JUNE = '2026-06-01'

const madeOf = async (as: Principal, budget: { id: string }) =>
  (await periodOf(as, budget, JUNE)).outsideCategories.map(({ figure, categoryId, amount }) => [
    ...[figure, categoryId, amount],
  ])

/** A line for food, two categories without one, and one that budgets exclude. */
async function newBooks(mode: 'envelope' | 'limit') {
  const me = await newUser({ baseCurrency: 'EUR' })
  const account = await newAccount(me, { openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode, startsOn: JUNE })
  const food = await newLine(me, budget, 'Food')
  const [fun, home, work] = [
    await categoryOf(me, 'Fun'),
    await categoryOf(me, 'Home'),
    await categoryOf(me, 'Work'),
  ]
  await ok(updateCategory, { as: me, id: work.id, json: { excludeFromBudget: true } })
  const spend = (categoryId: string, amount: string, more: object = {}) =>
    book(me, account, { date: '2026-06-10', amount, categoryId, ...more })
  return { me, budget, food, fun, home, work, spend }
}

describe('figures outside of lines', () => {
  it.each([
    ['envelope', '-'],
    ['limit', ''],
  ] as const)('say in %s budgets which categories they are made of', async (mode, sign) => {
    const { me, budget, food, fun, home, work, spend } = await newBooks(mode)
    await spend(food.categoryId, '1.00')
    await spend(fun.id, '2.00')
    await spend(fun.id, '0.50', { date: '2026-06-12' })
    await spend(home.id, '3.00')
    await spend(home.id, '3.00', { kind: 'income' })
    await spend(work.id, '4.00')
    await spend(work.id, '9.00', { status: 'void' })
    const { outside, outsideCategories } = await periodOf(me, budget, JUNE)
    expect(outsideCategories).toEqual([
      { figure: 'excluded', categoryId: work.id, amount: `${sign}4.00` },
      { figure: 'uncovered', categoryId: fun.id, amount: `${sign}2.50` },
    ])
    expect([outside.excluded, outside.uncovered]).toEqual([`${sign}4.00`, `${sign}2.50`])
    const path = { id: budget.id, period: JUNE }
    const closed = await ok(closeBudgetPeriod, { as: me, path })
    expect([closed.outside, closed.outsideCategories]).toEqual([outside, []])
    expect(await periodOf(me, budget, JUNE)).toEqual(closed)
  })

  it('share out the converted sum of a day, and count nothing without a rate', async () => {
    const { me, budget, fun, home, spend } = await newBooks('envelope')
    const rate = { from: 'USD', to: 'EUR', date: '2026-06-10', rate: '0.5' }
    await ok(createExchangeRate, { as: me, json: rate })
    const dollars = await newAccount(me, { currency: 'USD', openingDate: '2026-01-01' })
    for (const date of ['2026-06-09', '2026-06-10', '2026-06-11']) {
      for (const { id } of [fun, home]) {
        await book(me, dollars, { date, amount: '0.01', categoryId: id })
      }
    }
    const [, second = ''] = [fun.id, home.id].toSorted()
    await spend(second, '1.00')
    // On each of two days half a cent is rounded to none, and the whole one of both is of the second.
    expect((await periodOf(me, budget, JUNE)).outside.uncovered).toBe('-1.02')
    expect(await madeOf(me, budget)).toEqual([['uncovered', second, '-1.02']])
  })

  it('tell nothing of what is private, and the same to everybody in a group', async () => {
    const { ada, ben, viewer, joint, group, gifts, home } = await newCouple()
    const budget = await newBudget(ada, { mode: 'envelope', groupId: group.id, startsOn: JUNE })
    const date = '2026-06-10'
    await book(ada, joint, { date, amount: '5.00', categoryId: gifts.id, private: true })
    await book(ben, joint, { date, amount: '2.00', categoryId: home.id })
    for (const as of [ada, ben, viewer]) {
      expect(await madeOf(as, budget)).toEqual([['uncovered', home.id, '-2.00']])
    }
  })
})
