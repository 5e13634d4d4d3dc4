import { describe, expect, it } from 'vitest'
import {
  createCategory,
  createStarterCategories,
  listCategories,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  deleteBudgetLine,
  listBudgetLines,
  reorderBudgetLines,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal } from '../transactions/booking.ts'
import { assignTo, envelopeRow, MONTHLY, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

const [JANUARY, FEBRUARY] = ['2026-01-01', '2026-02-01'] as const

const addLine = (as: Principal, { id }: { id: string }, json: object) =>
  ok(createBudgetLine, { as, id, json: json as never })

describe('a line without categories', () => {
  it.each(['envelope', 'limit'] as const)(
    'groups the lines below it in a budget of mode %s',
    async (mode) => {
      const me = await newUser()
      const account = await newAccount(me, { currency: 'EUR' })
      const budget = await newBudget(me, { mode })
      const living = await addLine(me, budget, { name: 'Living', scope: { kind: 'category' } })
      expect(living).toMatchObject({ scope: { kind: 'category', ids: [] }, order: 0 })
      const food = await newLine(me, budget, 'Food', { parentLineId: living.id })
      await book(me, account, { amount: '30', date: '2026-01-05', categoryId: food.categoryId })
      const { envelope, limit } = await periodOf(me, budget, JANUARY)
      if (mode === 'limit') {
        expect(limit?.lines.map(({ spent }) => spent)).toEqual(['0.00', '30.00'])
        expect(limit).toMatchObject({ spent: '30.00' })
      } else {
        const [above] = envelope?.lines ?? []
        expect(above).toMatchObject({ activity: '0.00', withBelow: { activity: '-30.00' } })
        // It may hold money that nothing is booked on.
        await assignTo(me, budget, living, JANUARY, '50.00')
        expect(await envelopeRow(me, budget, living, FEBRUARY)).toMatchObject({
          ...{ available: '50.00', withBelow: { available: '50.00' } },
        })
      }
    },
  )
})

it('shows a new line behind all others, also once they were put into another order', async () => {
  const me = await newUser()
  await newAccount(me)
  const budget = await newBudget(me, { mode: 'envelope' })
  const [food, fun] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Fun')]
  await newLine(me, budget, 'Home', { parentLineId: food.id })
  await ok(reorderBudgetLines, { as: me, id: budget.id, json: { lineIds: [fun.id, food.id] } })
  await newLine(me, budget, 'Out', { parentLineId: food.id })
  const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
  expect(lines.map(({ name, order }) => [name, order])).toEqual([
    ...[
      ['Fun', 0],
      ['Food', 1],
      ['Home', 2],
      ['Out', 3],
    ],
  ])
})

describe('the sums of a budget of limits', () => {
  it('are those of lines over everything or by account where none is by category', async () => {
    const me = await newUser()
    const [one, two] = [
      await newAccount(me, { currency: 'EUR' }),
      await newAccount(me, { currency: 'EUR' }),
    ]
    await book(me, one, { amount: '30', date: '2026-01-05' })
    await book(me, two, { amount: '12', date: '2026-01-06' })
    const budget = await newBudget(me, { mode: 'limit' })
    const sums = async () => {
      const { limit } = await periodOf(me, budget, JANUARY)
      return [limit?.amount, limit?.spent, limit?.remaining]
    }
    const add = (name: string, amount: string, kind: string, ids?: string[]) =>
      addLine(me, budget, { name, amount, scope: ids ? { kind, ids } : { kind } })
    await add('First', '40', 'account', [one.id])
    await add('Second', '10', 'account', [two.id])
    expect(await sums()).toEqual(['50.00', '42.00', '8.00'])
    // It shares both accounts with lines before it.
    await add('Both', '500', 'account', [one.id, two.id])
    expect(await sums()).toEqual(['50.00', '42.00', '8.00'])
    await add('Overall', '60', 'everything')
    expect(await sums()).toEqual(['60.00', '42.00', '18.00'])
    await newLine(me, budget, 'Food', { amount: '5' })
    expect(await sums()).toEqual(['5.00', '0.00', '5.00'])
  })
})

it('tells where past spending went when the line that it was on is deleted', async () => {
  const me = await newUser()
  const account = await newAccount(me, { currency: 'EUR' })
  const budget = await newBudget(me, { mode: 'envelope', policy: 'both' })
  const { id: lineId, categoryId } = await newLine(me, budget, 'Food')
  const json = { name: 'Out', kind: 'expense', parentId: categoryId } as const
  const out = await ok(createCategory, { as: me, json })
  await book(me, account, { amount: '30', date: '2026-01-05', categoryId: out.id })
  expect((await periodOf(me, budget, JANUARY)).envelope?.overspent).toBe('30.00')
  const { message } = await ok(deleteBudgetLine, { as: me, path: { id: budget.id, lineId } })
  expect(message).toContain('uncovered')
  const { outside } = await periodOf(me, budget, JANUARY)
  expect(outside.uncovered).toBe('-30.00')
})

it('has payment lines only for accounts that owe money', async () => {
  const me = await newUser()
  const account = await newAccount(me, { type: 'checking' })
  const line = await newAccount(me, { type: 'lineOfCredit' })
  const create = (accountId: string, name: string) =>
    call(createBudget, {
      as: me,
      json: {
        ...{ name, mode: 'envelope', period: MONTHLY, startsOn: JANUARY },
        cards: [{ accountId, handling: 'payment' }],
      },
    })
  const refused = await create(account.id, 'Household')
  expect(refusal(refused)).toEqual([400, 'budgets.notACard', 'cards.0.handling'])
  const { body } = await create(line.id, 'Household')
  const { lines } = await ok(listBudgetLines, { as: me, id: body.id })
  expect(lines.map(({ accountId }) => accountId)).toEqual([line.id])
})

it('is refused a first day in the calendar that has no day before it, in words that fit', async () => {
  const me = await newUser()
  const refused = await call(createBudget, {
    as: me,
    json: { name: 'Old', mode: 'limit', period: MONTHLY, startsOn: '1900-01-01' },
  })
  expect(refusal(refused)).toEqual([400, 'budgets.invalidStart', 'startsOn'])
  expect(refused.error.error).toContain('after 1900-01-01')
})

it('names an opening balance without a rate once', async () => {
  const me = await newUser()
  const opening = { openingBalance: '100.00', openingDate: '2026-01-03' }
  const dollars = await newAccount(me, { currency: 'USD', ...opening })
  const budget = await newBudget(me, { mode: 'envelope' })
  const food = await newLine(me, budget, 'Food')
  const named = async (period: string) =>
    (await periodOf(me, budget, period)).unconverted.map(({ lineId, amount, currency }) => [
      ...[lineId, amount, currency],
    ])
  expect(await named(JANUARY)).toEqual([[null, '100.00', 'USD']])
  await book(me, dollars, { amount: '40', date: '2026-01-05', categoryId: food.categoryId })
  expect(await named(JANUARY)).toEqual([
    [food.id, '-40.00', 'USD'],
    [null, '60.00', 'USD'],
  ])
  await book(me, dollars, { amount: '60', date: '2026-01-06', categoryId: food.categoryId })
  // Nothing is left that could name it.
  expect(await named(JANUARY)).toEqual([
    [null, '100.00', 'USD'],
    [food.id, '-100.00', 'USD'],
  ])
  expect(await named(FEBRUARY)).toEqual([])
})

it.each(['envelope', 'limit'] as const)(
  'begins a budget of mode %s with lines in the order of the tree, each below its group',
  async (mode) => {
    const me = await newUser()
    await ok(createStarterCategories, { as: me, json: { locale: 'en' } })
    const { categories } = await ok(listCategories, {
      as: me,
      query: { kind: 'expense', view: 'tree' },
    })
    const { id } = await newBudget(me, { mode, lines: 'leaves' })
    const { lines } = await ok(listBudgetLines, { as: me, id })
    const nameOf = new Map(lines.map((line) => [line.id, line.name]))
    const found = lines.map(({ name, parentLineId, scope }) => [
      ...[parentLineId === null ? null : nameOf.get(parentLineId), name],
      scope.ids,
    ])
    expect(found).toEqual(
      categories.flatMap((top) => [
        [null, top.name, mode === 'limit' && top.children?.length ? [] : [top.id]],
        ...(top.children ?? []).map((one) => [top.name, one.name, [one.id]]),
      ]),
    )
    expect(lines.length).toBeGreaterThan(30)
  },
)
