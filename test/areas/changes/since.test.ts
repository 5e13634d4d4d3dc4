import { describe, expect, it } from 'vitest'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { updateCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { replaceSplits } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  getTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { share } from '../sharing/sharing.ts'
import { balanceOf, book, change, newCategory, refusal } from '../transactions/booking.ts'
import { removeAll } from '../transactions/bulk.ts'
import { lastChange, undo, undone } from './undoing.ts'

// What happened since to accounts, categories and other transactions decides about an undo, too.

async function scene() {
  const me = await newUser()
  return { me, account: await newAccount(me), other: await newAccount(me) }
}

const transferFrom = (as: Principal, from: { id: string }, to: { id: string }, more = {}) =>
  ok(createTransfer, {
    as,
    json: { fromAccountId: from.id, toAccountId: to.id, date: '2026-11-20', amount: '10', ...more },
  })

const setKind = (as: Principal, { id }: { id: string }, kind: 'income' | 'expense') =>
  ok(updateCategory, { as, id, json: { kind } })

describe('an account whose currency changed since', () => {
  const setCurrency = (as: Principal, { id }: { id: string }, currency: string) =>
    ok(updateAccount, { as, id, json: { currency } })

  it('gets no transaction back, until it has its former currency again', async () => {
    const { me, account, other } = await scene()
    const one = await book(me, account)
    await change(me, one, { accountId: other.id, note: 'n' })
    const { id } = await lastChange(me)
    await setCurrency(me, account, 'JPY')
    expect(await undone(me, id, { dryRun: true })).toEqual(['changed', 'amount changedSince'])
    expect(await undone(me, id)).toEqual(['changed', 'amount changedSince'])
    expect(await ok(getTransaction, { as: me, id: one.id })).toMatchObject({
      ...{ accountId: other.id, amount: '12.30', note: null },
    })
    await setCurrency(me, account, 'EUR')
    expect(await undone(me, id)).toEqual(['changed', 'note changedSince'])
    expect(await balanceOf(me, account)).toBe('-12.30')
    // An undo that moved it is undone no more than an edit.
    const back = await lastChange(me)
    await setCurrency(me, other, 'USD')
    expect(await undone(me, back.id)).toEqual(['unchanged', 'amount changedSince'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('gets no side of a transfer, and no part', async () => {
    const { me, account, other } = await scene()
    const [third, fourth] = [await newAccount(me), await newAccount(me)]
    const transfer = await transferFrom(me, account, third)
    await ok(updateTransfer, { as: me, id: transfer.id, json: { toAccountId: other.id } })
    const moved = await lastChange(me)
    const parted = await book(me, account, {
      amount: '20',
      splits: [{ amount: '5' }, { amount: '15', transferAccountId: fourth.id }],
    })
    const splits = [{ amount: '5' }, { amount: '15' }]
    await ok(replaceSplits, { as: me, id: parted.id, json: { splits } })
    const removed = await lastChange(me)
    for (const { id } of [third, fourth]) {
      await setCurrency(me, { id }, 'JPY')
    }
    expect(await undone(me, moved.id)).toEqual(['unchanged', 'amount changedSince'])
    expect(await undone(me, removed.id)).toEqual(['unchanged', 'amount changedSince'])
    expect([await balanceOf(me, third), await balanceOf(me, fourth)]).toEqual(['0', '0'])
  })
})

describe('a category that is of the other kind since', () => {
  it('comes back to no transfer and to no fee', async () => {
    const { me, account, other } = await scene()
    const food = await newCategory(me)
    const fees = [{ amount: '1', categoryId: food.id }]
    const { id } = await transferFrom(me, account, other, { categoryId: food.id, fees })
    await ok(updateTransfer, { as: me, id, json: { categoryId: null, note: 'n' } })
    const named = await lastChange(me)
    await ok(updateTransfer, { as: me, id, json: { fees: [], description: 'd' } })
    const charged = await lastChange(me)
    await setKind(me, food, 'income')
    expect(await undone(me, charged.id)).toEqual(['changed', 'amount changedSince'])
    expect(await undone(me, named.id)).toEqual(['changed', 'categoryId changedSince'])
    expect(await ok(getTransfer, { as: me, id })).toMatchObject({
      ...{ categoryId: null, fees: [], note: null, description: '' },
    })
  })
})

describe('a deletion', () => {
  it('is not undone after another one of something else', async () => {
    const { me, account } = await scene()
    const one = await book(me, account)
    const remove = () => ok(deleteTransaction, { as: me, id: one.id })
    await remove()
    const { id } = await lastChange(me)
    expect(await undone(me, id)).toEqual(['changed'])
    await change(me, one, { amount: '99' })
    await remove()
    expect(await undone(me, id)).toEqual(['unchanged', 'all deletedSince'])
    expect(await undone(me, (await lastChange(me)).id)).toEqual(['changed'])
  })
})

describe('an external id', () => {
  it('that another transaction has by now refuses the undo, also in a dry run', async () => {
    const { me, account, other } = await scene()
    const one = await book(me, account, { externalId: 'e' })
    await change(me, one, { accountId: other.id })
    const edited = await lastChange(me)
    const two = await book(me, account, { externalId: 'f' })
    await removeAll(me, { ids: [two.id] })
    const removed = await lastChange(me)
    await book(me, account, { externalId: 'e' })
    await book(me, account, { externalId: 'f' })
    for (const { id } of [edited, removed]) {
      expect(await undone(me, id, { dryRun: true })).toEqual([
        'invalid transactions.externalIdTaken',
      ])
      expect(refusal(await undo(me, id))).toEqual([409, 'transactions.externalIdTaken'])
    }
  })

  it('may be that of a private transaction of somebody else', async () => {
    const [owner, friend] = [await newUser(), await newUser()]
    const account = await newAccount(owner)
    const other = await newAccount(owner)
    await share(owner, account, friend, { permission: 'write' })
    await share(owner, other, friend, { permission: 'write' })
    const one = await book(friend, account, { externalId: 'e' })
    await change(friend, one, { accountId: other.id })
    const { id } = await lastChange(friend)
    await book(owner, account, { externalId: 'e', private: true })
    expect(await undone(friend, id, { dryRun: true })).toEqual(['changed'])
    expect(await undone(friend, id)).toEqual(['changed'])
  })

  it('stays after a merge of duplicates with what a statement confirmed since', async () => {
    const { me, account } = await scene()
    const keep = await book(me, account)
    const drop = await book(me, account, { externalId: 'bank' })
    await ok(mergeDuplicate, { as: me, json: { keepId: keep.id, dropId: drop.id } })
    const { id } = await lastChange(me)
    await change(me, keep, { status: 'reconciled' })
    expect(await undone(me, id)).toEqual([
      ...['unchanged', 'unchanged'],
      ...['all reconciled', 'externalId reconciled'],
    ])
    expect(await undone(me, id, { force: true })).toEqual(['changed', 'changed'])
    expect(await ok(getTransaction, { as: me, id: drop.id })).toMatchObject({ externalId: 'bank' })
  })
})

describe('a recording that is reconciled since', () => {
  it('stays, unless it is forced', async () => {
    const { me, account } = await scene()
    const one = await book(me, account)
    const { id } = await lastChange(me)
    await change(me, one, { status: 'reconciled' })
    expect(await undone(me, id)).toEqual(['unchanged', 'all reconciled'])
    await change(me, one, { note: 'n' })
    expect(await undone(me, id, { force: true })).toEqual(['unchanged', 'all changedSince'])
    await change(me, one, { note: null })
    expect(await undone(me, id, { force: true })).toEqual(['changed'])
  })
})

describe('what a receiver does not see', () => {
  async function household() {
    const [owner, friend] = [await newUser(), await newUser()]
    const [seen, hidden] = [await newAccount(owner), await newAccount(owner)]
    await share(owner, seen, friend, { permission: 'write' })
    return { owner, friend, seen, hidden }
  }

  it('does not keep words of a transfer or of parts', async () => {
    const { owner, friend, seen, hidden } = await household()
    const { from, to } = await transferFrom(owner, seen, hidden)
    await change(friend, from, { note: 'n' })
    const { id } = await lastChange(friend)
    await change(owner, to, { status: 'reconciled' })
    expect(await undone(friend, id, { dryRun: true })).toEqual(['changed'])
    expect(await undone(friend, id)).toEqual(['changed'])
    expect((await ok(getTransaction, { as: owner, id: to.id })).note).toBe(null)
    const parted = await book(owner, seen, {
      amount: '20',
      splits: [{ amount: '5' }, { amount: '15', transferAccountId: hidden.id }],
    })
    await change(friend, parted, { note: 'n' })
    const second = await lastChange(friend)
    const leg = parted.splits[1]?.transfer?.transactionId ?? ''
    await change(owner, { id: leg }, { status: 'reconciled' })
    expect(await undone(friend, second.id)).toEqual(['changed'])
  })

  it('is `notVisible` whatever becomes of it', async () => {
    const { owner, friend, seen, hidden } = await household()
    const shared = await share(owner, hidden, friend, { permission: 'write' })
    const transfer = await transferFrom(owner, seen, hidden)
    await ok(updateTransfer, { as: friend, id: transfer.id, json: { amount: '20', note: 'n' } })
    const { id } = await lastChange(friend)
    await change(friend, transfer.to, { status: 'cleared' })
    const confirmed = await lastChange(friend)
    const parted = await book(owner, seen, { amount: '20' })
    const splits = [{ amount: '5' }, { amount: '15', transferAccountId: hidden.id }]
    await ok(replaceSplits, { as: friend, id: parted.id, json: { splits } })
    const split = await lastChange(friend)
    await ok(deleteShare, { as: owner, id: shared.id })
    const outcomes = async () => [
      await undone(friend, id, { dryRun: true }),
      await undone(friend, confirmed.id, { dryRun: true }),
      await undone(friend, split.id, { dryRun: true }),
    ]
    const expected = [
      ['changed', 'amount notVisible'],
      ['unchanged', 'status notVisible'],
      ['unchanged', 'amount notVisible'],
    ]
    expect(await outcomes()).toEqual(expected)
    await change(owner, transfer.to, { status: 'reconciled' })
    expect(await outcomes()).toEqual(expected)
    const elsewhere = await newAccount(owner)
    const json = { toAccountId: elsewhere.id, force: true }
    await ok(updateTransfer, { as: owner, id: transfer.id, json })
    expect(await outcomes()).toEqual(expected)
    await ok(replaceSplits, {
      as: owner,
      id: parted.id,
      json: { splits: [{ amount: '5' }, { amount: '15' }] },
    })
    expect((await outcomes())[2]).toEqual(['unchanged', 'amount notVisible'])
    expect(await differencesOf(owner)).toEqual([])
  })
})
