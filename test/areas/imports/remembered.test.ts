import { expect, it } from 'vitest'
import { revertImport, listImportRows } from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { eraseFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, ofx, uploaded } from './importing.ts'

async function scene() {
  const me = await newUser()
  const account = await newAccount(me)
  const booked = await ok(createTransaction, {
    as: me,
    json: {
      ...{ kind: 'expense', accountId: account.id, date: '2026-03-10', amount: '12.30' },
      ...{ description: 'Tesco', externalId: '7' },
    },
  })
  const file = ofx([
    { id: '7', date: '2026-03-10', amount: '-12.30', name: 'TESCO STORES' },
    { id: '8', date: '2026-03-11', amount: '-2.00', name: 'TEA' },
  ])
  const read = async (text = file) => {
    const sent = await uploaded(me, text, { accountId: account.id })
    const { rows } = await ok(listImportRows, { as: me, id: sent.id })
    return { ...sent, told: rows.map(({ verdict, reason }) => [verdict, reason]) }
  }
  return { me, account, booked, read }
}

it('a row that was known by an id is known when what it was known by is erased', async () => {
  const { me, account, booked, read } = await scene()
  const first = await read()
  expect(first.told).toEqual([
    ['duplicate', 'externalId'],
    ['new', null],
  ])
  expect((await committed(me, first.id)).counts).toMatchObject({ new: 1, duplicate: 1 })
  await call(deleteTransaction, { as: me, id: booked.id })
  await ok(eraseFromTrash, { as: me, path: { kind: 'transaction', id: booked.id } })
  const second = await read()
  expect(second.told).toEqual([
    ['duplicate', 'erased'],
    ['duplicate', 'sameId'],
  ])
  const done = await committed(me, second.id)
  expect(done).toMatchObject({ state: 'done', counts: { duplicate: 2 } })
  const query = { accountId: account.id }
  expect((await ok(listTransactions, { as: me, query })).transactions).toHaveLength(1)
})

it('a revert lets what was only remembered be', async () => {
  const { me, booked, read } = await scene()
  const first = await read()
  await committed(me, first.id)
  const { report } = await ok(revertImport, { as: me, id: first.id, json: { dryRun: true } })
  expect(report).toEqual({ removed: 1, restored: 0, kept: [] })
  expect((await call(revertImport, { as: me, id: first.id, json: {} })).status).toBe(202)
  expect(await ok(getTransaction, { as: me, id: booked.id })).toMatchObject({
    ...{ amount: '12.30', externalId: '7', version: booked.version },
  })
})

it('a file in which everything is known by ids is remembered, too', async () => {
  const { me, booked, read } = await scene()
  const only = ofx([{ id: '7', date: '2026-03-10', amount: '-12.30', name: 'TESCO STORES' }])
  const first = await read(only)
  expect(first.counts).toMatchObject({ rows: 1, duplicate: 1 })
  await committed(me, first.id)
  const json = { description: 'Dear Tesco', amount: '99.00', date: '2026-01-01' }
  await ok(updateTransaction, { as: me, id: booked.id, json })
  expect((await read(only)).told).toEqual([['duplicate', 'sameId']])
})
