import { expect, it } from 'vitest'
import {
  listCategories,
  createCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { activityIn } from '../../../src/areas/money/categories/categories.queries.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { planOf } from '../../support/plans.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal } from '../transactions/booking.ts'
import { newCategory } from './trees.ts'

it('shows the categories as a tree in the own order, with parent sums in native currencies', async () => {
  const me = await newUser()
  const [euro, yen] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
  const home = await newCategory(me, { name: 'Home', order: 2 })
  const food = await newCategory(me, { name: 'Food', order: 1 })
  const out = await newCategory(me, { name: 'Out', order: 1, parentId: food.id })
  const fruit = await newCategory(me, { name: 'Fruit', order: 0, parentId: food.id })
  const work = await newCategory(me, { name: 'Work', kind: 'income' })
  const on = (date: string, amount: string, categoryId: string) =>
    book(me, euro, { date, amount, categoryId })
  await on('2026-10-31', '100', food.id)
  await on('2026-11-01', '1.50', food.id)
  await on('2026-11-30', '2.25', out.id)
  await on('2026-12-01', '100', out.id)
  await book(me, yen, { date: '2026-11-02', amount: '300', categoryId: fruit.id })
  await book(me, euro, { kind: 'income', amount: '7', categoryId: work.id })
  await book(me, euro, { amount: '9' })
  const query = { view: 'tree' as const, fromMonth: '2026-11', toMonth: '2026-11' }
  const answer = await call(listCategories, { as: me, query })
  const sum = (currency: string, ownAmount: string, amount = ownAmount, lineCount = 1) => ({
    currency,
    lineCount,
    ownAmount,
    amount,
  })
  expect(answer.body).toEqual({
    categories: [
      { ...work, sums: [sum('EUR', '7.00')], children: [] },
      {
        ...food,
        sums: [sum('EUR', '1.50', '3.75'), sum('JPY', '0', '300', 0)],
        children: [
          { ...fruit, sums: [sum('JPY', '300')], children: [] },
          { ...out, sums: [sum('EUR', '2.25')], children: [] },
        ],
      },
      { ...home, sums: [], children: [] },
    ],
    count: 5,
    nextCursor: null,
  })
  expect(costOf(answer.headers).trips).toBe(1)
  const flat = await ok(listCategories, { as: me, query: { toMonth: '2026-10', kind: 'expense' } })
  expect(flat.categories.find(({ id }) => id === food.id)?.sums).toEqual([sum('EUR', '100.00')])
  const open = await ok(listCategories, {
    as: me,
    query: { fromMonth: '2026-12', parentId: food.id },
  })
  expect(open.categories.map(({ sums }) => sums)).toEqual([[sum('EUR', '100.00')], []])
})

it('leaves a branch out with its top, and shows what stands below a category', async () => {
  const me = await newUser()
  const food = await newCategory(me, { archived: true })
  const below = await newCategory(me, { parentId: food.id })
  const tree = (query: object) => ok(listCategories, { as: me, query: { view: 'tree', ...query } })
  expect(await tree({ archived: 'false' })).toMatchObject({ categories: [], count: 0 })
  expect(await tree({ parentId: food.id })).toMatchObject({
    categories: [{ id: below.id }],
    count: 1,
  })
  expect(await tree({ kind: 'income' })).toMatchObject({ categories: [], count: 0 })
})

it('sums only what the caller sees, and no account in the trash', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const [mine, theirs] = [await newAccount(me), await newAccount(other)]
  const { id } = await newCategory(me)
  await book(me, mine, { categoryId: id })
  await book(other, theirs, { categoryId: (await newCategory(other)).id })
  const sums = async () =>
    (await ok(listCategories, { as: me, query: { fromMonth: '2020-01' } })).categories.map(
      (one) => one.sums,
    )
  expect(await sums()).toEqual([
    [{ currency: 'EUR', lineCount: 1, ownAmount: '12.30', amount: '12.30' }],
  ])
  await ok(deleteAccount, { as: me, id: mine.id })
  expect(await sums()).toEqual([[]])
})

it.each(['2026', '2026-13', '2026-00', '2026-11-01', "2026-11'"])(
  'refuses %s as a month',
  async (from) => {
    const me = await newUser()
    const refused = await call(listCategories, { as: me, query: { from } })
    expect(refusal(refused)).toEqual([400, 'request.invalid', 'from'])
  },
)

it('reads the sums from the projection by its key', async () => {
  const me = await newUser()
  const ctx = { caller: { userId: me.id, tokenHash: null } } as never
  const query = activityIn(ctx, { fromMonth: '2026-01', toMonth: '2026-02' }) as unknown as {
    getQuery: () => { sql: string; params: unknown[] }
  }
  const { sql, params } = query.getQuery()
  const plan = await planOf(sql, params)
  expect(plan.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([])
  expect(plan.join('\n')).toMatch(
    /SEARCH m USING .*account_id=\? AND grain=\? AND period>\? AND period<\?/,
  )
})

it('keeps a thousand categories, not one more', async () => {
  const me = await newUser()
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
     INSERT INTO categories (id, owner_id, name, name_key, kind, depth, created_at, updated_at)
     SELECT 'cat_' || i || ?1, ?1, i, i, 'expense', 1, 0, 0 FROM n`,
    me.id,
  )
  await newCategory(me)
  const refused = await call(createCategory, { as: me, json: { name: 'x', kind: 'expense' } })
  expect(refusal(refused)).toEqual([409, 'categories.tooMany'])
  expect((await ok(listCategories, { as: me, query: { view: 'tree' } })).count).toBe(1000)
})
