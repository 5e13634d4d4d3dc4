import { describe, expect, it } from 'vitest'
import {
  listCategories,
  createCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { listExchangeRates } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newUser, type TestUser } from '../../support/world.ts'

const create = (as: TestUser, name: string) =>
  ok(createCategory, { as, json: { name, kind: 'expense' } })

async function createMany(as: TestUser, count: number) {
  const made: Awaited<ReturnType<typeof create>>[] = []
  for (let at = 0; at < count; at++) {
    made.push(await create(as, `Category ${at}`))
  }
  return made
}

const tripsOf = (headers: Headers) =>
  Number(/(\d+) trips/.exec(headers.get('Server-Timing') ?? '')?.[1])

/** Every page in turn; `between` runs after each of them. */
async function pagesOf(as: TestUser, query: Record<string, string>, between?: () => Promise<void>) {
  const pages = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof ok<typeof listCategories>>> = await ok(listCategories, {
      as,
      query: { ...query, ...(cursor === '' ? {} : { cursor }) },
    })
    pages.push(page)
    cursor = page.nextCursor
    await between?.()
  }
  return pages
}

describe('paging', () => {
  it('gives each of 120 exactly once, in order of creation', async () => {
    const me = await newUser()
    const ids = (await createMany(me, 120)).map(({ id }) => id)
    const pages = await pagesOf(me, { limit: '50' })
    expect(pages.map(({ categories, count }) => [categories.length, count])).toEqual([
      [50, 120],
      [50, 120],
      [20, 120],
    ])
    expect(pages.flatMap(({ categories }) => categories.map(({ id }) => id))).toEqual(
      ids.toSorted(),
    )
    const first = await ok(listCategories, { as: me })
    expect(first.categories).toEqual(pages[0]?.categories)
  })

  it('repeats and skips nothing while rows come in between the pages', async () => {
    const me = await newUser()
    const ids = (await createMany(me, 120)).map(({ id }) => id)
    let serial = 0
    const pages = await pagesOf(me, { limit: '50' }, async () => {
      serial += 1
      await create(me, `Late ${serial}`)
      // One that sorts before everything, as from a clock that is behind.
      await rows(
        `INSERT INTO categories (id, owner_id, name, name_key, kind, depth, created_at, updated_at)
          VALUES (?, ?, ?, ?, 'expense', 1, 0, 0)`,
        `cat_00${serial}${me.id}`,
        me.id,
        `Early ${serial}`,
        `early ${serial}`,
      )
    })
    const seen = pages.flatMap(({ categories }) => categories)
    const old = seen.map(({ id }) => id).filter((id) => ids.includes(id))
    expect(old).toEqual(ids.toSorted())
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    expect(seen.filter(({ name }) => name.startsWith('Early'))).toEqual([])
  })

  it('ends without a cursor when the last page is full', async () => {
    const me = await newUser()
    await createMany(me, 4)
    const pages = await pagesOf(me, { limit: '2' })
    expect(pages.map(({ categories }) => categories.length)).toEqual([2, 2])
  })

  it('takes another limit on the way', async () => {
    const me = await newUser()
    const ids = (await createMany(me, 5)).map(({ id }) => id).toSorted()
    const { nextCursor } = await ok(listCategories, { as: me, query: { limit: 2 } })
    const rest = await ok(listCategories, {
      as: me,
      query: { limit: 200, cursor: nextCursor ?? '' },
    })
    expect(rest.categories.map(({ id }) => id)).toEqual(ids.slice(2))
  })

  it('costs one trip for every page', async () => {
    const me = await newUser()
    await createMany(me, 3)
    const first = await call(listCategories, { as: me, query: { limit: 2 } })
    const second = await call(listCategories, {
      as: me,
      query: { limit: 2, cursor: first.body.nextCursor ?? '' },
    })
    expect([tripsOf(first.headers), tripsOf(second.headers)]).toEqual([1, 1])
  })
})

describe('filters', () => {
  it('narrow by kind, by use and by parent; count follows them', async () => {
    const me = await newUser()
    const food = await ok(createCategory, { as: me, json: { name: 'Food', kind: 'expense' } })
    const old = await ok(createCategory, {
      as: me,
      json: { name: 'Old', kind: 'expense', parentId: food.id, archived: true },
    })
    const salary = await ok(createCategory, { as: me, json: { name: 'Salary', kind: 'income' } })
    const namesFor = async (query: Record<string, string>) => {
      const { categories, count } = await ok(listCategories, { as: me, query })
      expect(count).toBe(categories.length)
      return categories.map(({ name }) => name).toSorted()
    }
    expect(await namesFor({ kind: 'expense' })).toEqual(['Food', 'Old'])
    expect(await namesFor({ kind: 'income' })).toEqual([salary.name])
    expect(await namesFor({ archived: 'true' })).toEqual([old.name])
    expect(await namesFor({ archived: 'false' })).toEqual(['Food', 'Salary'])
    expect(await namesFor({ parentId: food.id })).toEqual(['Old'])
    expect(await namesFor({ parentId: food.id, archived: 'false' })).toEqual([])
    expect(await namesFor({ kind: 'expense', archived: 'false' })).toEqual(['Food'])
  })

  it.each<Record<string, string | string[]>>([
    { kind: 'transfer' },
    { kind: ['expense', 'income'] },
    { archived: 'yes' },
    { archived: '' },
    { parentId: '' },
    { parentId: 'x'.repeat(65) },
    { owner: 'me' },
    { limit: '0' },
    { limit: '201' },
    { limit: '-1' },
    { limit: 'abc' },
    { limit: '1.5' },
    { limit: '1e1' },
    { limit: ' 5' },
    { limit: '' },
    { limit: ['10', '20'] },
  ])('refuse %j: 400 that names the field', async (query) => {
    const me = await newUser()
    const refused = await call(listCategories, { as: me, query })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'request.invalid',
      Object.keys(query)[0],
    ])
  })

  it('find nothing for text that no id can be', async () => {
    const me = await newUser()
    await create(me, 'Food')
    for (const parentId of ["' OR 1=1 --", 'cat\u0000', '%', '\u{1F600}']) {
      const { status, body } = await call(listCategories, { as: me, query: { parentId } })
      expect([status, body.count]).toEqual([200, 0])
    }
  })
})

describe('a cursor', () => {
  const refusal = [400, 'request.invalidCursor', 'cursor']

  async function refusedWith(as: TestUser, query: Record<string, string>) {
    const { status, error } = await call(listCategories, { as, query })
    return [status, error.code, error.field]
  }

  async function userWithCursor(query: Record<string, string> = {}) {
    const me = await newUser()
    await createMany(me, 3)
    const { nextCursor } = await ok(listCategories, { as: me, query: { limit: 1, ...query } })
    return { me, cursor: nextCursor ?? '' }
  }

  it('that was made up or changed is refused', async () => {
    const { me, cursor } = await userWithCursor()
    const [payload = '', signature = ''] = cursor.split('.')
    const other = btoa(JSON.stringify(['cat_0'])).replaceAll('=', '')
    const turned = signature.startsWith('A') ? 'B' : 'A'
    for (const forged of [
      '',
      'x',
      '.',
      payload,
      `${payload}.`,
      `.${signature}`,
      `${other}.${signature}`,
      `${payload}.${turned}${signature.slice(1)}`,
    ]) {
      expect(await refusedWith(me, { cursor: forged }), forged).toEqual(refusal)
    }
  })

  it('of another user, another list or another filter is refused', async () => {
    const { me, cursor } = await userWithCursor()
    const { cursor: narrowed } = await userWithCursor({ kind: 'expense' })
    expect(await refusedWith(await newUser(), { cursor })).toEqual(refusal)
    expect(await refusedWith(me, { cursor: narrowed })).toEqual(refusal)
    expect(await refusedWith(me, { cursor, kind: 'expense' })).toEqual(refusal)
    expect(await refusedWith(me, { cursor, archived: 'false' })).toEqual(refusal)
    const elsewhere = await call(listExchangeRates, { as: me, query: { cursor } })
    expect([elsewhere.status, elsewhere.error.code]).toEqual([400, 'request.invalidCursor'])
  })
})

it("shows nothing of another user's", async () => {
  const [me, other] = [await newUser(), await newUser()]
  const { id } = await create(other, 'Food')
  const nothing = { categories: [], count: 0, nextCursor: null }
  expect(await ok(listCategories, { as: me })).toEqual(nothing)
  expect(await ok(listCategories, { as: me, query: { parentId: id } })).toEqual(nothing)
})

it('answers 401 to an anonymous caller and 403 without the permission, whatever is asked', async () => {
  const me = await newUser()
  await rows('DELETE FROM user_roles WHERE user_id = ?', me.id)
  for (const query of [{}, { limit: 'abc' }, { cursor: 'x' }]) {
    const anonymous = await call(listCategories, { query })
    expect([anonymous.status, anonymous.error.code]).toEqual([401, 'auth.required'])
    const forbidden = await call(listCategories, { as: me, query })
    expect([forbidden.status, forbidden.error.code]).toEqual([403, 'auth.forbidden'])
  }
})
