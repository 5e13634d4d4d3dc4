import { describe, expect, it } from 'vitest'
import {
  createCategory,
  createStarterCategories,
  listCategories,
  deleteCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { LANGUAGES } from '../../../src/areas/money/categories/categories.rules.ts'
import {
  HOUSEHOLDS,
  languageOf,
  starterSet,
} from '../../../src/areas/money/categories/starter.rules.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { eventsOf } from '../ledger/events.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'

type Wanted = NonNullable<
  NonNullable<Parameters<typeof call<typeof createStarterCategories>>[1]>['json']
>

const start = (as: Principal, json: Wanted = { locale: 'en' }) =>
  call(createStarterCategories, { as, json })

const treeOf = async (as: Principal) =>
  (await ok(listCategories, { as, query: { view: 'tree' } })).categories

const namesOf = (all: { name: string }[]) => all.map(({ name }) => name)

it('lists what was made at once in the order of the set', async () => {
  const me = await newUser()
  const { created } = await ok(createStarterCategories, { as: me, json: { locale: 'en' } })
  expect(
    namesOf((await ok(listCategories, { as: me, query: { limit: '200' } })).categories),
  ).toEqual(namesOf(starterSet('en', 'single')))
  expect(created.length).toBeGreaterThan(30)
})

describe('the sets', () => {
  it.each(LANGUAGES)('name everything in %s, and nothing twice in a kind', (language) => {
    for (const household of HOUSEHOLDS) {
      const set = starterSet(language, household)
      expect(set.length, household).toBeGreaterThan(30)
      const keys = set.map(({ kind, nameKey }) => `${kind} ${nameKey}`)
      expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
      for (const { name, below, kind } of set) {
        expect(name.length).toBeGreaterThan(2)
        const parent = below === undefined ? undefined : set[below]
        expect([parent?.kind ?? kind, parent?.below]).toEqual([kind, undefined])
      }
      expect(new Set(set.map(({ kind }) => kind)).size).toBe(2)
    }
  })

  it('are written in their language, and differ by household', () => {
    const own = (household: (typeof HOUSEHOLDS)[number]) => namesOf(starterSet('en', household))
    expect(own('family')).toContain('Child benefit')
    expect(own('student')).toContain('Tuition fees')
    expect(own('retired')).not.toContain('Salary')
    expect(own('couple')).toContain('Mortgage')
    expect(own('single')).not.toContain('Children')
    const english = namesOf(starterSet('en', 'family'))
    for (const language of LANGUAGES.filter((one) => one !== 'en')) {
      const names = namesOf(starterSet(language, 'family'))
      const same = names.filter((name, at) => name === english[at])
      expect(same.length, `${language}: ${same.join(', ')}`).toBeLessThan(8)
    }
  })

  it.each([
    ['de-AT', 'de'],
    ['PT-br', 'pt'],
    ['nl', 'nl'],
    ['en-GB', 'en'],
    ['ja-JP', 'en'],
    ['deu', 'en'],
  ])('of the locale %s are in %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language)
  })
})

describe('a starter set', () => {
  it('is created whole, with colours and icons, in one commit that tells of each', async () => {
    const me = await newUser()
    const answer = await start(me, { locale: 'de-AT', household: 'family' })
    expect([answer.status, tripsOf(answer)]).toEqual([201, 2])
    const { language, household, created, existing } = answer.body
    expect([language, household, existing]).toEqual(['de', 'family', []])
    expect(created).toHaveLength(starterSet('de', 'family').length)
    const tree = await treeOf(me)
    const food = tree.find(({ name }) => name === 'Essen und Trinken')
    expect(food).toMatchObject({ kind: 'expense', color: '#2e7d32', icon: 'utensils', order: 1 })
    expect(namesOf(food?.children ?? [])).toEqual([
      'Lebensmittel',
      'Restaurants',
      'Kaffee und Snacks',
    ])
    expect(tree.flatMap(({ children = [] }) => children).length + tree.length).toBe(created.length)
    const [event] = await eventsOf(created[1]?.id ?? '')
    expect(event?.type).toBe('category.created')
    const listed = await ok(listCategories, { as: me, query: { limit: 200 } })
    const byId = new Map(listed.categories.map((one) => [one.id, one]))
    expect(created.map(({ id }) => byId.get(id))).toEqual(created)
  })

  it('changes nothing when it is asked for again', async () => {
    const me = await newUser()
    const first = (await start(me)).body
    const before = await treeOf(me)
    const again = await start(me)
    expect([again.status, tripsOf(again), again.body.created]).toEqual([200, 1, []])
    expect(again.body.existing).toEqual(first.created)
    expect(await treeOf(me)).toEqual(before)
    const gone = again.body.existing.find(({ name }) => name === 'Groceries')
    await ok(deleteCategory, { as: me, id: gone?.id ?? '' })
    expect(namesOf((await start(me)).body.created)).toEqual(['Groceries'])
    const family = (await start(me, { locale: 'en', household: 'family' })).body
    expect(namesOf(family.created)).toContain('Childcare')
    expect(family.created.length + family.existing.length).toBe(starterSet('en', 'family').length)
  })

  it('leaves names that are there as they are, and puts what is new below them', async () => {
    const me = await newUser()
    const make = (name: string, more: object = {}) =>
      ok(createCategory, { as: me, json: { name, kind: 'expense' as const, ...more } })
    const daily = await make('Daily')
    const food = await make('ＦOOD', { parentId: daily.id, color: '#000000' })
    const coffee = await make('coffee and snacks')
    const income = await make('Housing', { kind: 'income' })
    const { created, existing } = (await start(me)).body
    expect(existing).toEqual([food, coffee])
    const below = created.filter(({ parentId }) => parentId === food.id)
    expect(namesOf(below)).toEqual(['Groceries', 'Restaurants'])
    const housing = created.find(({ name }) => name === 'Housing')
    expect([housing?.kind, housing?.id === income.id]).toEqual(['expense', false])
  })

  it('puts below the top what would stand below the fifth level', async () => {
    const me = await newUser()
    let parentId: string | undefined
    for (const name of ['One', 'Two', 'Three', 'Four', 'Food']) {
      const json = { name, kind: 'expense' as const, ...(parentId ? { parentId } : {}) }
      parentId = (await ok(createCategory, { as: me, json })).id
    }
    const { created } = (await start(me)).body
    expect(created.find(({ name }) => name === 'Groceries')?.parentId).toBeNull()
  })

  it('speaks the language of the user where none is said', async () => {
    const me = await newUser()
    await rows("UPDATE users SET locale = 'fr-CA' WHERE id = ?", me.id)
    const { language, household, created } = (await start(me, {})).body
    expect([language, household, created[0]?.name]).toEqual(['fr', 'single', 'Logement'])
  })

  it('is created once, however often it is asked for at the same moment', async () => {
    const me = await newUser()
    const answers = await Promise.all(Array.from({ length: 4 }, () => start(me)))
    for (const answer of answers.filter(({ status }) => status >= 400)) {
      expect(refusal(answer)).toEqual([409, 'ledger.createdMeanwhile'])
    }
    const { count } = await ok(listCategories, { as: me })
    expect(count).toBe(starterSet('en', 'single').length)
    const service = serviceWith({ meanwhile: () => start(me, { locale: 'it' }) })
    const json = { locale: 'it' }
    const raced = await service.call(createStarterCategories, { as: me, json })
    expect(raced).toMatchObject({ status: 200, body: { created: [] } })
  })

  it('stops where a parent goes away meanwhile', async () => {
    const me = await newUser()
    const json = { name: 'Food', kind: 'expense' as const }
    const { id } = await ok(createCategory, { as: me, json })
    const service = serviceWith({ meanwhile: () => ok(deleteCategory, { as: me, id }) })
    const raced = await service.call(createStarterCategories, { as: me, json: { locale: 'en' } })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
    expect((await ok(listCategories, { as: me })).count).toBe(0)
  })

  it('is refused where it would be more than 1,000 categories, and creates none then', async () => {
    const me = await newUser()
    await rows(
      `WITH RECURSIVE serial (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM serial WHERE n < 990)
        INSERT INTO categories (id, owner_id, name, name_key, kind, depth, version, created_at, updated_at)
        SELECT 'cat_' || n || ?1, ?1, n, n, 'expense', 1, 1, 0, 0 FROM serial`,
      me.id,
    )
    expect(refusal(await start(me))).toEqual([409, 'categories.tooMany'])
    expect((await ok(listCategories, { as: me })).count).toBe(990)
  })

  it.each([
    ['another household', { household: 'commune' }, 'household'],
    ['a locale that is none', { locale: 'x' }, 'locale'],
    ['an unknown field', { language: 'de' }, 'language'],
  ])('is refused for %s', async (_, wrong, field) => {
    const me = await newUser()
    const raw = { body: JSON.stringify(wrong) }
    const refused = await call(createStarterCategories, { as: me, raw })
    expect(refusal(refused)).toEqual([400, 'request.invalid', field])
  })

  it('needs the permission to write categories, and is nobody else’s', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const token = await giveToken(me, ['categories.read'])
    expect(refusal(await start(token))).toEqual([403, 'auth.forbidden'])
    await start(me)
    expect((await ok(listCategories, { as: other })).count).toBe(0)
  })
})
