import { describe, expect, it } from 'vitest'
import { createAttachment } from '../../../src/areas/files/attachments/attachments.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { searchAll } from '../../../src/areas/insight/search/search.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newItem } from '../recurring/recurring.fixtures.ts'
import { share } from '../sharing/sharing.ts'
import { book, close, refusal, tripsOf } from '../transactions/booking.ts'

type Query = Record<string, string | number>

const search = (as: Principal, q: string, more: Query = {}) =>
  ok(searchAll, { as, query: { q, ...more } })

/** The names that are found, by kind; kinds without any are left out. */
async function namesFound(as: Principal, q: string, more: Query = {}) {
  const { groups } = await search(as, q, more)
  return Object.fromEntries(
    groups.flatMap(({ kind, hits }) =>
      hits.length === 0 ? [] : [[kind, hits.map(({ name }) => name)]],
    ),
  )
}

const payee = (
  as: Principal,
  name: string,
  more: { aliases?: string[]; archived?: boolean } = {},
) => ok(createPayee, { as, json: { name, ...more } })

describe('a search', () => {
  it('finds things of all kinds in their order, in one trip', async () => {
    const me = await newUser()
    const account = await newAccount(me, { name: 'Café fund' })
    const shop = await payee(me, 'Cafe Nero', { aliases: ['CAFE NERO 0042 LONDON'] })
    const food = await ok(createCategory, { as: me, json: { name: 'Food', kind: 'expense' } })
    await ok(createCategory, {
      as: me,
      json: { name: 'Cafés', kind: 'expense', parentId: food.id },
    })
    await ok(createTag, { as: me, json: { name: 'cafe-2026' } })
    await newItem(me, account, { name: 'Café club' })
    await newItem(me, account, { name: 'Cafe x', active: false })
    const first = await book(me, account, { payeeId: shop.id, date: '2026-11-01' })
    const second = await book(me, account, { description: 'CAFÉ', date: '2026-11-02' })
    await ok(createAttachment, {
      as: me,
      query: { fileName: 'cafe.txt' },
      raw: { body: 'Receipt', contentType: 'application/octet-stream' },
    })
    const found = await call(searchAll, { as: me, query: { q: 'cafe' } })
    expect([found.status, tripsOf(found), found.body.omitted]).toEqual([200, 1, []])
    const hits = Object.fromEntries(
      found.body.groups.map(({ kind, hits }) => [
        kind,
        hits.map(({ name, detail, archived }) => [name, detail, archived]),
      ]),
    )
    expect(Object.keys(hits)).toEqual([
      ...['account', 'payee', 'category', 'tag', 'recurring', 'transaction', 'attachment'],
    ])
    expect(hits).toEqual({
      account: [['Café fund', 'EUR', false]],
      payee: [['Cafe Nero', null, false]],
      category: [['Cafés', 'Food', false]],
      tag: [['cafe-2026', null, false]],
      recurring: [
        ['Café club', 'EUR', false],
        ['Cafe x', 'EUR', true],
      ],
      transaction: [
        ['CAFÉ', '2026-11-02', false],
        ['expense', '2026-11-01', false],
      ],
      attachment: [['cafe.txt', null, false]],
    })
    const transactions = found.body.groups.find(({ kind }) => kind === 'transaction')
    expect(transactions?.hits.map(({ transaction }) => transaction?.id)).toEqual([
      ...[second.id, first.id],
    ])
  })

  it('puts equal names first, then beginnings, then words, then parts', async () => {
    const me = await newUser()
    for (const name of [
      'Bread',
      'Read Books',
      'Reader',
      'Old Reading',
      'Read',
      'Reading',
      'Lidl',
    ]) {
      await payee(me, name)
    }
    await payee(me, 'Reads', { archived: true })
    const all = ['Read', 'Reader', 'Reading', 'Read Books', 'Reads', 'Old Reading', 'Bread']
    const query = { kinds: 'payee', limit: 20 }
    expect(await namesFound(me, 'read', query)).toEqual({ payee: all })
    const { groups } = await search(me, 'read', { kinds: 'payee', limit: 3 })
    expect(groups).toMatchObject([{ kind: 'payee', more: true }])
    expect(groups[0]?.hits.map(({ name }) => name)).toEqual(all.slice(0, 3))
    expect(await namesFound(me, 'book rea', query)).toEqual({ payee: ['Read Books'] })
    expect(await namesFound(me, '"books read"', query)).toEqual({})
  })

  it('finds payees by their aliases, categories by their paths, and closed accounts last', async () => {
    const me = await newUser()
    await payee(me, 'Tesco', { aliases: ['TESCO STORES 4711', 'TSC ONLINE'] })
    const [hit] = (await search(me, 'stores', { kinds: 'payee' })).groups[0]?.hits ?? []
    expect(hit).toMatchObject({ name: 'Tesco', detail: 'TESCO STORES 4711' })
    const home = await ok(createCategory, { as: me, json: { name: 'Home', kind: 'expense' } })
    await ok(createCategory, { as: me, json: { name: 'Rent', kind: 'expense', parentId: home.id } })
    expect(await namesFound(me, 'home', { kinds: 'category' })).toEqual({
      category: ['Home', 'Rent'],
    })
    expect(await namesFound(me, 'home rent', { kinds: 'category' })).toEqual({ category: ['Rent'] })
    const shut = await newAccount(me, { name: 'Cash', currency: 'USD' })
    await close(shut)
    await newAccount(me, { name: 'Cash box' })
    const { groups } = await search(me, 'cas', { kinds: 'account' })
    expect(groups[0]?.hits).toMatchObject([
      { name: 'Cash box', archived: false },
      { name: 'Cash', archived: true, detail: 'USD' },
    ])
  })

  it('finds transactions alone by a line with fields', async () => {
    const me = await newUser()
    const account = await newAccount(me, { name: 'Rent account' })
    await payee(me, 'Rent office')
    const rent = await book(me, account, { amount: '900', description: 'Rent' })
    await book(me, account, { amount: '1', description: 'Rent' })
    const { groups } = await search(me, 'rent amount>100')
    expect(groups).toMatchObject([{ kind: 'transaction', hits: [{ id: rent.id }], more: false }])
    expect((await search(me, '"rent","other"')).groups).toHaveLength(1)
    expect(await search(me, '-rent', { kinds: 'payee' })).toEqual({ groups: [], omitted: [] })
    await ok(deleteTransaction, { as: me, id: rent.id })
    expect((await search(me, 'rent amount>100')).groups[0]?.hits).toEqual([])
  })

  it.each([
    [{ q: '' }, 'request.invalid', 'q'],
    [{ q: 'x'.repeat(201) }, 'request.invalid', 'q'],
    [{ q: 'x', limit: 0 }, 'request.invalid', 'limit'],
    [{ q: 'x', limit: 21 }, 'request.invalid', 'limit'],
    [{ q: 'x', kinds: 'budget' }, 'request.invalid', 'kinds'],
    [{ q: '-' }, 'search.malformed', 'q'],
    [{ q: '"' }, 'search.malformed', 'q'],
    [{ q: 'foo:bar' }, 'search.unknownField', 'q'],
    [{ q: 'payee:nobody' }, 'search.unknownName', 'q'],
  ])('%j is refused', async (query, code, field) => {
    const answer = await call(searchAll, { as: await newUser(), query })
    expect(refusal(answer)).toEqual([400, code, field])
  })
})

describe('a search shows', () => {
  it('nothing of others but what the caller sees of their accounts', async () => {
    const [owner, friend, helper, stranger] = await Promise.all([1, 2, 3, 4].map(() => newUser()))
    if (!owner || !friend || !helper || !stranger) {
      throw new Error('no users')
    }
    const shared = await newAccount(owner, { name: 'Zebra fund' })
    const hidden = await newAccount(owner, { name: 'Zebra safe' })
    const zebra = await payee(owner, 'Zebra', { aliases: ['ZEBRA 1'] })
    await ok(createTag, { as: owner, json: { name: 'Zebra' } })
    await ok(createCategory, { as: owner, json: { name: 'Zebra', kind: 'expense' } })
    const seen = await book(owner, shared, { payeeId: zebra.id, description: 'Zebra seen' })
    await book(owner, shared, { description: 'Zebra private', private: true })
    await book(owner, hidden, { description: 'Zebra hidden' })
    await ok(createAttachment, {
      as: owner,
      query: { fileName: 'zebra.txt' },
      raw: { body: 'x', contentType: 'application/octet-stream' },
    })
    await share(owner, shared, friend, { permission: 'view' })
    await share(owner, shared, helper, { permission: 'annotate' })
    const [kind, name] = ['transaction', 'Zebra seen']
    expect(await namesFound(friend, 'zebra')).toEqual({ account: ['Zebra fund'], [kind]: [name] })
    expect(await namesFound(helper, 'zebra')).toEqual({
      ...{ account: ['Zebra fund'], payee: ['Zebra'], category: ['Zebra'], tag: ['Zebra'] },
      [kind]: [name],
    })
    expect(await namesFound(stranger, 'zebra')).toEqual({})
    expect((await search(friend, 'amount:12.30')).groups[0]?.hits).toMatchObject([{ id: seen.id }])
    expect(Object.keys(await namesFound(owner, 'zebra'))).toHaveLength(6)
  })

  it('to a token only kinds and accounts that it is for, and names the other kinds', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me, { name: 'Rent' }), await newAccount(me)]
    await payee(me, 'Rent')
    await book(me, one, { description: 'Rent' })
    await book(me, two, { description: 'Rent of two' })
    const { token } = await ok(createAccessToken, {
      as: me,
      json: { name: 'x', scopes: ['search.read', 'transactions.read'], accountIds: [two.id] },
    })
    const as = { accessToken: token }
    const found = await search(as, 'rent')
    expect(found.omitted).toEqual([
      'account',
      'payee',
      'category',
      'tag',
      'recurring',
      'attachment',
    ])
    expect(found.groups).toMatchObject([{ kind: 'transaction', hits: [{ name: 'Rent of two' }] }])
    expect((await search(as, 'rent', { kinds: 'payee' })).groups).toEqual([])
    const other = await ok(createAccessToken, {
      as: me,
      json: { name: 'y', scopes: ['tags.read'] },
    })
    const refused = await call(searchAll, { as: { accessToken: other.token }, query: { q: 'x' } })
    expect(refusal(refused)).toEqual([403, 'auth.forbidden'])
  })
})
