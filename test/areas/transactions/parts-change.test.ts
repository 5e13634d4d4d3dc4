import { describe, expect, it } from 'vitest'
import {
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  deleteTransaction,
  getTransaction,
  listTransactionVersions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  deleteSplits,
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { balanceOf, type Changes, change, newCategory, refusal } from './booking.ts'
import { linesOf, newCashBack } from './parts.fixtures.ts'

type Found = Awaited<ReturnType<typeof newCashBack>>

type PartChanges = NonNullable<NonNullable<Parameters<typeof call<typeof updateSplit>>[1]>['json']>

const patchPart = ({ me, whole, part }: Found, json: PartChanges) =>
  call(updateSplit, { as: me, path: { id: whole.id, lineId: part.id }, json })

const read = (as: Principal, { id }: { id: string }) => ok(getTransaction, { as, id })

/** Nothing is wrong with the ledger, and the log tells how it came about. */
async function expectSound(me: Found['me']): Promise<void> {
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
}

describe('changing a part that is a transfer', () => {
  it('keeps its line and the id of its leg, also with another account and amount', async () => {
    const found = await newCashBack()
    const { me, everyday, wallet, whole, bought, part, leg } = found
    const tokyo = await newAccount(me, { currency: 'JPY' })
    const splits = [
      { id: bought.id, amount: '17' },
      { id: part.id, amount: '20', transferAccountId: tokyo.id, transferAmount: '3240' },
    ]
    const body = await ok(replaceSplits, { as: me, id: whole.id, json: { splits } })
    expect(body.splits).toMatchObject([
      { id: bought.id, transfer: null },
      {
        id: part.id,
        transfer: { transactionId: leg.id, amount: '3240', currency: 'JPY', rate: '162' },
      },
    ])
    expect(await read(me, leg)).toMatchObject({ accountId: tokyo.id, amount: '3240', version: 2 })
    expect(await Promise.all([everyday, wallet, tokyo].map((one) => balanceOf(me, one)))).toEqual([
      '-37.00',
      '0.00',
      '3240',
    ])
    await expectSound(me)
  })

  it('leaves out what is not sent: it stays a transfer until it is told to be none', async () => {
    const found = await newCashBack()
    const { me, wallet, whole, bought, part, leg } = found
    const kept = await change(me, whole, {
      amount: '40',
      splits: [
        { id: bought.id, amount: '5' },
        { id: part.id, amount: '35' },
      ],
    })
    expect(kept.body.splits[1]?.transfer).toMatchObject({ amount: '35.00', transactionId: leg.id })
    expect(await balanceOf(me, wallet)).toBe('35.00')
    const ordinary = await patchPart(found, { transferAccountId: null })
    expect(ordinary.body.splits[1]).toMatchObject({ id: part.id, transfer: null })
    expect(await balanceOf(me, wallet)).toBe('0.00')
    expect(refusal(await call(getTransaction, { as: me, id: leg.id }))).toEqual([
      404,
      'transactions.notFound',
    ])
    const again = await patchPart(found, {
      transferAccountId: wallet.id,
      transferStatus: 'cleared',
    })
    expect(again.body.splits[1]?.transfer).toMatchObject({ status: 'cleared' })
    expect(again.body.splits[1]?.transfer?.transactionId).toBe(`${whole.id}-6`)
    await expectSound(me)
  })

  it('takes both directions of the kind, and the day with it', async () => {
    const { me, wallet, whole, leg } = await newCashBack()
    await ok(updateTransaction, {
      as: me,
      id: whole.id,
      json: { kind: 'income', date: '2026-11-01' },
    })
    expect(await read(me, leg)).toMatchObject({ signedAmount: '-30.00', date: '2026-11-01' })
    expect(await balanceOf(me, wallet)).toBe('-30.00')
    await expectSound(me)
  })

  it('gives it a category, a note and tags, which moves no money', async () => {
    const found = await newCashBack()
    const { me, everyday, wallet, whole, leg } = found
    const savings = await newCategory(me)
    const { body } = await patchPart(found, { categoryId: savings.id, note: 'For later' })
    expect(body.splits[1]).toMatchObject({ categoryId: savings.id, note: 'For later' })
    expect(await read(me, leg)).toMatchObject({ categoryId: savings.id, note: 'For later' })
    const names = { [everyday.id]: 'Everyday', [wallet.id]: 'Wallet' }
    expect((await linesOf(whole.id, names)).map(([line]) => line)).toEqual([1, 2, 3, 4, 5])
    await expectSound(me)
  })

  it('is void with the whole, and not confirmed when that is not any more', async () => {
    const { me, everyday, wallet, whole, leg } = await newCashBack()
    await ok(updateTransaction, { as: me, id: whole.id, json: { status: 'void' } })
    expect(await read(me, leg)).toMatchObject({ status: 'void' })
    expect([await balanceOf(me, everyday), await balanceOf(me, wallet)]).toEqual(['0.00', '0.00'])
    await ok(updateTransaction, { as: me, id: whole.id, json: { status: 'cleared' } })
    expect(await read(me, leg)).toMatchObject({ status: 'uncleared' })
    await expectSound(me)
  })

  it('cannot make a split transaction whole by accident', async () => {
    const { me, whole } = await newCashBack()
    expect(refusal(await call(deleteSplits, { as: me, id: whole.id }))).toEqual([
      ...[409, 'transactions.hasTransferPart', 'splits'],
    ])
  })

  it('goes to the trash and comes back with all of it', async () => {
    const { me, everyday, wallet, whole, leg } = await newCashBack()
    await ok(updateTransaction, { as: me, id: leg.id, json: { status: 'cleared' } })
    const before = await read(me, leg)
    await ok(deleteTransaction, { as: me, id: whole.id })
    expect([await balanceOf(me, everyday), await balanceOf(me, wallet)]).toEqual(['0.00', '0.00'])
    expect(await differencesOf(me)).toEqual([])
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: whole.id } })
    const after = await read(me, leg)
    expect({ ...after, version: 0, updatedAt: '' }).toEqual({
      ...before,
      version: 0,
      updatedAt: '',
    })
    expect(await balanceOf(me, wallet)).toBe('30.00')
    await expectSound(me)
  })
})

describe('the leg of a part', () => {
  it('has a status and shares the note; both are told in its own history', async () => {
    const { me, whole, part, leg } = await newCashBack()
    const body = await ok(updateTransaction, {
      ...{ as: me, id: leg.id },
      json: { status: 'cleared', note: 'From the till', payeeRaw: 'ATM' },
    })
    expect(body).toMatchObject({ id: leg.id, status: 'cleared', note: 'From the till', version: 2 })
    expect(body.payeeRaw).toBe('ATM')
    expect(await read(me, whole)).toMatchObject({
      ...{ status: 'uncleared', note: null },
      splits: [{}, { id: part.id, note: 'From the till', transfer: { status: 'cleared' } }],
    })
    const { versions } = await ok(listTransactionVersions, { as: me, id: leg.id })
    expect(versions.map(({ action }) => action)).toEqual([
      'transaction.updated',
      'transaction.created',
    ])
    expect(versions[0]?.changes).toEqual([
      { field: 'status', before: 'uncleared', after: 'cleared' },
      { field: 'note', before: 'Cash', after: 'From the till' },
      { field: 'payeeRaw', before: null, after: 'ATM' },
    ])
    await expectSound(me)
  })

  it.each<[Changes, string]>([
    [{ amount: '5' }, 'amount'],
    [{ date: '2026-01-01' }, 'date'],
    [{ accountId: 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5' }, 'accountId'],
    [{ description: 'x' }, 'description'],
    [{ tagIds: [] }, 'tagIds'],
    [{ private: true }, 'private'],
    [{ status: 'void' }, 'status'],
    [{ splits: [] }, 'splits'],
  ])('refuses %j', async (json, field) => {
    const { me, leg } = await newCashBack()
    expect(refusal(await change(me, leg, json))).toEqual([409, 'transactions.partLeg', field])
  })

  it('is not deleted, nor split, by itself', async () => {
    const { me, part, leg } = await newCashBack()
    const partLeg = [409, 'transactions.partLeg']
    expect(refusal(await call(deleteTransaction, { as: me, id: leg.id }))).toEqual(partLeg)
    const path = { id: leg.id, lineId: part.id }
    expect(refusal(await call(updateSplit, { as: me, path, json: { note: 'x' } }))).toEqual(partLeg)
    const many = await call(deleteTransactions, { as: me, json: { ids: [leg.id] } })
    expect(refusal(many)).toEqual([...partLeg, 'ids.0'])
  })

  it('needs force where either side is reconciled, but not to be reconciled itself', async () => {
    const { me, whole, leg } = await newCashBack()
    await ok(updateTransaction, { as: me, id: whole.id, json: { status: 'reconciled' } })
    const reconciled = [409, 'transactions.reconciled']
    await ok(updateTransaction, { as: me, id: leg.id, json: { note: 'x' } })
    await ok(updateTransaction, { as: me, id: leg.id, json: { status: 'reconciled' } })
    expect(refusal(await change(me, leg, { status: 'cleared' }))).toEqual(reconciled)
    expect(refusal(await change(me, whole, { date: '2026-01-05' }))).toEqual(reconciled)
    await ok(updateTransaction, { as: me, id: whole.id, json: { description: 'x' } })
    await ok(updateTransaction, { as: me, id: whole.id, json: { date: '2026-01-05', force: true } })
    await expectSound(me)
  })

  it('changes in bulk beside its whole', async () => {
    const { me, whole, leg } = await newCashBack()
    const json = { ids: [whole.id, leg.id], changes: { status: 'cleared' as const, note: 'Both' } }
    const { changed } = await ok(updateTransactions, { as: me, json })
    expect(changed).toBe(2)
    expect(await read(me, whole)).toMatchObject({
      status: 'cleared',
      note: 'Both',
      splits: [{ note: null }, { note: 'Both' }],
    })
    expect(await read(me, leg)).toMatchObject({ status: 'cleared', note: 'Both' })
    await expectSound(me)
  })
})
