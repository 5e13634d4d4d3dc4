import { describe, expect, it } from 'vitest'
import {
  listCategories,
  getCategory,
  updateCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'
import { depthsOf, newBranch, newCategory } from './trees.ts'

type Changes = NonNullable<NonNullable<Parameters<typeof call<typeof updateCategory>>[1]>['json']>

const change = (as: TestUser, { id }: { id: string }, json: Changes, headers = {}) =>
  call(updateCategory, { as, id, json, headers })

it('shows one category, with an ETag that spares a second answer', async () => {
  const me = await newUser()
  const food = await newCategory(me)
  const shown = await call(getCategory, { as: me, id: food.id })
  expect(shown.body).toEqual(food)
  const etag = shown.headers.get('ETag') ?? ''
  const again = await call(getCategory, { as: me, id: food.id, headers: { 'If-None-Match': etag } })
  expect([again.status, tripsOf(shown)]).toEqual([304, 1])
})

it('changes what is sent, clears what is null, and leaves the rest', async () => {
  const me = await newUser()
  const food = await newCategory(me, { icon: 'basket', color: '#112233', note: 'x' })
  const changed = await change(me, food, {
    name: ' Food ',
    order: 4,
    icon: null,
    archived: true,
    excludeFromBudget: true,
    excludeFromReports: true,
  })
  expect(changed.body).toEqual({
    ...food,
    name: 'Food',
    order: 4,
    icon: null,
    archived: true,
    excludeFromBudget: true,
    excludeFromReports: true,
    version: 2,
    updatedAt: changed.body.updatedAt,
  })
  expect(tripsOf(changed)).toBe(2)
  expect(await ok(getCategory, { as: me, id: food.id })).toEqual(changed.body)
  const [log] = await rows<{ changes: string }>(
    "SELECT content AS changes FROM log_entries WHERE resource_id = ? AND type = 'category.updated'",
    food.id,
  )
  expect(JSON.parse(log?.changes ?? '')).toMatchObject({
    before: { name: food.name, icon: 'basket' },
    after: { name: 'Food', icon: null },
  })
})

it('refuses a name that one beside it has, and keeps its own in another case', async () => {
  const me = await newUser()
  const [one, other] = [await newCategory(me, { name: 'One' }), await newCategory(me)]
  const taken = await change(me, other, { name: 'ONE' })
  expect(refusal(taken)).toEqual([409, 'categories.nameTaken', 'name'])
  expect((await change(me, one, { name: 'ONE' })).body.name).toBe('ONE')
})

it('refuses another version than If-Match names: at once, and after a race', async () => {
  const me = await newUser()
  const food = await newCategory(me)
  const headers = { 'If-Match': '"1-x"' }
  const meanwhile = () => change(me, food, { order: 1 })
  const raced = await serviceWith({ meanwhile }).call(updateCategory, {
    as: me,
    id: food.id,
    json: { order: 2 },
  })
  expect(refusal(raced)).toEqual([409, 'request.conflict'])
  const late = await change(me, food, { order: 3 }, headers)
  expect(refusal(late)).toEqual([412, 'request.stale'])
  expect((await ok(getCategory, { as: me, id: food.id })).order).toBe(1)
})

it('knows no category of another user', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const foreign = await newCategory(other)
  for (const id of [foreign.id, 'cat_01k9v3q8m5t0w2x4y6z8a1b3c5']) {
    expect(refusal(await call(getCategory, { as: me, id }))).toEqual([404, 'categories.notFound'])
    expect(refusal(await change(me, { id }, { order: 1 }))).toEqual([404, 'categories.notFound'])
  }
})

it.each([
  ['an unknown field', { ownerId: 'usr_1' }, 'ownerId'],
  ['no name', { name: '' }, 'name'],
  ['a name of null', { name: null }, 'name'],
  ['an unknown kind', { kind: 'transfer' }, 'kind'],
  ['a negative order', { order: -1 }, 'order'],
])('refuses %s', async (_, json, field) => {
  const me = await newUser()
  const { id } = await newCategory(me)
  const refused = await call(updateCategory, { as: me, id, raw: { body: JSON.stringify(json) } })
  expect(refusal(refused)).toEqual([400, 'request.invalid', field])
})

describe('moving', () => {
  it('takes along what stands below, and back to the top', async () => {
    const me = await newUser()
    const [, second] = await newBranch(me, 2)
    const [top, child, grandchild] = await newBranch(me, 3)
    const moved = await change(me, top ?? { id: '' }, { parentId: second?.id ?? null })
    expect(moved.body.parentId).toBe(second?.id)
    const depths = await depthsOf(me)
    expect(depths.kept).toEqual(depths.true)
    expect(depths.kept[grandchild?.id ?? '']).toBe(5)
    expect((await change(me, child ?? { id: '' }, { parentId: null })).body.parentId).toBeNull()
    const after = await depthsOf(me)
    expect(after.kept).toEqual(after.true)
    expect(after.kept[grandchild?.id ?? '']).toBe(2)
  })

  it('is refused when what moves along would stand on a sixth level', async () => {
    const me = await newUser()
    const branch = await newBranch(me, 4)
    const [top] = await newBranch(me, 2)
    const refused = await change(me, top ?? { id: '' }, { parentId: branch[3]?.id ?? null })
    expect(refusal(refused)).toEqual([400, 'categories.tooDeep', 'parentId'])
    expect((await change(me, top ?? { id: '' }, { parentId: branch[2]?.id ?? null })).status).toBe(
      200,
    )
  })

  it('is refused below itself, below the other kind, and below what is not there', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const [top, , bottom] = await newBranch(me, 3)
    const income = await newCategory(me, { kind: 'income' })
    const foreign = await newCategory(other)
    const under = async (parentId: string) =>
      refusal(await change(me, top ?? { id: '' }, { parentId }))
    expect(await under(top?.id ?? '')).toEqual([400, 'categories.belowItself', 'parentId'])
    expect(await under(bottom?.id ?? '')).toEqual([400, 'categories.belowItself', 'parentId'])
    expect(await under(income.id)).toEqual([400, 'categories.kindMismatch', 'parentId'])
    expect(await under(foreign.id)).toEqual([400, 'categories.unknownParent', 'parentId'])
  })

  it('makes no circle and no sixth level, however many move at the same moment', async () => {
    const me = await newUser()
    const all = await Promise.all(Array.from({ length: 10 }, () => newCategory(me)))
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        change(me, all[at % 10] ?? { id: '' }, { parentId: all[(at * 7 + 3) % 10]?.id ?? null }),
      ),
    )
    expect(
      answers.map(({ status }) => status).filter((status) => ![200, 400, 409].includes(status)),
    ).toEqual([])
    const depths = await depthsOf(me)
    expect(depths.kept).toEqual(depths.true)
    expect(Math.max(...Object.values(depths.true))).toBeLessThanOrEqual(5)
    const tree = await ok(listCategories, { as: me, query: { view: 'tree' } })
    expect(tree.count).toBe(10)
  })

  it('makes no circle when the parent moves below it in between', async () => {
    const me = await newUser()
    const [one, other] = [await newCategory(me), await newCategory(me)]
    const meanwhile = () => change(me, other, { parentId: one.id })
    const raced = await serviceWith({ meanwhile }).call(updateCategory, {
      as: me,
      id: one.id,
      json: { parentId: other.id },
    })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
  })
})

describe('the kind', () => {
  it('changes while nothing is booked on it and nothing stands below it', async () => {
    const me = await newUser()
    const [top, child] = await newBranch(me, 2)
    const account = await newAccount(me)
    const toIncome = async ({ id } = { id: '' }) =>
      refusal(await change(me, { id }, { kind: 'income' }))
    expect(await toIncome(top)).toEqual([409, 'categories.kindStays', 'kind'])
    expect(await toIncome(child)).toEqual([400, 'categories.kindMismatch', 'parentId'])
    const used = await newCategory(me)
    await book(me, account, { categoryId: used.id })
    expect(await toIncome(used)).toEqual([409, 'categories.kindStays', 'kind'])
    expect((await change(me, used, { kind: 'expense' })).status).toBe(200)
    const free = await newCategory(me)
    expect((await change(me, free, { kind: 'income' })).body.kind).toBe('income')
  })

  it('stays when something is booked on it in between', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id } = await newCategory(me)
    const meanwhile = () => book(me, account, { categoryId: id })
    const raced = await serviceWith({ meanwhile }).call(updateCategory, {
      as: me,
      id,
      json: { kind: 'income' },
    })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
  })
})
