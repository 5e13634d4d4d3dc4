import { describe, expect, it } from 'vitest'
import {
  listCategories,
  createCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newUser, type TestUser } from '../../support/world.ts'

const create = (as: TestUser, name: string, more: { parentId?: string } = {}) =>
  ok(createCategory, { as, json: { name, kind: 'expense', ...more } })

const tripsOf = (headers: Headers) =>
  Number(/(\d+) trips/.exec(headers.get('Server-Timing') ?? '')?.[1])

it('creates a category with what was sent, and shows it in the list', async () => {
  const me = await newUser()
  const json = {
    name: 'Groceries',
    kind: 'expense' as const,
    order: 3,
    color: '#2E7D32',
    icon: 'basket',
    archived: true,
    excludeFromBudget: true,
    excludeFromReports: true,
    note: 'Food, not restaurants',
  }
  const created = await call(createCategory, { as: me, json })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ ...json, color: '#2e7d32', parentId: null, version: 1 })
  expect(created.body.id).toMatch(/^cat_/)
  expect(created.headers.get('ETag')).toMatch(/^"1-/)
  expect(await ok(listCategories, { as: me })).toEqual({
    categories: [created.body],
    count: 1,
    nextCursor: null,
  })
})

it('fills in what was left out', async () => {
  const me = await newUser()
  expect(
    await ok(createCategory, { as: me, json: { name: 'Salary', kind: 'income' } }),
  ).toMatchObject({
    parentId: null,
    order: 0,
    color: null,
    icon: null,
    archived: false,
    excludeFromBudget: false,
    excludeFromReports: false,
    note: null,
  })
})

it('takes names of 1 to 100 characters and cuts the white space around them', async () => {
  const me = await newUser()
  expect((await create(me, '  Rent\t')).name).toBe('Rent')
  expect((await create(me, ` ${'x'.repeat(100)} `)).name).toBe('x'.repeat(100))
  for (const name of ['', '   ', 'x'.repeat(101)]) {
    const refused = await call(createCategory, { as: me, json: { name, kind: 'expense' } })
    expect([refused.status, refused.error.field]).toEqual([400, 'name'])
  }
})

describe('names', () => {
  it.each([
    ['case', 'Café', 'CAFÉ'],
    ['width', 'Rent', 'Ｒｅｎｔ'],
    ['decomposition', 'Café', 'Cafe\u0301'],
    ['white space', 'Eating out', 'Eating  out '],
  ])('that differ only in %s are the same', async (_, name, again) => {
    const me = await newUser()
    await create(me, name)
    const refused = await call(createCategory, { as: me, json: { name: again, kind: 'expense' } })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      409,
      'categories.nameTaken',
      'name',
    ])
  })

  it('are unique within their parent, kind and owner only', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const food = await create(me, 'Other')
    const car = await create(me, 'Car')
    await create(me, 'Other', { parentId: food.id })
    await create(me, 'Other', { parentId: car.id })
    await ok(createCategory, { as: me, json: { name: 'Other', kind: 'income' } })
    await create(other, 'Other')
    const refused = await call(createCategory, {
      as: me,
      json: { name: 'OTHER', kind: 'expense', parentId: car.id },
    })
    expect([refused.status, refused.error.code]).toEqual([409, 'categories.nameTaken'])
  })

  it('are given once, however many ask at the same moment', async () => {
    const me = await newUser()
    const json = { name: 'Race', kind: 'expense' as const }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call(createCategory, { as: me, json })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    expect((await ok(listCategories, { as: me })).count).toBe(1)
  })
})

describe('a parent', () => {
  it('is shown on its children, and narrows the list to them', async () => {
    const me = await newUser()
    const food = await create(me, 'Food')
    const out = await create(me, 'Eating out', { parentId: food.id })
    expect(out.parentId).toBe(food.id)
    const children = await ok(listCategories, { as: me, query: { parentId: food.id } })
    expect(children).toEqual({ categories: [out], count: 1, nextCursor: null })
  })

  it('carries five levels, not six', async () => {
    const me = await newUser()
    let parent = await create(me, 'Level 1')
    for (const level of [2, 3, 4, 5]) {
      parent = await create(me, `Level ${level}`, { parentId: parent.id })
    }
    const refused = await call(createCategory, {
      as: me,
      json: { name: 'Level 6', kind: 'expense', parentId: parent.id },
    })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'categories.tooDeep',
      'parentId',
    ])
  })

  it('is of the same kind', async () => {
    const me = await newUser()
    const parentId = (await create(me, 'Food')).id
    const refused = await call(createCategory, {
      as: me,
      json: { name: 'Salary', kind: 'income', parentId },
    })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'categories.kindMismatch',
      'parentId',
    ])
  })

  it('of another user is refused exactly like one that never existed', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const foreign = (await create(other, 'Food')).id
    for (const parentId of [foreign, 'cat_01k9v3q8m5t0w2x4y6z8a1b3c5', 'x']) {
      const refused = await call(createCategory, {
        as: me,
        json: { name: 'Mine', kind: 'expense', parentId },
      })
      const { requestId: _, issues: __, ...error } = refused.error
      expect([refused.status, error]).toEqual([
        400,
        {
          error: 'The parent category does not exist.',
          code: 'categories.unknownParent',
          field: 'parentId',
        },
      ])
    }
    expect((await ok(listCategories, { as: me })).count).toBe(0)
  })
})

it('creates once for a repeated Idempotency-Key, also in parallel', async () => {
  const me = await newUser()
  const parentId = (await create(me, 'Food')).id
  for (const json of [
    { name: 'Top', kind: 'expense' as const },
    { name: 'Below', kind: 'expense' as const, parentId },
  ]) {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(createCategory, { as: me, json, headers })),
    )
    const again = await call(createCategory, { as: me, json, headers })
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`201 ${again.text}`]),
    )
    const other = await call(createCategory, { as: me, json: { ...json, name: 'Other' }, headers })
    expect([other.status, other.error.code]).toEqual([409, 'idempotency.mismatch'])
  }
  expect((await ok(listCategories, { as: me })).count).toBe(3)
})

it('logs who created what, once for each', async () => {
  const me = await newUser()
  const { id } = await create(me, 'Food')
  await call(createCategory, { as: me, json: { name: 'food', kind: 'expense' } })
  const log = await rows<{ changes: string }>(
    "SELECT type AS action, actor_id, owner_id, resource_id, content AS changes FROM log_entries WHERE actor_id = ? AND resource_type = 'category'",
    me.id,
  )
  expect(log).toEqual([
    {
      action: 'category.created',
      actor_id: me.id,
      owner_id: me.id,
      resource_id: id,
      changes: expect.any(String),
    },
  ])
  expect(JSON.parse(log[0]?.changes ?? '')).toMatchObject({ after: { name: 'Food' } })
})

it('costs one trip without a parent and two with one', async () => {
  const me = await newUser()
  const top = await call(createCategory, { as: me, json: { name: 'Food', kind: 'expense' } })
  expect(tripsOf(top.headers)).toBe(1)
  const below = await call(createCategory, {
    as: me,
    json: { name: 'Eating out', kind: 'expense', parentId: top.body.id },
  })
  expect([below.status, tripsOf(below.headers)]).toEqual([201, 2])
})

describe('what is refused', () => {
  const good = { name: 'Food', kind: 'expense' }

  it.each([
    ['an unknown kind', { ...good, kind: 'transfer' }, 'kind'],
    ['no kind', { name: 'Food' }, 'kind'],
    ['no name', { kind: 'expense' }, 'name'],
    ['a number for a name', { ...good, name: 1 }, 'name'],
    ['a colour by name', { ...good, color: 'red' }, 'color'],
    ['a short colour', { ...good, color: '#fff' }, 'color'],
    ['an empty icon', { ...good, icon: '' }, 'icon'],
    ['a long icon', { ...good, icon: 'x'.repeat(65) }, 'icon'],
    ['a long note', { ...good, note: 'x'.repeat(2001) }, 'note'],
    ['a fraction of an order', { ...good, order: 1.5 }, 'order'],
    ['a negative order', { ...good, order: -1 }, 'order'],
    ['a huge order', { ...good, order: 1e300 }, 'order'],
    ['text for a flag', { ...good, archived: 'false' }, 'archived'],
    ['an empty parent', { ...good, parentId: '' }, 'parentId'],
    ['a long parent', { ...good, parentId: 'x'.repeat(65) }, 'parentId'],
    ['an unknown field', { ...good, ownerId: 'usr_1' }, 'ownerId'],
  ])('%s: 400 that names the field', async (_, body, field) => {
    const me = await newUser()
    const refused = await call(createCategory, { as: me, raw: { body: JSON.stringify(body) } })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'request.invalid',
      field,
    ])
    expect((await ok(listCategories, { as: me })).count).toBe(0)
  })

  it('what is no JSON, of another type or too large: 400, 415, 413', async () => {
    const me = await newUser()
    const statusOf = async (raw: { body: string; contentType?: string }) =>
      (await call(createCategory, { as: me, raw })).status
    expect(await statusOf({ body: '{' })).toBe(400)
    expect(await statusOf({ body: JSON.stringify(good), contentType: 'text/plain' })).toBe(415)
    expect(await statusOf({ body: JSON.stringify({ name: 'x'.repeat(2 ** 20) }) })).toBe(413)
  })

  it('an anonymous caller: 401, whatever else is wrong', async () => {
    const refused = await call(createCategory, { raw: { body: '{' } })
    expect([refused.status, refused.error.code]).toEqual([401, 'auth.required'])
  })

  it('a caller without the permission: 403, whatever else is wrong', async () => {
    const me = await newUser()
    const parentId = (await create(me, 'Food')).id
    await rows('DELETE FROM user_roles WHERE user_id = ?', me.id)
    for (const body of [good, { ...good, name: 'Below', parentId }, {}]) {
      const refused = await call(createCategory, { as: me, raw: { body: JSON.stringify(body) } })
      expect([refused.status, refused.error.code]).toEqual([403, 'auth.forbidden'])
    }
  })
})
