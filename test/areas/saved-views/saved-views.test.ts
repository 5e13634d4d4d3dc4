import { describe, expect, it } from 'vitest'
import {
  createSavedView,
  deleteSavedView,
  getSavedView,
  listSavedViews,
  updateSavedView,
} from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, fetchRaw, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'

type Wanted = NonNullable<NonNullable<Parameters<typeof call<typeof createSavedView>>[1]>['json']>

let serial = 0

const viewOf = (wanted: Partial<Wanted> = {}): Wanted => ({
  ...{ name: `View ${++serial}`, of: 'transactions', parameters: {} },
  ...wanted,
})

const save = (as: Principal, wanted: Partial<Wanted> = {}) =>
  ok(createSavedView, { as, json: viewOf(wanted) })

const saving = (as: Principal, wanted: Partial<Wanted>) =>
  call(createSavedView, { as, json: viewOf(wanted) })

const get = async (as: Principal, path: string) => {
  const response = await fetchRaw(path, { headers: { Authorization: `Bearer ${as.accessToken}` } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('a saved view', () => {
  it('is created, shown and listed in the order of its position, then of its name', async () => {
    const me = await newUser()
    const parameters = { kind: 'expense', amountFrom: '100', sort: '-amount', limit: '10' }
    const created = await call(createSavedView, {
      as: me,
      json: { name: ' Big ', of: 'transactions', parameters, position: 2, pinned: true },
    })
    expect([created.status, tripsOf(created)]).toEqual([201, 2])
    expect(created.body).toMatchObject({
      ...{ name: 'Big', of: 'transactions', parameters, position: 2, pinned: true, version: 1 },
      ...{ path: '/transaction?kind=expense&amountFrom=100&sort=-amount&limit=10', missing: [] },
    })
    const shown = await call(getSavedView, { as: me, id: created.body.id })
    expect([shown.body, tripsOf(shown)]).toEqual([created.body, 1])
    expect(shown.headers.get('ETag')).toMatch(/^"1-/)
    const b = await save(me, { name: 'b', position: 1 })
    const a = await save(me, { name: 'A', position: 1 })
    const worth = await save(me, {
      ...{ name: 'Worth', of: 'netWorthHistory' },
      parameters: { from: '2026-01-01', to: '2026-03-31', interval: 'week' },
    })
    expect(worth.path).toBe('/report/net-worth/history?from=2026-01-01&to=2026-03-31&interval=week')
    const list = async (query: Record<string, string | number>) => {
      const { savedViews, ...page } = await ok(listSavedViews, { as: me, query })
      return [savedViews.map(({ id }) => id), page.count, page.nextCursor] as const
    }
    expect(await list({})).toEqual([[worth.id, a.id, b.id, created.body.id], 4, null])
    expect(await list({ of: 'netWorthHistory' })).toEqual([[worth.id], 1, null])
    const [first, , cursor] = await list({ of: 'transactions', limit: 1 })
    expect(first).toEqual([a.id])
    const rest = { of: 'transactions', limit: 2, cursor: cursor ?? '' }
    expect(await list(rest)).toEqual([[b.id, created.body.id], 3, null])
  })

  it('is changed field by field, and deleted for good', async () => {
    const me = await newUser()
    const view = await save(me, { parameters: { q: 'rent' } })
    const changed = await call(updateSavedView, {
      as: me,
      id: view.id,
      json: { name: 'Rent', position: 3 },
    })
    expect([changed.status, tripsOf(changed)]).toEqual([200, 2])
    expect(changed.body).toMatchObject({
      ...view,
      name: 'Rent',
      position: 3,
      version: 2,
      updatedAt: changed.body.updatedAt,
    })
    const json = {
      of: 'netWorthHistory',
      parameters: { from: '2026-01-01', to: '2026-02-01' },
    } as const
    expect(await ok(updateSavedView, { as: me, id: view.id, json })).toMatchObject({
      ...{ name: 'Rent', of: 'netWorthHistory', version: 3 },
      path: '/report/net-worth/history?from=2026-01-01&to=2026-02-01',
    })
    const stale = { 'If-Match': '"1-x"' }
    const late = await call(updateSavedView, { as: me, id: view.id, json: {}, headers: stale })
    expect(refusal(late)).toEqual([412, 'request.stale'])
    const lateToo = await call(deleteSavedView, { as: me, id: view.id, headers: stale })
    expect(refusal(lateToo)).toEqual([412, 'request.stale'])
    await ok(deleteSavedView, { as: me, id: view.id })
    const gone = await call(getSavedView, { as: me, id: view.id })
    expect(refusal(gone)).toEqual([404, 'savedViews.notFound'])
    expect(await rows('SELECT 1 FROM saved_views WHERE id = ?', view.id)).toEqual([])
  })

  it('has an address that finds what it says', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const found = await book(me, account, { amount: '30', description: 'Müller & Söhne' })
    const alsoFound = await book(me, other, { amount: '30', description: 'Müller & Söhne' })
    await book(me, account, { amount: '30' })
    const condition = JSON.stringify({ field: 'amount', op: 'above', value: '20' })
    const accountId = `${account.id},${other.id}`
    const { id } = await save(me, {
      parameters: { accountId, condition, q: '"muller & sohne"', totals: 'true' },
    })
    const view = await ok(getSavedView, { as: me, id })
    expect(view.parameters).toEqual({
      ...{ accountId: [account.id, other.id], condition, q: '"muller & sohne"', totals: 'true' },
    })
    const answer = await get(me, view.path)
    expect(answer).toMatchObject({ status: 200, body: { count: 2 } })
    const query = { ...view.parameters, accountId }
    const { transactions } = await ok(listTransactions, { as: me, query })
    expect(transactions.map(({ id }) => id)).toEqual([alsoFound.id, found.id])
  })

  it('keeps a text that looks like a list of ids as one text', async () => {
    const me = await newUser()
    const ids = `${someId('acc')},${someId('acc', 2)}`
    for (const name of ['text', 'q', 'metadataValue']) {
      const { path, parameters } = await save(me, { parameters: { [name]: ids } })
      expect(parameters).toEqual({ [name]: ids })
      expect((await get(me, path)).status).toBe(200)
    }
  })

  it('tells which ids in it are gone', async () => {
    const [me, stranger] = [await newUser(), await newUser()]
    const [account, theirs] = [await newAccount(me), await newAccount(stranger)]
    const payee = await ok(createPayee, { as: me, json: { name: 'Shop' } })
    const nobody = someId('tag')
    const condition = JSON.stringify({
      any: [
        { field: 'payeeId', op: 'oneOf', value: [payee.id] },
        { field: 'tagId', op: 'is', value: nobody },
        { field: 'text', op: 'contains', value: 'acc_x' },
      ],
    })
    const parameters = { accountId: [account.id, theirs.id], condition }
    const view = await save(me, { parameters })
    expect(view.missing).toEqual([theirs.id, nobody].toSorted())
    await ok(deletePayee, { as: me, id: payee.id })
    await ok(deleteAccount, { as: me, id: account.id })
    const all = [theirs.id, nobody, payee.id, account.id].toSorted()
    expect((await ok(getSavedView, { as: me, id: view.id })).missing).toEqual(all)
    const { savedViews } = await ok(listSavedViews, { as: me })
    expect(savedViews.map(({ missing }) => missing)).toEqual([all])
    const renamed = await ok(updateSavedView, { as: me, id: view.id, json: { name: 'Other' } })
    expect(renamed.missing).toEqual(all)
    const json = { of: 'transactions', parameters: { accountId: theirs.id } } as const
    const changed = await ok(updateSavedView, { as: me, id: view.id, json })
    expect(changed.missing).toEqual([theirs.id])
  })

  it('tells which ids in its line are gone', async () => {
    const me = await newUser()
    const { id: payeeId } = await ok(createPayee, { as: me, json: { name: 'Shop' } })
    const [tag, other] = [someId('tag'), someId('tag', 2)]
    const q = `shop -TAG:none,${tag},${other} payee:${payeeId} "tag:${someId('tag', 3)} x"`
    const view = await save(me, { parameters: { q } })
    expect(view).toMatchObject({ parameters: { q }, missing: [tag, other].toSorted() })
    await ok(deletePayee, { as: me, id: payeeId })
    const { missing } = await ok(getSavedView, { as: me, id: view.id })
    expect(missing).toEqual([tag, other, payeeId].toSorted())
    const { path } = await save(me, { parameters: { q } })
    expect((await get(me, path)).status).toBe(200)
  })

  it('is nobody else’s to see, change or delete', async () => {
    const [me, stranger] = [await newUser(), await newUser()]
    const { id } = await save(me, { name: 'Mine' })
    expect(await ok(listSavedViews, { as: stranger })).toMatchObject({ savedViews: [], count: 0 })
    const as = stranger
    const notFound = [404, 'savedViews.notFound']
    expect(refusal(await call(getSavedView, { as, id }))).toEqual(notFound)
    const json = { name: 'Theirs' }
    expect(refusal(await call(updateSavedView, { as, id, json }))).toEqual(notFound)
    expect(refusal(await call(deleteSavedView, { as, id }))).toEqual(notFound)
    await save(stranger, { name: 'Mine' })
    expect((await ok(getSavedView, { as: me, id })).version).toBe(1)
  })
})

describe('a saved view is refused', () => {
  it('with a name that another one has, and beyond 200', async () => {
    const me = await newUser()
    await save(me, { name: 'Rent' })
    const other = await save(me)
    const taken = [409, 'savedViews.nameTaken', 'name']
    expect(refusal(await saving(me, { name: 'RENT' }))).toEqual(taken)
    const json = { name: 'rent' }
    expect(refusal(await call(updateSavedView, { as: me, id: other.id, json }))).toEqual(taken)
    await rows(
      `INSERT INTO saved_views (id, owner_id, name, name_key, view_of, parameters, created_at, updated_at)
        SELECT 'svw_' || value, ?, value, value, 'transactions', '{}', 0, 0
        FROM json_each(?)`,
      me.id,
      JSON.stringify(Array.from({ length: 198 }, (_, at) => `filled ${at}`)),
    )
    expect(refusal(await saving(me, {}))).toEqual([409, 'savedViews.tooMany'])
  })

  it.each<[string, Wanted['parameters'], string, string]>([
    ['an unknown parameter', { foo: 'bar' }, 'request.invalid', 'parameters.foo'],
    ['a cursor', { cursor: 'x' }, 'request.invalid', 'parameters.cursor'],
    ['a wrong value', { amountFrom: 'x' }, 'request.invalid', 'parameters.amountFrom'],
    ['an unknown status', { status: 'x' }, 'request.invalid', 'parameters.status'],
    [
      'a reversed span',
      { from: '2026-02-01', to: '2026-01-01' },
      'request.invalid',
      'parameters.to',
    ],
    ['no JSON', { condition: '{' }, 'request.invalid', 'parameters.condition'],
    [
      ...(['a wrong condition', { condition: '{"field":"x"}' }] as const),
      ...(['conditions.invalid', 'parameters.condition.field'] as const),
    ],
    ['an unknown field', { q: 'foo:bar' }, 'search.unknownField', 'parameters.q'],
    ['a malformed line', { q: '-' }, 'search.malformed', 'parameters.q'],
    ['an unknown name', { q: 'payee:nobody' }, 'search.unknownName', 'parameters.q'],
  ])('with %s', async (_, parameters, code, field) => {
    const me = await newUser()
    expect(refusal(await saving(me, { parameters }))).toEqual([400, code, field])
    const { id } = await save(me)
    const json = { of: 'transactions', parameters } as const
    const changed = await call(updateSavedView, { as: me, id, json })
    expect(refusal(changed)).toEqual([400, code, field])
  })

  it('with a condition that its own address would refuse', async () => {
    const me = await newUser()
    const comparison = (key: string, value: string) =>
      `{"field":"metadata","op":"is","value":{"key":"${key}","value":${value}}}`
    const many = Array.from({ length: 20 }, () => comparison('k'.repeat(125), '1e20')).join()
    for (const [condition, code] of [
      [comparison('a', '1e400'), 'conditions.invalid'],
      [`{"any":[${many}]}`, 'request.invalid'],
    ] as const) {
      expect(condition.length).toBeLessThanOrEqual(4000)
      const refused = await saving(me, { parameters: { condition } })
      expect([refused.status, refused.error.code]).toEqual([400, code])
    }
  })

  it('with parameters of another operation, or of none', async () => {
    const me = await newUser()
    const worth = { of: 'netWorthHistory', parameters: { kind: 'expense' } } as const
    const refused = await saving(me, worth)
    expect(refused.error.issues?.map(({ field }) => field)).toEqual([
      ...['parameters.from', 'parameters.to', 'parameters.kind'],
    ])
    const long = { from: '2000-01-01', to: '2026-01-01', interval: 'day' }
    const many = await saving(me, { of: 'netWorthHistory', parameters: long })
    expect(refusal(many)).toEqual([400, 'reports.tooManyPoints', 'parameters.interval'])
    const { id } = await save(me)
    for (const json of [{ of: 'netWorthHistory' as const }, { parameters: {} }]) {
      const changed = await call(updateSavedView, { as: me, id, json })
      expect(refusal(changed)).toEqual([400, 'request.invalid', 'of'])
    }
    const unknown = { name: 'x', of: 'netWorth', parameters: {} } as unknown as Wanted
    const answer = await call(createSavedView, { as: me, json: unknown })
    expect(refusal(answer)).toEqual([400, 'request.invalid', 'of'])
  })
})
