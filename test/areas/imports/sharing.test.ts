import { describe, expect, it } from 'vitest'
import {
  createImport,
  downloadImportFile,
  getImport,
  setImportMapping,
  listImportRows,
  updateImportRow,
  updateImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { share } from '../sharing/sharing.ts'
import { committed, csv, settled, upload, uploaded } from './importing.ts'

const FOOD = csv(['2026-03-14,MARKET,-1.00,Food'], 'Date,Payee,Amount,Category')

describe('somebody who may book on an account of another', () => {
  async function two() {
    const [me, other] = [await newUser(), await newUser()]
    const [mine, theirs] = [await newAccount(me), await newAccount(other)]
    await share(other, theirs, me, { permission: 'write' })
    const food = { name: 'Food', kind: 'expense' as const }
    const myFood = await ok(createCategory, { as: me, json: food })
    const theirFood = await ok(createCategory, { as: other, json: food })
    return { me, other, mine, theirs, myFood, theirFood }
  }

  it('imports into each account with the categories of its owner', async () => {
    const { me, other, mine, theirs, myFood, theirFood } = await two()
    for (const account of [mine, theirs]) {
      const { id } = await uploaded(me, FOOD, { accountId: account.id })
      expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { new: 1 } })
    }
    const categoryOn = async (as: typeof me, accountId: string) =>
      (await ok(listTransactions, { as, query: { accountId } })).transactions[0]?.categoryId
    expect(await categoryOn(me, mine.id)).toBe(myFood.id)
    expect(await categoryOn(other, theirs.id)).toBe(theirFood.id)
  })

  it('gives rows no label of somebody else, which would stop the whole import', async () => {
    const { me, theirs, mine, myFood, theirFood } = await two()
    const wage = await ok(createCategory, { as: me, json: { name: 'Wage', kind: 'income' } })
    const { id } = await uploaded(me, FOOD, { accountId: theirs.id })
    const [row] = (await ok(listImportRows, { as: me, id })).rows
    const path = { id, rowId: row?.id ?? '' }
    const one = (json: object) => call(updateImportRow, { as: me, path, json })
    const all = (json: object) =>
      call(updateImportRows, { as: me, id, json: { filter: {}, ...json } })
    const told = ({ status, error }: Awaited<ReturnType<typeof one>>) => [status, error.code]
    const refused = [400, 'imports.labelOfOther']
    expect(told(await one({ categoryId: myFood.id }))).toEqual(refused)
    expect((await all({ categoryId: myFood.id })).error.code).toBe('imports.labelOfOther')
    expect((await one({ categoryId: theirFood.id })).status).toBe(200)
    expect(told(await one({ accountId: mine.id }))).toEqual(refused)
    expect((await one({ accountId: mine.id, categoryId: myFood.id })).status).toBe(200)
    const ofIncomes = [400, 'imports.categoryKind']
    expect(told(await one({ categoryId: wage.id }))).toEqual(ofIncomes)
    expect((await all({ categoryId: wage.id })).error.code).toBe('imports.categoryKind')
    expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { new: 1 } })
    const query = { accountId: mine.id }
    const { transactions } = await ok(listTransactions, { as: me, query })
    expect(transactions.map(({ categoryId }) => categoryId)).toEqual([myFood.id])
  })
})

describe('a token for some accounts', () => {
  async function scene() {
    const me = await newUser()
    const [checking, savings] = [await newAccount(me), await newAccount(me)]
    const token = await giveToken(me, ['imports.read', 'imports.write'], [savings.id])
    return { me, checking, savings, token }
  }
  const large = csv(Array.from({ length: 2200 }, (_, at) => `2025-01-02,SHOP ${at},-1.00`))
  const two = csv(['2026-03-14,X,A,-1.00', '2026-03-15,Y,B,-2.00'], 'Date,Account,Payee,Amount')

  it('sees no file of another account, whether it is read yet or not', async () => {
    const { me, checking, savings, token } = await scene()
    const statusOf = async (id: string) => [
      (await call(getImport, { as: token, id })).status,
      (await call(downloadImportFile, { as: token, id })).status,
    ]
    const other = await uploaded(me, large, { accountId: checking.id })
    expect(other.state).toBe('uploaded')
    expect(await statusOf(other.id)).toEqual([404, 404])
    const own = await uploaded(me, large, { accountId: savings.id })
    expect(await statusOf(own.id)).toEqual([200, 200])
    const none = await uploaded(me, large)
    expect(await statusOf(none.id)).toEqual([404, 404])
  })

  it('is told that a file names other accounts, at once and by a task', async () => {
    const { me, savings, token } = await scene()
    const query = { accountId: savings.id }
    expect(await upload(token, two, query)).toMatchObject({
      ...{ status: 400, error: { code: 'imports.accountsUnreached' } },
    })
    const long = two + '2026-03-16,X,C,-3.00\n'.repeat(2200)
    const later = await uploaded(token, long, query)
    expect(await settled(token, later.id)).toMatchObject({
      ...{ state: 'failed', error: { code: 'imports.accountsUnreached' } },
    })
    const { id } = await uploaded(
      me,
      csv(['2026-03-14,X,A,-1.00'], 'Date,Account,Payee,Amount'),
      query,
    )
    const map = (accountMap: Record<string, string>) =>
      call(setImportMapping, { as: token, id, json: { accountMap } })
    expect((await map({ X: 'ignore' })).error.code).toBe('imports.accountsUnreached')
    expect((await map({ X: savings.id })).status).toBe(200)
    expect((await committed(token, id)).counts).toMatchObject({ new: 1 })
  })
})

it('a row of an account that is left out is booked on the account that its user says', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const file = csv(['2026-03-14,X,A,-1.00', '2026-03-15,Y,B,-2.50'], 'Date,Account,Payee,Amount')
  const raw = { body: file, contentType: 'application/octet-stream' }
  const { id } = await ok(createImport, { as: me, query: { fileName: 'a.csv' }, raw })
  const accountMap = { X: account.id, Y: 'ignore' }
  await ok(setImportMapping, { as: me, id, json: { accountMap } })
  const row = (await ok(listImportRows, { as: me, id })).rows[1]
  expect(row).toMatchObject({ reason: 'accountIgnored', parsed: { amount: '-2.50' } })
  const decide = (json: object) =>
    ok(updateImportRow, { as: me, path: { id, rowId: row?.id ?? '' }, json })
  expect(await decide({ decision: 'book' })).toMatchObject({ verdict: 'ignored' })
  expect(await decide({ accountId: account.id })).toMatchObject({ verdict: 'new' })
  expect((await committed(me, id)).counts).toMatchObject({ rows: 2, new: 2, ignored: 0 })
})
