import { describe, expect, it } from 'vitest'
import {
  revertImport,
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { committed, csv, ofx, settled, upload, uploaded } from './importing.ts'

const march = (day: number, name: string) =>
  ofx([{ id: '1', date: `2026-03-${String(day).padStart(2, '0')}`, amount: '-5.00', name }])

// Rows of real files that once were taken for others, or left out.

it.each([
  [2, 'BUS TICKET', 'duplicate'],
  [6, 'COFFEE BAR 7', 'duplicate'],
  [6, 'BUS TICKET', 'new'],
  [12, 'BUS TICKET', 'new'],
])('an id that comes again on day %i for %s makes a row %s', async (day, name, verdict) => {
  const me = await newUser()
  const account = await newAccount(me)
  const query = { accountId: account.id }
  await committed(me, (await uploaded(me, march(1, 'COFFEE BAR'), query)).id)
  const { id, counts } = await uploaded(me, march(day, name), query)
  expect(counts).toMatchObject({ rows: 1, [verdict]: 1 })
  await committed(me, id)
  const { balance } = await ok(getAccountByID, { as: me, id: account.id })
  expect(balance).toBe(verdict === 'new' ? '-10.00' : '-5.00')
})

it('rows without an account are on the one that was sent, or on the only one of the file', async () => {
  const me = await newUser()
  const account = await newAccount(me, { name: 'Everyday' })
  const named = (name: string) =>
    csv(
      [`2026-03-10,${name},GROCERIES,-3.00`, '2026-03-11,,PAY,10.00'],
      'Date,Account,Payee,Amount',
    )
  const card = await uploaded(me, named('*1234'), { accountId: account.id })
  expect(card).toMatchObject({ state: 'previewed', counts: { rows: 2, new: 2 } })
  await committed(me, card.id)
  expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe('7.00')
  expect((await uploaded(me, named('Everyday'))).accounts).toMatchObject([
    { foreign: 'Everyday', accountId: account.id, rows: 1 },
    { foreign: '', accountId: account.id, rows: 1 },
  ])
  const unknown = await uploaded(me, named('Elsewhere'))
  expect(unknown.questions.map(({ key }) => key)).toEqual(['account'])
})

describe('a token for some accounts', () => {
  async function scene() {
    const me = await newUser()
    const [checking, savings] = [await newAccount(me), await newAccount(me)]
    const scopes = ['imports.read', 'imports.write', 'transactions.read'] as const
    return { me, checking, savings, token: await giveToken(me, [...scopes], [checking.id]) }
  }

  it('neither sees nor matches transactions of the others, also where a task reads the file', async () => {
    const { me, checking, savings, token } = await scene()
    const half = { accountId: savings.id, date: '2026-03-20', amount: '500.00' }
    const there = await ok(createTransaction, {
      as: me,
      json: { ...half, kind: 'income', description: 'Transfer' },
    })
    const rest = Array.from({ length: 2001 }, (_, at) => `2025-01-02,SHOP ${at},-1.00`)
    const file = csv(['2026-03-20,Transfer to savings,-500.00', ...rest])
    const { id, state } = await uploaded(token, file, { accountId: checking.id })
    expect(state).toBe('uploaded')
    expect((await settled(token, id)).counts).toMatchObject({ rows: 2002, new: 2002, transfer: 0 })
    // Its owner sees the other half. The token commits all the same, and joins nothing.
    await ok(setImportMapping, { as: me, id, json: { sign: 'asIs' } })
    expect((await settled(me, id)).counts).toMatchObject({ new: 2001, transfer: 1 })
    await committed(token, id, { transfers: 'match' })
    expect((await ok(getTransaction, { as: me, id: there.id })).kind).toBe('income')
  })

  it('sees no ids of the others in rows, and takes back its own alone', async () => {
    const { me, checking, savings, token } = await scene()
    const half = { accountId: savings.id, date: '2026-03-20', amount: '500.00' }
    const there = await ok(createTransaction, {
      as: me,
      json: { ...half, kind: 'income', description: 'Transfer' },
    })
    const file = csv(['2026-03-20,Transfer to savings,-500.00'])
    const { id } = await uploaded(me, file, { accountId: checking.id })
    const matched = async (as: Principal) =>
      (await ok(listImportRows, { as, id })).rows.map(({ verdict, matchedId }) => [
        verdict,
        matchedId,
      ])
    expect(await matched(me)).toEqual([['transfer', there.id]])
    expect(await matched(token)).toEqual([['transfer', null]])
    await committed(me, id)
    const [mine] = (await ok(listTransactions, { as: token })).transactions
    // A row that was moved to another account is out of the reach of the token.
    await ok(updateTransaction, { as: me, id: mine?.id ?? '', json: { accountId: savings.id } })
    await ok(revertImport, { as: token, id, json: { edited: 'remove' } })
    const kept = [{ id: mine?.id, reason: 'otherAccount' }]
    expect((await settled(token, id))['reverted']).toMatchObject({ removed: 0, kept })
    expect((await ok(getTransaction, { as: me, id: mine?.id ?? '' })).accountId).toBe(savings.id)
  })

  it('says which of them a file is for', async () => {
    const { token } = await scene()
    expect(await upload(token, csv(['2026-03-10,TEA,-2.00']))).toMatchObject({
      status: 400,
      error: { code: 'imports.accountNeeded', field: 'accountId' },
    })
  })
})

it('what a revert kept can be taken back by another one', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id } = await uploaded(me, csv(['2026-03-10,TEA,-2.00', '2026-03-11,MILK,-1.00']), {
    accountId: account.id,
  })
  await committed(me, id)
  const [last] = (await ok(listTransactions, { as: me })).transactions
  const edited = { as: me, id: last?.id ?? '', json: { amount: '5.00' } }
  await ok(updateTransaction, edited)
  const revert = async (json: { edited?: 'remove' }) => {
    await ok(revertImport, { as: me, id, json })
    return (await settled(me, id))['reverted']
  }
  const message = expect.stringContaining('edited: remove')
  const kept = [{ id: last?.id, reason: 'edited: amount', message }]
  expect(await revert({})).toEqual({ removed: 1, restored: 0, kept })
  expect(await revert({ edited: 'remove' })).toEqual({ removed: 2, restored: 0, kept: [] })
  expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe('0.00')
})
