import { expect, it } from 'vitest'
import {
  listCategories,
  reorderCategories,
  updateCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { depthsOf, newBranch, newCategory } from './trees.ts'

interface Place {
  id: string
  parentId?: string | null
}

const reorder = (as: TestUser, categories: Place[]) =>
  call(reorderCategories, { as, json: { categories } })

it('orders and nests in one call, and leaves what is not named', async () => {
  const me = await newUser()
  const [a, b, c, d] = [
    await newCategory(me),
    await newCategory(me),
    await newCategory(me),
    await newCategory(me, { order: 9 }),
  ]
  const answer = await reorder(me, [
    { id: c.id },
    { id: b.id, parentId: c.id },
    { id: a.id, parentId: null },
  ])
  expect([answer.status, tripsOf(answer)]).toEqual([200, 2])
  const tree = await ok(listCategories, { as: me, query: { view: 'tree' } })
  expect(
    tree.categories.map(({ id, children }) => [id, children?.map((child) => child.id)]),
  ).toEqual([
    [c.id, [b.id]],
    [a.id, []],
    [d.id, []],
  ])
  const [log] = await rows<{ changes: string }>(
    "SELECT content AS changes FROM log_entries WHERE owner_id = ? AND type = 'category.reordered'",
    me.id,
  )
  expect(JSON.parse(log?.changes ?? '')).toEqual({
    before: [
      { id: b.id, parentId: null, order: 0 },
      { id: a.id, parentId: null, order: 0 },
    ],
    after: [
      { id: b.id, parentId: c.id, order: 1 },
      { id: a.id, parentId: null, order: 2 },
    ],
  })
})

it('lets two of one name change places, and refuses two of one name in one place', async () => {
  const me = await newUser()
  const [one, other] = [await newCategory(me), await newCategory(me)]
  const under = (parentId: string) => newCategory(me, { name: 'Same', parentId })
  const [x, y] = [await under(one.id), await under(other.id)]
  const swapped = await reorder(me, [
    { id: x.id, parentId: other.id },
    { id: y.id, parentId: one.id },
  ])
  expect(swapped.status).toBe(200)
  const twice = await reorder(me, [{ id: x.id, parentId: one.id }])
  expect(refusal(twice)).toEqual([409, 'categories.nameTaken', 'categories'])
  const keys = await rows<{ name_key: string }>(
    "SELECT name_key FROM categories WHERE owner_id = ? AND name = 'Same'",
    me.id,
  )
  expect(keys).toEqual([{ name_key: 'same' }, { name_key: 'same' }])
})

it('turns a chain upside down', async () => {
  const me = await newUser()
  const chain = await newBranch(me, 5)
  const reversed = chain.toReversed()
  const places = reversed.map(({ id }, at) => ({ id, parentId: reversed[at - 1]?.id ?? null }))
  expect((await reorder(me, places)).status).toBe(200)
  const depths = await depthsOf(me)
  expect(depths.kept).toEqual(depths.true)
  expect(depths.kept[chain[0]?.id ?? '']).toBe(5)
})

it('refuses circles, a sixth level, the other kind, strangers and what is named twice', async () => {
  const [me, stranger] = [await newUser(), await newUser()]
  const [one, other] = [await newCategory(me), await newCategory(me)]
  const chain = await newBranch(me, 5)
  const income = await newCategory(me, { kind: 'income' })
  const foreign = await newCategory(stranger)
  const refused = async (...places: Place[]) => refusal(await reorder(me, places))
  expect(
    await refused({ id: one.id, parentId: other.id }, { id: other.id, parentId: one.id }),
  ).toEqual([400, 'categories.belowItself', 'categories.0.parentId'])
  expect(await refused({ id: one.id, parentId: chain[4]?.id ?? '' })).toEqual([
    400,
    'categories.tooDeep',
    'categories.0.parentId',
  ])
  expect(await refused({ id: one.id }, { id: income.id, parentId: one.id })).toEqual([
    400,
    'categories.kindMismatch',
    'categories.1.parentId',
  ])
  expect(await refused({ id: one.id, parentId: foreign.id })).toEqual([
    400,
    'categories.unknownParent',
    'categories.0.parentId',
  ])
  expect(await refused({ id: foreign.id })).toEqual([
    400,
    'categories.unknownCategory',
    'categories.0.id',
  ])
  expect(await refused({ id: one.id }, { id: one.id })).toEqual([
    400,
    'categories.namedTwice',
    'categories.1.id',
  ])
  expect(await refused()).toEqual([400, 'request.invalid', 'categories'])
})

it('is refused when one of them changed in between', async () => {
  const me = await newUser()
  const { id } = await newCategory(me)
  const meanwhile = () => ok(updateCategory, { as: me, id, json: { order: 5 } })
  const raced = await serviceWith({ meanwhile }).call(reorderCategories, {
    as: me,
    json: { categories: [{ id: (await newCategory(me)).id }, { id }] },
  })
  expect(refusal(raced)).toEqual([409, 'request.conflict'])
})
