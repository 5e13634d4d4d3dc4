import { expect, it } from 'vitest'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { closeBudgetPeriod } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  listBudgetLines,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { book } from '../transactions/booking.ts'
import { bringBack, trashOf } from '../trash/trashing.ts'
import { categoryOf } from './household.fixtures.ts'
import { assignTo, newBudget, newLine, periodOf } from './budgets.fixtures.ts'

// A category that goes into another one takes what its line of a budget has with it.

const [JANUARY, FEBRUARY, MARCH] = ['2026-01-01', '2026-02-01', '2026-03-01'] as const

/** 180.00 came in; of 100.00 for Food 70.00 are spent, 50.00 are for Rent; 5.00 more for Food in March. */
async function household() {
  const me = await newUser()
  const account = await newAccount(me)
  const budget = await newBudget(me, { mode: 'envelope', startsOn: JANUARY })
  const [food, rent] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Rent')]
  await book(me, account, { kind: 'income', amount: '180.00', date: JANUARY })
  await book(me, account, { amount: '70.00', date: JANUARY, categoryId: food.categoryId })
  await assignTo(me, budget, food, JANUARY, '100.00')
  await assignTo(me, budget, rent, JANUARY, '50.00')
  await assignTo(me, budget, food, MARCH, '5.00')
  return { me, account, budget, food, rent }
}

type Household = Awaited<ReturnType<typeof household>>

/** Of each line in a period: what was assigned, what was spent, and what is left; then what no line has. */
async function look({ me, budget }: Pick<Household, 'me' | 'budget'>, period: string) {
  const { envelope, outside } = await periodOf(me, budget, period)
  return [
    ...(envelope?.lines ?? []).map(({ name, assigned, activity, available }) =>
      [name, assigned, activity, available].join(' '),
    ),
    envelope?.toBeBudgeted,
    outside.uncovered,
  ]
}

const lookAtAll = async (of: Pick<Household, 'me' | 'budget'>) => [
  await look(of, JANUARY),
  await look(of, FEBRUARY),
  await look(of, MARCH),
]

async function back({ me, food }: Household): Promise<void> {
  expect((await bringBack(me, 'category', food.categoryId)).status).toBe(200)
}

const BEFORE = [
  ['Food 100.00 -70.00 30.00', 'Rent 50.00 0.00 50.00', '30.00', '0.00'],
  ['Food 0.00 0.00 30.00', 'Rent 0.00 0.00 50.00', '30.00', '0.00'],
  ['Food 5.00 0.00 35.00', 'Rent 0.00 0.00 50.00', '25.00', '0.00'],
]

const WAYS = {
  merged: ({ me, food, rent }: Household) =>
    ok(mergeCategory, { as: me, id: rent.categoryId, json: { categoryId: food.categoryId } }),
  deleted: ({ me, food, rent }: Household) =>
    ok(deleteCategory, { as: me, id: food.categoryId, query: { reassignTo: rent.categoryId } }),
}

it.each(['merged', 'deleted'] as const)(
  'nothing is overspent when a category is %s, and the pool is as it was',
  async (way) => {
    const all = await household()
    expect(await lookAtAll(all)).toEqual(BEFORE)
    await WAYS[way](all)
    expect(await lookAtAll(all)).toEqual([
      ['Rent 150.00 -70.00 80.00', '30.00', '0.00'],
      ['Rent 0.00 0.00 80.00', '30.00', '0.00'],
      ['Rent 5.00 0.00 85.00', '25.00', '0.00'],
    ])
    const { lines } = await ok(listBudgetLines, { as: all.me, id: all.budget.id })
    expect(lines.map(({ name, archivedFrom }) => [name, archivedFrom])).toEqual([
      ['Food', JANUARY],
      ['Rent', null],
    ])
    // Also by way of an archive.
    const { archive } = await backedUp(all.me)
    expect(await restored(await newUser(), archive)).toMatchObject({ state: 'done', error: null })
    if (way === 'deleted') {
      await back(all)
      expect(await lookAtAll(all)).toEqual(BEFORE)
    }
  },
)

it.each(['merged', 'deleted'] as const)(
  'what a line carried out of a closed period goes with it when its category is %s',
  async (way) => {
    const all = await household()
    const path = { id: all.budget.id, period: JANUARY }
    await ok(closeBudgetPeriod, { as: all.me, path })
    await WAYS[way](all)
    expect(await lookAtAll(all)).toEqual([
      BEFORE[0],
      ['Rent 0.00 0.00 80.00', '30.00', '0.00'],
      ['Rent 5.00 0.00 85.00', '25.00', '0.00'],
    ])
    if (way === 'deleted') {
      await back(all)
      expect(await lookAtAll(all)).toEqual(BEFORE)
    }
  },
)

it('what is in periods that were closed since stays where it is when the category comes back', async () => {
  const all = await household()
  await WAYS.deleted(all)
  await ok(closeBudgetPeriod, { as: all.me, path: { id: all.budget.id, period: JANUARY } })
  await back(all)
  expect(await lookAtAll(all)).toEqual([
    ['Rent 150.00 -70.00 80.00', '30.00', '0.00'],
    ['Food 0.00 -70.00 -70.00', 'Rent 0.00 70.00 150.00', '30.00', '0.00'],
    ['Food 5.00 0.00 5.00', 'Rent 0.00 0.00 150.00', '-45.00', '0.00'],
  ])
})

it('a line takes the other category if no line counts it, and gives it back', async () => {
  const all = await household()
  const { me, account, food } = all
  const other = await categoryOf(me, 'Bakery')
  await book(me, account, { amount: '2.00', date: JANUARY, categoryId: other.id })
  const before = await lookAtAll(all)
  await ok(deleteCategory, { as: me, id: food.categoryId, query: { reassignTo: other.id } })
  expect((await look(all, JANUARY)).slice(0, 2)).toEqual([
    'Food 100.00 -72.00 28.00',
    'Rent 50.00 0.00 50.00',
  ])
  await back(all)
  expect(await lookAtAll(all)).toEqual(before)
})

it('a line that counts another category stays, with what it has', async () => {
  const all = await household()
  const { me, account, budget, rent } = all
  const [one, two] = [await categoryOf(me, 'One'), await categoryOf(me, 'Two')]
  const scope = { kind: 'category' as const, ids: [one.id, two.id] }
  const both = await ok(createBudgetLine, { as: me, id: budget.id, json: { name: 'Both', scope } })
  await assignTo(me, budget, both, JANUARY, '10.00')
  await book(me, account, { amount: '4.00', date: JANUARY, categoryId: one.id })
  await ok(mergeCategory, { as: me, id: rent.categoryId, json: { categoryId: one.id } })
  expect(await look(all, JANUARY)).toEqual([
    ...['Food 100.00 -70.00 30.00', 'Rent 50.00 -4.00 46.00', 'Both 10.00 0.00 10.00'],
    ...['20.00', '0.00'],
  ])
})

it('lines below an ended one are shown where it was', async () => {
  const all = await household()
  const { me, budget, food } = all
  const below = await newLine(me, budget, 'Below', { parentLineId: food.id })
  await WAYS.merged(all)
  const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
  expect(lines.find(({ id }) => id === below.id)).toMatchObject({ parentLineId: null, version: 2 })
})

it('a line whose name is taken does not come back, and another line can count the category', async () => {
  const all = await household()
  const { me, budget, food } = all
  await WAYS.deleted(all)
  const scope = { kind: 'category' as const, ids: [] }
  await ok(createBudgetLine, { as: me, id: budget.id, json: { name: 'Food', scope } })
  await back(all)
  expect((await look(all, JANUARY)).slice(0, 2)).toEqual([
    'Rent 150.00 0.00 150.00',
    'Food 0.00 0.00 0.00',
  ])
  const json = { name: 'Meals', scope: { ...scope, ids: [food.categoryId] } }
  await ok(createBudgetLine, { as: me, id: budget.id, json })
  expect((await look(all, JANUARY)).at(-1)).toBe('0.00')
})

it('others cannot have lines of budgets given back to them', async () => {
  const all = await household()
  const other: TestUser = await newUser()
  await WAYS.deleted(all)
  const { archive } = await backedUp(all.me)
  expect(await restored(other, archive)).toMatchObject({ state: 'done' })
  const before = await lookAtAll(all)
  const thrown = (await trashOf(other)).items.find(({ kind }) => kind === 'category')
  expect((await bringBack(other, 'category', thrown?.id ?? '')).status).toBe(200)
  expect(await lookAtAll(all)).toEqual(before)
})
