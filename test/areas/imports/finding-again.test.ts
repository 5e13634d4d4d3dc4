import { expect, it } from 'vitest'
import { revertImport } from '../../../src/areas/intake/imports/imports.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import {
  createTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, settled, uploaded } from './importing.ts'

const file = csv(['2026-03-10,TEA,-2.00', '2026-03-11,MILK,-1.00', '2026-03-12,AWAY,-50.00'])

it('the transactions of an import are found by its id, and the transfers that it has a half of', async () => {
  const me = await newUser()
  const [account, other] = [await newAccount(me), await newAccount(me, { name: 'Other' })]
  const { id } = await uploaded(me, file, { accountId: account.id })
  await committed(me, id)
  const arrived = await ok(createTransaction, {
    as: me,
    json: { kind: 'income', accountId: other.id, date: '2026-03-12', amount: '50.00' },
  })
  const found = async () =>
    (await ok(listTransactions, { as: me, query: { importId: id } })).transactions
  const before = await found()
  expect(before.map(({ payeeRaw }) => payeeRaw)).toEqual(['AWAY', 'MILK', 'TEA'])
  const pair = { fromTransactionId: before[0]?.id ?? '', toTransactionId: arrived.id }
  await ok(matchTransfer, { as: me, json: pair })
  const after = await found()
  expect(after.filter(({ kind }) => kind !== 'transfer')).toMatchObject([
    { payeeRaw: 'MILK' },
    { payeeRaw: 'TEA' },
  ])
  expect(after.some(({ kind }) => kind === 'transfer')).toBe(true)
  const strangers = { as: await newUser(), query: { importId: id } }
  expect((await ok(listTransactions, strangers)).count).toBe(0)
})

it('what several reverts have done adds up', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id } = await uploaded(me, file, { accountId: account.id })
  await committed(me, id)
  const [first] = (await ok(listTransactions, { as: me, query: { importId: id } })).transactions
  await ok(updateTransaction, { as: me, id: first?.id ?? '', json: { description: 'Rent' } })
  await ok(revertImport, { as: me, id, json: {} })
  expect(await settled(me, id)).toMatchObject({ reverted: { removed: 2, kept: [{}] } })
  await ok(revertImport, { as: me, id, json: { edited: 'remove' } })
  expect(await settled(me, id)).toMatchObject({ reverted: { removed: 3, restored: 0, kept: [] } })
})
