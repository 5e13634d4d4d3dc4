import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, newCategory, refusal } from './booking.ts'

type Query = Record<string, string | number>

/** The ids of what is found, and that as many are counted. */
async function find(as: Principal, query: Query): Promise<string[]> {
  const { transactions, count } = await ok(listTransactions, { as, query })
  expect(count, JSON.stringify(query)).toBe(transactions.length)
  return transactions.map(({ id }) => id)
}

async function refusalOf(as: Principal, query: Query) {
  return refusal(await call(listTransactions, { as, query }))
}

describe('a search by amount', () => {
  it('bounds the amount without its sign, in each currency by its own digits', async () => {
    const me = await newUser()
    const [eur, jpy, bhd, clf] = await Promise.all(
      ['EUR', 'JPY', 'BHD', 'CLF'].map((currency) => newAccount(me, { currency })),
    )
    const on = (account: typeof eur, amount: string, kind: 'expense' | 'income' = 'expense') =>
      book(me, account ?? { id: '' }, { amount, kind })
    const all = [
      await on(eur, '12.34'),
      await on(eur, '12.35', 'income'),
      await on(jpy, '12'),
      await on(jpy, '13'),
      await on(bhd, '12.344'),
      await on(bhd, '12.346'),
      await on(clf, '12.3449'),
      await on(clf, '12.3450'),
    ]
    const amounts = new Map(all.map(({ id, amount }) => [id, amount]))
    const found = async (query: Query) =>
      (await find(me, { ...query, sort: 'createdAt' })).map((id) => amounts.get(id))
    expect(await found({ amountFrom: '12.345' })).toEqual(['12.35', '13', '12.346', '12.3450'])
    expect(await found({ amountTo: '12.345' })).toEqual([
      '12.34',
      '12',
      '12.344',
      '12.3449',
      '12.3450',
    ])
    expect(await found({ amountFrom: '12.3449', amountTo: '12.3450000000000001' })).toEqual([
      '12.3449',
      '12.3450',
    ])
    expect(await found({ amountFrom: '13', amountTo: '12' })).toEqual([])
    expect(await found({ amountTo: '0' })).toEqual([])
    expect(await found({ amountTo: '99999999999999999999999' })).toHaveLength(8)
    expect(await found({ amountFrom: '99999999999999999999999' })).toEqual([])
    expect(await found({ currency: 'JPY', amountFrom: '12.5' })).toEqual(['13'])
    expect(await found({ currency: 'USD' })).toEqual([])
  })

  it('finds the greatest amount that there is, and no other', async () => {
    const me = await newUser()
    const yen = await newAccount(me, { currency: 'JPY' })
    const most = await book(me, yen, { amount: '9007199254740991' })
    await book(me, yen, { amount: '9007199254740990', kind: 'income' })
    expect(await find(me, { amountFrom: '9007199254740991' })).toEqual([most.id])
    expect(await find(me, { amountFrom: '9007199254740990.5' })).toEqual([most.id])
  })

  it('takes amounts without a sign only', async () => {
    const me = await newUser()
    for (const bad of ['-1', '', '1e3', '1,5', 'x', '1'.repeat(25)]) {
      expect(await refusalOf(me, { amountFrom: bad }), bad).toEqual([
        400,
        'request.invalid',
        'amountFrom',
      ])
    }
    expect(await refusalOf(me, { currency: 'XXX' })).toEqual([400, 'request.invalid', 'currency'])
  })
})

describe('a search by category', () => {
  it('finds what is below it as well, however deep', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    let parentId: string | undefined
    const booked: string[] = []
    const path: string[] = []
    for (const name of ['1', '2', '3', '4', '5']) {
      const json = { name, kind: 'expense' as const, ...(parentId ? { parentId } : {}) }
      const category: { id: string } = await ok(createCategory, { as: me, json })
      booked.unshift((await book(me, account, { categoryId: category.id })).id)
      path.push(category.id)
      parentId = category.id
    }
    const other = await newCategory(me)
    await book(me, account, { categoryId: other.id })
    for (const [at, categoryId] of path.entries()) {
      expect(await find(me, { categoryId })).toEqual(booked.slice(0, 5 - at))
    }
    expect(await find(await newUser(), { categoryId: path[0] ?? '' })).toEqual([])
  })

  it('finds what lacks one: wholes, parts, and fees of transfers', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me, { openingBalance: '5' }), await newAccount(me)]
    const food = await newCategory(me)
    const without = await book(me, one, { date: '2026-01-01' })
    const partly = await book(me, one, {
      date: '2026-01-02',
      splits: [{ amount: '12', categoryId: food.id }, { amount: '0.3' }],
    })
    const move = { fromAccountId: one.id, toAccountId: two.id, amount: '9' }
    const charged = await ok(createTransfer, {
      as: me,
      json: { ...move, date: '2026-01-03', fee: { amount: '1' } },
    })
    const free = await ok(createTransfer, { as: me, json: { ...move, date: '2026-01-04' } })
    const complete = await book(me, one, { date: '2026-01-05', categoryId: food.id })
    const adjustment = await book(me, two, { date: '2026-01-06', kind: 'adjustment' })
    expect(await find(me, { uncategorised: 'true' })).toEqual([
      charged.from.id,
      partly.id,
      without.id,
    ])
    const rest = await find(me, { uncategorised: 'false', to: '2026-06-01' })
    expect(rest).toEqual([adjustment.id, complete.id, free.to.id, free.from.id, charged.to.id])
    expect(await find(me, { uncategorised: 'true', categoryId: food.id })).toEqual([partly.id])
  })
})

describe('a search by words', () => {
  it('looks for each of them in the description, payeeRaw, the note and the name of a payee', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const payee = await ok(createPayee, { as: me, json: { name: 'Bäckerei Müßig' } })
    const described = await book(me, account, {
      date: '2026-01-01',
      description: 'Frische BRÖTCHEN',
    })
    const raw = await book(me, account, { date: '2026-01-02', payeeRaw: 'BROT 100% GmbH_7' })
    const noted = await book(me, account, {
      date: '2026-01-03',
      note: 'für Ｂrötchen\n am  Sonntag',
    })
    const paid = await book(me, account, {
      date: '2026-01-04',
      payeeId: payee.id,
      description: 'Brötchen',
    })
    const partly = await book(me, account, {
      date: '2026-01-05',
      splits: [{ amount: '12', payeeId: payee.id }, { amount: '0.3' }],
    })
    const street = await book(me, account, { date: '2026-01-06', note: 'Οδοσκούπα, δρόμος ΔΡΟΜΟΣ' })
    const cases: [string, { id: string }[]][] = [
      ['brötchen', [paid, noted, described]],
      ['brotchen', [paid, noted, described]],
      ['BRÖTCHEN', [paid, noted, described]],
      ['bro\u0308tchen', [paid, noted, described]],
      ['bröt', [paid, noted, raw, described]],
      ['frische brötchen', [described]],
      ['brötchen frische', [described]],
      ['brötchen frische nie', []],
      ['müssig', [partly, paid]],
      ['müßig bröt', [paid]],
      ['sonntag', [noted]],
      ['100%', [raw]],
      ['gmbh_', [raw]],
      ['b%t', []],
      ['%4 100', []],
      ['brot" OR 1', []],
      ['ΟΔΟΣ', [street]],
      ['οδος', [street]],
      ['δρομος', [street]],
      [`bröt ${'bröt '.repeat(30)}`, [paid, noted, raw, described]],
    ]
    for (const [text, expected] of cases) {
      expect(await find(me, { text }), text).toEqual(expected.map(({ id }) => id))
    }
    expect(await find(await newUser(), { text: 'brötchen' })).toEqual([])
    for (const text of [
      'a b c d e f g h i j k',
      'x'.repeat(201),
      '',
      ' \n ',
      '\0',
      '\u200b',
      '%',
      "'",
    ]) {
      expect(await refusalOf(me, { text }), text).toEqual([400, 'request.invalid', 'text'])
    }
    expect(await find(me, { text: 'a b c d e f g h i j' })).toEqual([])
  })

  it('does not find by a payee of somebody else', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await ok(createPayee, { as: other, json: { name: 'Secret' } })
    await book(me, await newAccount(me))
    expect(await find(me, { text: 'secret' })).toEqual([])
  })

  it('finds by the names of an owner’s payees only for those who may annotate', async () => {
    const [me, viewer, helper] = [await newUser(), await newUser(), await newUser()]
    const account = await newAccount(me)
    const payee = await ok(createPayee, { as: me, json: { name: 'Secret' } })
    const { id } = await book(me, account, { payeeId: payee.id })
    await share(me, account, viewer)
    await share(me, account, helper, { permission: 'annotate' })
    expect(await find(viewer, { text: 'secret' })).toEqual([])
    expect(await find(helper, { text: 'secret' })).toEqual([id])
  })

  it('goes by the words as they are after a change of any of them', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const booked = await book(me, account, {
      description: 'alpha',
      payeeRaw: 'beta',
      note: 'gamma',
    })
    const words = async () => {
      const found = await Promise.all(
        ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].map(async (text) =>
          (await find(me, { text })).length === 1 ? [text] : [],
        ),
      )
      return found.flat().join(' ')
    }
    expect(await words()).toBe('alpha beta gamma')
    await change(me, booked, { description: 'Delta' })
    expect(await words()).toBe('beta gamma delta')
    await change(me, booked, { note: 'EPSILON', amount: '1' })
    expect(await words()).toBe('beta delta epsilon')
    await change(me, booked, { note: null, payeeRaw: 'zeta' })
    expect(await words()).toBe('delta zeta')
    await change(me, booked, { amount: '2', reviewed: true })
    expect(await words()).toBe('delta zeta')
    await change(me, booked, { description: '', payeeRaw: null })
    expect(await words()).toBe('')
  })

  it('goes by the words of a transfer as they are after a change of it or of a leg', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const { id, from, to } = await ok(createTransfer, {
      as: me,
      json: {
        fromAccountId: one.id,
        toAccountId: two.id,
        date: '2026-01-01',
        amount: '9',
        description: 'alpha',
        note: 'beta',
      },
    })
    const both = [to.id, from.id]
    expect(await find(me, { text: 'alpha beta' })).toEqual(both)
    await ok(updateTransfer, { as: me, id, json: { description: 'Gamma' } })
    expect(await find(me, { text: 'alpha' })).toEqual([])
    expect(await find(me, { text: 'gamma beta' })).toEqual(both)
    await change(me, from, { note: 'delta', payeeRaw: 'epsilon' })
    expect(await find(me, { text: 'beta' })).toEqual([])
    expect(await find(me, { text: 'gamma delta epsilon' })).toEqual(both)
    await ok(updateTransfer, { as: me, id, json: { amount: '10' } })
    expect(await find(me, { text: 'gamma delta epsilon' })).toEqual(both)
  })
})

describe('a search by metadata', () => {
  it('finds a field by its name, by its value, and by both', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const metadata = {
      trip: 'Dublin',
      nights: 3,
      rate: 0.1,
      small: 1.5e-7,
      paid: true,
      open: false,
      none: null,
      list: ['Dublin'],
      code: '3',
      '': 'empty',
      'a.b': 'dot',
      'x"]\\\u0001': 'hostile',
      "'; DROP TABLE entries; --": 'sql',
      '$.trip': 'path',
      ключ: 'Київ',
    }
    const { id } = await book(me, account, { metadata })
    await book(me, account, { metadata: { trip: 'Cork' } })
    await book(me, account)
    const cases: [Query, number][] = [
      [{ metadataKey: 'trip' }, 2],
      [{ metadataKey: 'Trip' }, 0],
      [{ metadataKey: 'trip', metadataValue: 'Dublin' }, 1],
      [{ metadataKey: 'trip', metadataValue: 'dublin' }, 0],
      [{ metadataValue: 'Cork' }, 1],
      [{ metadataValue: 'empty' }, 1],
      [{ metadataKey: 'nights', metadataValue: '3' }, 1],
      [{ metadataKey: 'code', metadataValue: '3' }, 1],
      [{ metadataKey: 'nights', metadataValue: '3.0' }, 0],
      [{ metadataKey: 'rate', metadataValue: '0.1' }, 1],
      [{ metadataKey: 'small', metadataValue: '1.5e-7' }, 1],
      [{ metadataKey: 'paid', metadataValue: 'true' }, 1],
      [{ metadataKey: 'paid', metadataValue: '1' }, 0],
      [{ metadataKey: 'open', metadataValue: 'false' }, 1],
      [{ metadataKey: 'open', metadataValue: '' }, 0],
      [{ metadataKey: 'none' }, 1],
      [{ metadataKey: 'none', metadataValue: 'null' }, 0],
      [{ metadataKey: 'list', metadataValue: 'Dublin' }, 0],
      [{ metadataKey: '0' }, 0],
      [{ metadataKey: 'a.b', metadataValue: 'dot' }, 1],
      [{ metadataKey: 'a' }, 0],
      [{ metadataKey: '$' }, 0],
      [{ metadataKey: '$.trip', metadataValue: 'path' }, 1],
      [{ metadataKey: 'x"]\\\u0001', metadataValue: 'hostile' }, 1],
      [{ metadataKey: "'; DROP TABLE entries; --", metadataValue: 'sql' }, 1],
      [{ metadataKey: 'ключ', metadataValue: 'Київ' }, 1],
      [{ metadataKey: 'trip\0' }, 0],
      [{ metadataValue: 'NaN' }, 0],
      [{ metadataValue: 'Infinity' }, 0],
    ]
    for (const [query, count] of cases) {
      expect((await find(me, query)).length, JSON.stringify(query)).toBe(count)
    }
    expect(await find(me, { metadataKey: 'a.b' })).toEqual([id])
    expect(await refusalOf(me, { metadataKey: '' })).toEqual([
      400,
      'request.invalid',
      'metadataKey',
    ])
  })
})

describe('a search', () => {
  it('by where they came from, and whether they were looked at', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const seen = await book(me, account, { reviewed: true })
    const imported = await book(me, account)
    await rows("UPDATE transactions SET source = 'import' WHERE id = ?", imported.id)
    expect(await find(me, { reviewed: 'true' })).toEqual([seen.id])
    expect(await find(me, { reviewed: 'false' })).toEqual([imported.id])
    expect(await find(me, { source: 'import' })).toEqual([imported.id])
    expect(await find(me, { source: 'user', reviewed: 'false' })).toEqual([])
    expect(await refusalOf(me, { reviewed: '1' })).toEqual([400, 'request.invalid', 'reviewed'])
    expect(await refusalOf(me, { source: 'bank' })).toEqual([400, 'request.invalid', 'source'])
  })

  it('by all there is at once finds what fits all', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const food = await newCategory(me)
    const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const payee = await ok(createPayee, { as: me, json: { name: 'Shop' } })
    const wanted = {
      categoryId: food.id,
      tagIds: [tag.id],
      payeeId: payee.id,
      description: 'a b c d e f g h i j',
      metadata: { n: 1 },
      status: 'cleared' as const,
    }
    const { id } = await book(me, account, wanted)
    const query = {
      accountId: account.id,
      from: '2026-11-20',
      to: '2026-11-20',
      amountFrom: '12.3',
      amountTo: '12.30',
      currency: 'EUR',
      kind: 'expense',
      status: 'cleared',
      source: 'user',
      reviewed: 'false',
      categoryId: food.id,
      uncategorised: 'false',
      payeeId: payee.id,
      tagId: tag.id,
      text: 'j i h g f e d c b shop',
      metadataKey: 'n',
      metadataValue: '1',
    }
    expect(await find(me, query)).toEqual([id])
    const other = await book(me, account, wanted)
    for (const sort of ['-date', '-amount']) {
      const first = { ...query, sort, limit: 1 }
      const { transactions, nextCursor } = await ok(listTransactions, { as: me, query: first })
      const rest = { ...first, cursor: nextCursor ?? '', totals: 'true' }
      const last = await ok(listTransactions, { as: me, query: rest })
      expect([...transactions, ...last.transactions].map((row) => row.id)).toEqual([other.id, id])
      expect([last.count, last.totals?.[0]?.net]).toEqual([2, '-24.60'])
    }
    const without: Query[] = [
      { amountFrom: '12.31' },
      { kind: 'income' },
      { status: 'pending' },
      { text: 'z' },
      { metadataValue: '2' },
      { reviewed: 'true' },
    ]
    for (const more of without) {
      expect(await find(me, { ...query, ...more })).toEqual([])
    }
  })

  it('by a token that is bound to one account finds nothing of the others', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const json = { description: 'alpha', metadata: { n: 1 } }
    const mine = await book(me, one, json)
    await book(me, two, json)
    const { token: accessToken } = await ok(createAccessToken, {
      as: me,
      json: { name: 'One', scopes: ['read'], accountIds: [one.id] },
    })
    for (const query of [{ text: 'alpha' }, { metadataKey: 'n' }, { amountFrom: '1' }, {}]) {
      expect(await find({ accessToken }, query)).toEqual([mine.id])
    }
  })
})
