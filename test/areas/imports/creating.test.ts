import { describe, expect, it } from 'vitest'
import {
  commitImport,
  previewImport,
  revertImport,
  setImportMapping,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listCategories } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { accessTokensOf } from '../../support/holders.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { commitImportJob, revertImportJob } from '../../../src/areas/intake/imports/imports.jobs.ts'
import { treeFor } from '../../../src/areas/intake/imports/booking/making.rules.ts'
import { committed, csv, settled, uploaded } from './importing.ts'

const accountsOf = async (as: Principal) =>
  (await ok(getUserAccounts, { as })).accounts.map(({ name, type, currency, balance }) => [
    ...[name, type, currency, balance],
  ])

/** The paths of all categories, each with its kind. */
async function treeOf(as: Principal): Promise<string[]> {
  const { categories } = await ok(listCategories, { as, query: { limit: 200 } })
  const pathOf = (id: string | null): string => {
    const found = categories.find((one) => one.id === id)
    return found ? `${pathOf(found.parentId)}/${found.name}` : ''
  }
  return categories.map(({ id, kind }) => `${kind}${pathOf(id)}`).toSorted()
}

const PLAN = JSON.stringify({
  budget: {
    last_modified_on: '2026-03-31T10:00:00+00:00',
    currency_format: { iso_code: 'EUR' },
    accounts: [
      { id: 'A', name: 'Everyday', type: 'checking', balance: 887_700, deleted: false },
      { id: 'B', name: 'Savings', type: 'savings', balance: 100_000, deleted: false },
    ],
    payees: [{ id: 'p1', name: 'Shop' }],
    category_groups: [
      { id: 'g1', name: 'Bills' },
      { id: 'g2', name: 'Pay' },
    ],
    categories: [
      { id: 'c1', category_group_id: 'g1', name: 'Rent' },
      { id: 'c2', category_group_id: 'g1', name: 'Water' },
      { id: 'c3', category_group_id: 'g2', name: 'Wages' },
    ],
    transactions: [
      ...[
        ['t1', 'A', 1_000_000, 'c3', ''],
        ['t2', 'A', -100_000, '', 'B'],
      ],
      ...[
        ['t3', 'B', 100_000, '', 'A'],
        ['t4', 'A', -12_300, null, ''],
      ],
    ].map(([id, account, amount, category, other]) => ({
      ...{ id, account_id: account, amount, date: '2026-03-02', cleared: 'cleared' },
      ...{ payee_id: 'p1', category_id: category, deleted: false },
      ...(other === '' ? {} : { transfer_account_id: other }),
      ...(id === 't2' ? { transfer_transaction_id: 't3' } : {}),
      ...(id === 't3' ? { transfer_transaction_id: 't2' } : {}),
    })),
    subtransactions: [
      { id: 's1', transaction_id: 't4', amount: -10_000, category_id: 'c1' },
      { id: 's2', transaction_id: 't4', amount: -2_300, category_id: 'c2' },
    ],
  },
})

/** A plan of another program, whose accounts and categories are all to be made. */
async function planOf(as: Principal, query = {}) {
  const sent = await uploaded(as, PLAN, { fileName: 'plan.json', ...query })
  expect(sent.questions).toMatchObject([{ key: 'accounts', options: ['create', 'ignore'] }])
  return ok(setImportMapping, {
    as,
    id: sent.id,
    json: { accountMap: { A: 'create', B: 'create' }, categoryMap: { '*': 'create' } },
  })
}

describe('accounts and categories that a file names', () => {
  it('are made by the commit, once, and go with it', async () => {
    const me = await newUser()
    const read = await planOf(me)
    expect(read).toMatchObject({
      state: 'previewed',
      accounts: [{ accountId: 'create' }, { accountId: 'create' }],
    })
    const preview = await ok(previewImport, { as: me, id: read.id })
    expect(
      preview.accounts.map(({ balanceBefore, balanceAfter }) => [balanceBefore, balanceAfter]),
    ).toEqual([
      ...[
        ['0.00', '887.70'],
        ['0.00', '100.00'],
      ],
    ])
    expect(preview.unmapped).toEqual([])
    expect(await accountsOf(me)).toEqual([])
    const done = await committed(me, read.id, { transfers: 'match', assertBalances: true })
    expect(done).toMatchObject({ state: 'done', counts: { rows: 4, new: 2, transfer: 2 } })
    expect(await accountsOf(me)).toEqual([
      ['Everyday', 'checking', 'EUR', '887.70'],
      ['Savings', 'savings', 'EUR', '100.00'],
    ])
    expect(await treeOf(me)).toEqual([
      ...[
        'expense/Bills',
        'expense/Bills/Rent',
        'expense/Bills/Water',
        'income/Pay',
        'income/Pay/Wages',
      ],
    ])
    expect(done['statements']).toMatchObject([{ ok: true }, { ok: true }])
    expect(done.accounts.map(({ accountId }) => accountId?.slice(0, 4))).toEqual(['acc_', 'acc_'])
    // The accounts are known by their names from now on.
    const again = await uploaded(me, PLAN, { fileName: 'plan.json' })
    expect(again).toMatchObject({ state: 'previewed', counts: { duplicate: 4 } })
    await ok(revertImport, { as: me, id: read.id, json: { force: true } })
    expect(await settled(me, read.id)).toMatchObject({ state: 'reverted', reverted: { kept: [] } })
    expect([await accountsOf(me), await treeOf(me)]).toEqual([[], []])
    const { count } = await ok(listTransactions, { as: me })
    expect(count).toBe(0)
    expect((await ok(listTrash, { as: me })).count).toBe(7)
  })

  it('open with the balance before the first statement, under a name that is free', async () => {
    const me = await newUser()
    await newAccount(me, { name: 'DE89370400440532013000' })
    const mt940 = [
      ...[':20:STARTUMS', ':25:DE89370400440532013001', ':28C:1/1', ':60F:C260301EUR100,00'],
      ...[':61:2603050305D30,00NTRFNONREF', ':86:TESCO', ':62F:C260331EUR70,00', '-', ''],
    ].join('\r\n')
    const sent = await uploaded(me, mt940)
    const { key = '' } = { key: sent.accounts[0]?.foreign }
    await ok(setImportMapping, { as: me, id: sent.id, json: { accountMap: { [key]: 'create' } } })
    await committed(me, sent.id)
    const made = (await ok(getUserAccounts, { as: me })).accounts.find(
      ({ balance }) => balance !== '0.00',
    )
    expect(made).toMatchObject({
      balance: '70.00',
      openingBalance: '100.00',
      openingDate: '2026-03-05',
    })
    const stored = await rows<{ date: string }>(
      "SELECT date FROM transactions WHERE owner_id = ? AND kind = 'opening'",
      me.id,
    )
    expect(stored).toEqual([{ date: '2026-03-05' }])
  })

  it('stay where something else is on them', async () => {
    const me = await newUser()
    const read = await planOf(me)
    const done = await committed(me, read.id)
    const { accountId } = done.accounts[0] as { accountId: string }
    const { categories } = await ok(listCategories, { as: me, query: { limit: 200 } })
    const rent = categories.find(({ name }) => name === 'Rent')
    await ok(createTransaction, {
      as: me,
      json: { accountId, kind: 'expense', date: '2026-04-01', amount: '1', categoryId: rent?.id },
    })
    await ok(revertImport, { as: me, id: read.id, json: {} })
    const { reverted } = await settled(me, read.id)
    const bills = rent?.parentId
    expect(reverted).toMatchObject({
      kept: [accountId, rent?.id, bills].map((id) => ({ id, reason: 'inUse' })),
    })
    expect(await treeOf(me)).toEqual(['expense/Bills', 'expense/Bills/Rent'])
    expect(await accountsOf(me)).toEqual([['Everyday', 'checking', 'EUR', '-1.00']])
  })

  it('are made once and go once, wherever the work is killed', async () => {
    const me = await newUser()
    const { id } = await planOf(me)
    const kill = async (run: typeof commitImportJob.run, at: number) => {
      const killing = databaseWith(async (trip, go) => {
        if (trip !== at) {
          return go()
        }
        await (at % 2 === 0 ? go() : undefined)
        throw new Error('killed')
      }).withSession('first-primary')
      await Promise.resolve(run(contextWith({ database: killing }), { importId: id }, [])).catch(
        () => undefined,
      )
    }
    await call(commitImport, { as: me, id, json: { transfers: 'match' } })
    for (let at = 1; at < 16; at++) {
      await kill(commitImportJob.run, at)
      expect([0, 2]).toContain((await accountsOf(me)).length)
    }
    expect(await settled(me, id)).toMatchObject({ state: 'done' })
    expect((await accountsOf(me)).map(([name, , , balance]) => [name, balance])).toEqual([
      ...[
        ['Everyday', '887.70'],
        ['Savings', '100.00'],
      ],
    ])
    expect(await treeOf(me)).toHaveLength(5)
    await ok(revertImport, { as: me, id, json: { force: true } })
    for (let at = 1; at < 24; at++) {
      await kill(revertImportJob.run, at)
    }
    expect(await settled(me, id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 4, restored: 0, kept: [] },
    })
    expect([await accountsOf(me), await treeOf(me)]).toEqual([[], []])
  })

  it('need the rights to make them, and a currency', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const sent = await uploaded(me, csv(['2026-03-02,A,-3.00']), { fileName: 'a.csv' })
    const json = { accountMap: { '': 'create' }, categoryMap: { '*': 'create' as const } }
    const { questions } = await ok(setImportMapping, { as: me, id: sent.id, json })
    expect(questions).toMatchObject([{ key: 'currency', options: ['EUR'] }])
    const scopes = ['imports.read', 'imports.write']
    const [few, narrow] = await accessTokensOf([
      { user: me, scopes },
      { user: me, scopes: [...scopes, 'accounts.write', 'categories.write'] },
    ])
    await rows(
      'UPDATE personal_access_tokens SET account_ids = ? WHERE user_id = ? AND scopes LIKE ?',
      JSON.stringify([account.id]),
      ...[me.id, '%accounts.write%'],
    )
    const own = await uploaded(me, csv(['2026-03-02,B,-3.00']), { accountId: account.id })
    const codeOf = async (as: Principal | undefined, wanted: object) => {
      const { status, error } = await call(setImportMapping, {
        ...(as ? { as } : {}),
        ...{ id: own.id, json: wanted },
      })
      return [status, error.code]
    }
    const { accountMap, categoryMap } = json
    expect(await codeOf(few, { accountMap })).toEqual([403, 'auth.forbidden'])
    expect(await codeOf(few, { categoryMap })).toEqual([403, 'auth.forbidden'])
    expect(await codeOf(narrow, { accountMap })).toEqual([403, 'accounts.tokenIsRestricted'])
  })
})

describe('the tree of a path', () => {
  const known = [
    { id: 'a', name: 'Food', kind: 'expense' as const, parentId: null, depth: 1, archived: false },
    { id: 'b', name: 'Old', kind: 'expense' as const, parentId: 'a', depth: 2, archived: true },
  ]
  const made = (...paths: [path: string, isExpense: boolean][]) => {
    let serial = 0
    const wanted = paths.map(([path, isExpense]) => ({ path: path.split(' / '), isExpense }))
    const tree = treeFor(wanted, known, () => `n${++serial}`)
    const names = tree.made.map(({ name, kind, parentId, depth }) => [name, kind, parentId, depth])
    return { made: names, idOf: Object.fromEntries(tree.idOf) }
  }

  it('has five levels, and grows under what is there', () => {
    expect(made(['A / B / C / D / E / F', true], ['food / Out', true])).toEqual({
      made: [
        ...[
          ['A', 'expense', null, 1],
          ['B', 'expense', 'n1', 2],
          ['C', 'expense', 'n2', 3],
        ],
        ...[
          ['D', 'expense', 'n3', 4],
          ['E / F', 'expense', 'n4', 5],
          ['Out', 'expense', 'a', 2],
        ],
      ],
      idOf: { 'A / B / C / D / E / F': 'n5', 'food / Out': 'n6' },
    })
  })

  it('is of expenses where money left, or is there as one, and leaves out what is archived', () => {
    expect(made(['Pay / Wages', false], ['Pay / Tax', true], ['Food', false])).toEqual({
      made: [
        ['Pay', 'expense', null, 1],
        ['Wages', 'expense', 'n1', 2],
        ['Tax', 'expense', 'n1', 2],
      ],
      idOf: { 'Pay / Wages': 'n2', 'Pay / Tax': 'n3', Food: 'a' },
    })
    expect(made(['Gift', false], ['Food / Old', true])).toEqual({
      made: [['Gift', 'income', null, 1]],
      idOf: { Gift: 'n1' },
    })
  })
})
