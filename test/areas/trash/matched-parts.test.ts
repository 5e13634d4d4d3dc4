import { expect, it } from 'vitest'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactionVersions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { balanceOf, book, close, expenseOn, refusal } from '../transactions/booking.ts'
import { matched, newReceipt, unmatch } from '../transactions/matched-parts.fixtures.ts'
import { stored } from '../transfers/matched.ts'
import { bringBack, dropAccount, dropTransaction, erase, idsIn, work } from './trashing.ts'

async function newMatched() {
  const receipt = await newReceipt()
  const { me, whole, part, row } = receipt
  const changed = await matched(me, whole, part, row)
  return { ...receipt, legId: changed.splits[1]?.transfer?.transactionId ?? '' }
}

const headersOf = ({ id }: { id: string }) =>
  rows<{ id: string }>('SELECT id FROM transactions WHERE owner_id = ? ORDER BY id', id)

it('goes to the trash with the whole, and comes back with it', async () => {
  const { me, everyday, wallet, whole, part, row } = await newMatched()
  const before = await stored(me)
  await dropTransaction(me, whole)
  expect(await idsIn(me)).toEqual([whole.id])
  expect((await call(getTransaction, { as: me, id: row.id })).status).toBe(404)
  expect([await balanceOf(me, everyday), await balanceOf(me, wallet)]).toEqual(['0.00', '0.00'])
  expect((await unmatch(me, whole, part)).status).toBe(404)
  expect(await differencesOf(me)).toEqual([])
  await bringBack(me, 'transaction', whole.id)
  expect(await stored(me)).toEqual(before)
  const { body } = await unmatch(me, whole, part)
  expect(body.restored).toMatchObject({ id: row.id, date: row.date, externalId: 'in-1' })
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})

it('is erased with the whole, for good', async () => {
  const { me, wallet, whole } = await newMatched()
  await dropTransaction(me, whole)
  await erase(me, 'transaction', whole.id)
  expect(await headersOf(me)).toEqual([])
  expect(await balanceOf(me, wallet)).toBe('0.00')
  const json = expenseOn(wallet, { kind: 'income', amount: '30', externalId: 'in-1' })
  expect((await call(createTransaction, { as: me, json })).status).toBe(201)
  expect(await differencesOf(me)).toEqual([])
})

it('makes an adjustment of the part when the account of the row is erased', async () => {
  const { me, everyday, wallet, whole, part, row } = await newMatched()
  await dropAccount(me, wallet)
  expect(refusal(await unmatch(me, whole, part))).toEqual([404, 'transactions.accountNotFound'])
  await erase(me, 'account', wallet.id)
  await work(me.id)
  expect(await balanceOf(me, everyday)).toBe('-37.00')
  const left = await ok(getTransaction, { as: me, id: whole.id })
  expect(left.splits[1]).toMatchObject({ id: part?.id, amount: '30.00', transfer: null })
  expect(await headersOf(me)).toEqual([{ id: whole.id }])
  expect(refusal(await unmatch(me, whole, part))).toEqual([409, 'transactions.partNotMatchable'])
  const { versions } = await ok(listTransactionVersions, { as: me, id: whole.id })
  expect(versions[0]).toMatchObject({ action: 'transaction.updated', actorType: 'system' })
  expect((await call(getTransaction, { as: me, id: row.id })).status).toBe(404)
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})

it('stays where it is while its account is closed', async () => {
  const { me, wallet, whole, part } = await newMatched()
  await close(wallet)
  expect(refusal(await unmatch(me, whole, part))).toEqual([409, 'transactions.accountClosed'])
  expect(await differencesOf(me)).toEqual([])
})

it('leaves an adjustment when the account of the whole is erased', async () => {
  const { me, everyday, wallet } = await newMatched()
  await dropAccount(me, everyday)
  await erase(me, 'account', everyday.id)
  await work(me.id)
  expect(await balanceOf(me, wallet)).toBe('30.00')
  const [{ id } = { id: '' }, ...others] = await headersOf(me)
  expect(others).toEqual([])
  expect(await ok(getTransaction, { as: me, id })).toMatchObject({
    ...{ kind: 'adjustment', signedAmount: '30.00', payeeRaw: 'ATM 4711', externalId: 'in-1' },
    ...{ description: '', note: 'Cash', status: 'cleared' },
  })
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})

it('goes with its part to the transaction that is kept of two', async () => {
  const { me, everyday, wallet, whole, part, row, payee } = await newMatched()
  const keep = await book(me, everyday, { amount: '37', date: '2026-11-19' })
  const json = { keepId: keep.id, dropId: whole.id, force: true }
  const kept = await ok(mergeDuplicate, { as: me, json })
  const [, taken] = kept.splits
  expect(taken?.transfer).toMatchObject({ accountId: wallet.id, externalId: 'in-1' })
  expect(await differencesOf(me)).toEqual([])
  expect((await unmatch(me, whole, part)).status).toBe(404)
  const { body } = await unmatch(me, kept, taken)
  expect(body.restored).toMatchObject({ id: row.id, date: row.date, amount: '30.00' })
  expect(body.transaction.splits[1]).toMatchObject({ transfer: null, payeeId: payee.id })
  expect(await balanceOf(me, wallet)).toBe('30.00')
  // What was dropped comes back with a part that nothing is matched into, unless the id of the bank is taken.
  expect(refusal(await bringBack(me, 'transaction', whole.id))).toEqual([
    ...[409, 'trash.externalIdTaken'],
  ])
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})

it('is erased and wiped with its owner alone', async () => {
  const { me, legId } = await newMatched()
  const other = await newMatched()
  await ok(updateTransaction, { as: me, id: legId, json: { payeeRaw: 'Own words' } })
  await dropTransaction(me, { id: legId.split('-')[0] ?? '' })
  expect((await call(getTransaction, { as: other.me, id: other.legId })).status).toBe(200)
  expect(await differencesOf(other.me)).toEqual([])
})
