import { withoutEvents } from '../../../src/platform/log/events.ts'
import { expect, it } from 'vitest'
import { categoriesByIds } from '../../../src/areas/money/categories/categories.public.ts'
import {
  pageOfCategories,
  requireCategoryParent,
} from '../../../src/areas/money/categories/categories.queries.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { commit, read } from '../../../src/platform/database/database.ts'
import { ok, rows } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { planOf } from '../../support/plans.ts'
import { newUser, type TestUser } from '../../support/world.ts'

const create = (as: TestUser, name: string) =>
  ok(createCategory, { as, json: { name, kind: 'expense' } })

it('finds the own categories among any number of ids, with kind and use', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const food = await create(me, 'Food')
  const salary = await ok(createCategory, {
    as: me,
    json: { name: 'Salary', kind: 'income', archived: true },
  })
  await create(me, 'Not asked for')
  const foreign = await create(other, 'Food')
  const unknown = Array.from({ length: 500 }, (_, at) => `cat_${at}`)
  const ctx = await contextOf(me, 'categories.read')
  const [found] = await read(
    ctx,
    categoriesByIds(ctx, [salary.id, food.id, food.id, foreign.id, '"', ...unknown]),
  )
  expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    [
      { id: food.id, ownerId: me.id, kind: 'expense', archived: false },
      { id: salary.id, ownerId: me.id, kind: 'income', archived: true },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
  expect(await read(ctx, categoriesByIds(ctx, []))).toEqual([[]])
})

it('stores no child when its parent changed after it was checked', async () => {
  const me = await newUser()
  const { id } = await create(me, 'Food')
  const premise = { id, kind: 'expense' as const, depth: 1 }
  const commitUnder = async (parent: typeof premise) => {
    const ctx = await contextOf(me, 'categories.write')
    return commit(ctx, {
      changes: [withoutEvents([requireCategoryParent(ctx, parent)])],
      result: 'stored',
    })
  }
  expect(await commitUnder(premise)).toBe('stored')
  await expect(commitUnder({ ...premise, depth: 2 })).rejects.toThrow(
    'The parent category does not exist.',
  )
  await rows('UPDATE categories SET kind = ? WHERE id = ?', 'income', id)
  await expect(commitUnder(premise)).rejects.toThrow('The parent category does not exist.')
})

it('reads a page of the list from an index in its order', async () => {
  const me = await newUser()
  const ctx = await contextOf(me, 'categories.read')
  const query = pageOfCategories(ctx, {}, { limit: 50, after: ['cat_1'] }).toSQL()
  expect(await planOf(query.sql, query.params)).toEqual([
    expect.stringContaining('SEARCH categories USING INDEX categories_of_owner'),
  ])
})
