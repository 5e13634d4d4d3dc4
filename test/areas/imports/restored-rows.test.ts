import { expect, it } from 'vitest'
import { revertImport, listImportRows } from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { emptyTrash, restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, ofx, settled, uploaded } from './importing.ts'

async function scene() {
  const me = await newUser()
  const account = await newAccount(me)
  const query = { accountId: account.id }
  const found = async () => (await ok(listTransactions, { as: me })).transactions
  const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  const reasonsOf = async (id: string) =>
    (await ok(listImportRows, { as: me, id })).rows.map(({ verdict, reason, matchedId }) => [
      ...[verdict, reason, matchedId],
    ])
  const restored = (id: string) =>
    call(restoreFromTrash, { as: me, path: { kind: 'transaction', id } })
  return { me, account, query, found, balance, reasonsOf, restored }
}

const file = csv(['2026-03-10,TEA,-2.00', '2026-03-11,MILK,-1.00'])

it('a row that was deleted, imported again and restored stands once', async () => {
  const { me, query, found, balance, reasonsOf, restored } = await scene()
  await committed(me, (await uploaded(me, file, query)).id)
  const [milk] = await found()
  await call(deleteTransaction, { as: me, id: milk?.id ?? '' })
  const again = await uploaded(me, file, query)
  expect(await reasonsOf(again.id)).toEqual([
    ['duplicate', 'sameRow', expect.any(String)],
    ['duplicate', 'inTrash', milk?.id],
  ])
  expect((await committed(me, again.id)).counts).toMatchObject({ new: 0, duplicate: 2 })
  expect((await restored(milk?.id ?? '')).status).toBe(200)
  expect(await balance()).toBe('-3.00')
  expect((await uploaded(me, file, query)).counts).toMatchObject({ new: 0, duplicate: 2 })
})

it('what a revert moved to the trash is offered by the same file, and stands once when it is restored', async () => {
  const { me, query, found, balance, reasonsOf, restored } = await scene()
  const first = await uploaded(me, file, query)
  await committed(me, first.id)
  const [milk] = await found()
  await ok(updateTransaction, { as: me, id: milk?.id ?? '', json: { description: 'For the cat' } })
  await ok(revertImport, { as: me, id: first.id, json: { edited: 'remove' } })
  expect(await settled(me, first.id)).toMatchObject({ reverted: { removed: 2, kept: [] } })
  expect(await balance()).toBe('0.00')
  // What was erased is unknown; what is in the trash is not booked beside it.
  const second = await uploaded(me, file, query)
  expect(await reasonsOf(second.id)).toEqual([
    ['new', null, null],
    ['duplicate', 'inTrash', milk?.id],
  ])
  expect((await committed(me, second.id)).counts).toMatchObject({ new: 1, duplicate: 1 })
  expect((await restored(milk?.id ?? '')).status).toBe(200)
  expect(await balance()).toBe('-3.00')
  expect((await found()).map(({ description }) => description)).toContain('For the cat')
  expect((await uploaded(me, file, query)).counts).toMatchObject({ new: 0, duplicate: 2 })
})

it('what a revert moved to the trash and somebody erases there stays known, as any erased row', async () => {
  const { me, query, found, reasonsOf } = await scene()
  const first = await uploaded(me, file, query)
  await committed(me, first.id)
  const [milk] = await found()
  await ok(updateTransaction, { as: me, id: milk?.id ?? '', json: { description: 'For the cat' } })
  await ok(revertImport, { as: me, id: first.id, json: { edited: 'remove' } })
  await settled(me, first.id)
  await call(emptyTrash, { as: me })
  const second = await uploaded(me, file, query)
  expect(await reasonsOf(second.id)).toEqual([
    ['new', null, null],
    ['duplicate', 'erased', null],
  ])
})

it('a transaction whose bank id a file has booked meanwhile is not restored beside it', async () => {
  const { me, account, query, balance, restored } = await scene()
  const typed = await ok(createTransaction, {
    as: me,
    json: {
      ...{ kind: 'expense', accountId: account.id, date: '2026-03-10', amount: '2.00' },
      externalId: 'tea',
    },
  })
  await call(deleteTransaction, { as: me, id: typed.id })
  const rows = [{ id: 'tea', date: '2026-03-10', amount: '-2.00', name: 'TEA' }]
  const { id, counts } = await uploaded(me, ofx(rows), query)
  expect(counts).toMatchObject({ new: 1 })
  await committed(me, id)
  const refused = await restored(typed.id)
  expect([refused.status, refused.error?.code]).toEqual([409, 'trash.externalIdTaken'])
  expect(await balance()).toBe('-2.00')
})
