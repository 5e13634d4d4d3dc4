import { expect, it } from 'vitest'
import { revertImport, listImportRows } from '../../../src/areas/intake/imports/imports.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, settled, uploaded } from './importing.ts'

it('a row tells which transaction it has become, until that is taken back', async () => {
  const me = await newUser()
  const [account, other] = [await newAccount(me), await newAccount(me, { name: 'Other' })]
  const typed = await ok(createTransaction, {
    as: me,
    json: {
      ...{ kind: 'expense', accountId: account.id, date: '2026-03-12', amount: '9.00' },
      description: 'Cake shop',
    },
  })
  const lines = ['2026-03-10,TEA,-2.00', '2026-03-11,AWAY,-50.00', '2026-03-12,CAKE SHOP,-9.00']
  const file = csv([...lines, '2026-03-13,NOTHING,0.00'])
  const { id } = await uploaded(me, file, { accountId: account.id })
  const rowsOf = async (as: Principal, importId: string) =>
    (await ok(listImportRows, { as, id: importId })).rows.map(
      ({ verdict, matchedId, transactionId }) => [verdict, matchedId, transactionId],
    )
  const left = ['ignored', null, null]
  expect(await rowsOf(me, id)).toEqual([
    ...[['new', null, null], ['new', null, null], ['matched', typed.id, null], left],
  ])
  await committed(me, id)
  const { transactions } = await ok(listTransactions, { as: me, query: { importId: id } })
  const [away, tea] = transactions
  expect([away?.payeeRaw, tea?.payeeRaw]).toEqual(['AWAY', 'TEA'])
  expect(await rowsOf(me, id)).toEqual([
    ...[
      ['new', null, tea?.id],
      ['new', null, away?.id],
    ],
    ...[['matched', typed.id, typed.id], left],
  ])
  // The transfer that it is part of by now.
  const arrived = await ok(createTransaction, {
    as: me,
    json: { kind: 'income', accountId: other.id, date: '2026-03-11', amount: '50.00' },
  })
  const pair = { fromTransactionId: away?.id ?? '', toTransactionId: arrived.id }
  const transfer = await ok(matchTransfer, { as: me, json: pair })
  expect((await rowsOf(me, id))[1]).toEqual(['new', null, transfer.id])
  // The same file again knows the same transactions, and has become none.
  const again = await uploaded(me, file, { accountId: account.id })
  await committed(me, again.id)
  expect((await rowsOf(me, again.id))[0]).toEqual(['duplicate', tea?.id, null])
  await ok(revertImport, { as: me, id, json: { force: true } })
  expect(await settled(me, id)).toMatchObject({ state: 'reverted' })
  expect((await rowsOf(me, id)).map(([, , one]) => one)).toEqual([null, null, null, null])
})
