import { expect, it } from 'vitest'
import {
  getTransaction,
  listTransactionVersions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { replaceSplits } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import { getRegister } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { balanceOf, book, change, newCategory, refusal } from '../transactions/booking.ts'
import { newCashBack } from '../transactions/parts.fixtures.ts'
import { bringBack, dropAccount, dropTransaction, erase, work } from './trashing.ts'

it('turns a part into an adjustment when its other account is erased, and says so', async () => {
  const { me, everyday, wallet, whole, bought, part } = await newCashBack()
  const category = await newCategory(me)
  const splits = [
    { id: bought.id, amount: '7' },
    { id: part.id, amount: '30', categoryId: category.id, note: 'Cash' },
  ]
  await ok(replaceSplits, { as: me, id: whole.id, json: { splits } })
  await dropAccount(me, wallet)
  await erase(me, 'account', wallet.id)
  await work(me.id)
  expect(await balanceOf(me, everyday)).toBe('-37.00')
  const left = await ok(getTransaction, { as: me, id: whole.id })
  expect(left.splits).toMatchObject([
    { id: bought.id, amount: '7.00', transfer: null },
    { id: part.id, amount: '30.00', categoryId: null, note: 'Cash', transfer: null },
  ])
  const { versions } = await ok(listTransactionVersions, { as: me, id: whole.id })
  expect(versions[0]).toMatchObject({ action: 'transaction.updated', actorType: 'system' })
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
  // It stays what it is until it is told to be something else.
  await ok(updateTransaction, { as: me, id: whole.id, json: { date: '2026-11-02' } })
  expect(await differencesOf(me)).toEqual([])
  const named = await change(me, whole, {
    splits: [
      { id: bought.id, amount: '7' },
      { id: part.id, amount: '30', categoryId: category.id },
    ],
  })
  expect(named.body.splits[1]).toMatchObject({ categoryId: category.id })
  expect(await differencesOf(me)).toEqual([])
})

it('leaves an adjustment on each other account when that of the whole is erased', async () => {
  const { me, everyday, wallet, leg } = await newCashBack()
  const tokyo = await newAccount(me, { currency: 'JPY' })
  await book(me, everyday, {
    description: 'Secret',
    amount: '12',
    splits: [
      { amount: '5', transferAccountId: wallet.id, note: 'Five' },
      {
        amount: '7',
        transferAccountId: tokyo.id,
        transferAmount: '1134',
        transferStatus: 'cleared',
      },
    ],
  })
  await dropAccount(me, everyday)
  await erase(me, 'account', everyday.id)
  await work(me.id)
  expect([await balanceOf(me, wallet), await balanceOf(me, tokyo)]).toEqual(['35.00', '1134'])
  const rowsOf = async (id: string) =>
    (await ok(getRegister, { as: me, id })).transactions.map((row) => [
      ...[row.kind, row.signedAmount, row.status, row.description, row.note],
    ])
  expect(await rowsOf(wallet.id)).toEqual([
    ['adjustment', '5.00', 'uncleared', '', 'Five'],
    ['adjustment', '30.00', 'uncleared', '', 'Cash'],
  ])
  expect(await rowsOf(tokyo.id)).toEqual([['adjustment', '1134', 'cleared', '', null]])
  expect((await call(getTransaction, { as: me, id: leg.id })).status).toBe(404)
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})

it('hides the leg with its account, and keeps the whole in the trash until that is back', async () => {
  const { me, everyday, wallet, whole, leg } = await newCashBack()
  await dropAccount(me, wallet)
  expect((await call(getTransaction, { as: me, id: leg.id })).status).toBe(404)
  expect(await ok(getTransaction, { as: me, id: whole.id })).toMatchObject({
    splits: [{}, { transfer: { accountId: wallet.id } }],
  })
  const gone = await change(me, whole, { date: '2026-11-02' })
  expect(refusal(gone)).toEqual([404, 'transactions.accountNotFound'])
  expect((await change(me, whole, { description: 'x' })).status).toBe(200)
  await bringBack(me, 'account', wallet.id)
  await dropTransaction(me, whole)
  await dropAccount(me, wallet)
  expect(refusal(await bringBack(me, 'transaction', whole.id))).toEqual([
    409,
    'trash.accountInTrash',
  ])
  await bringBack(me, 'account', wallet.id)
  await bringBack(me, 'transaction', whole.id)
  expect([await balanceOf(me, everyday), await balanceOf(me, wallet)]).toEqual(['-37.00', '30.00'])
  expect(await differencesOf(me)).toEqual([])
})
