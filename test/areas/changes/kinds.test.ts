import { describe, expect, it } from 'vitest'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { closeAccount, deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createPeriodLock } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  getTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { eraseFromTrash, restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  balanceOf,
  book,
  change,
  expenseOn,
  newCategory,
  refusal,
  tripsOf,
} from '../transactions/booking.ts'
import { changeAll, createAll, removeAll, times } from '../transactions/bulk.ts'
import { lastChange, undo, undone } from './undoing.ts'

async function scene() {
  const me = await newUser()
  return { me, account: await newAccount(me), other: await newAccount(me) }
}

const isThere = async (as: Principal, { id }: { id: string }) =>
  (await call(getTransaction, { as, id })).status === 200

const lock = (as: Principal, { id }: { id: string }, kind: 'soft' | 'hard' = 'soft') =>
  ok(createPeriodLock, {
    as,
    json: { accountId: id, through: '2026-11-30', kind, reason: 'Year' },
  })

describe('an undo of recording', () => {
  it('moves to the trash what is as it was recorded, with the labels staying', async () => {
    const { me, account } = await scene()
    const one = await book(me, account, {
      ...{ categoryName: 'New', payeeName: 'Shop', createMissing: true },
    })
    const made = await lastChange(me)
    expect(made).toMatchObject({ operation: 'createTransaction', count: 3, undo: 'possible' })
    expect(made.types).toEqual(['category.created', 'payee.created', 'transaction.created'])
    expect(await undone(me, made.id)).toEqual(['changed'])
    expect([await isThere(me, one), await balanceOf(me, account)]).toEqual([false, '0.00'])
    expect(await undone(me, made.id)).toEqual(['unchanged', 'all deletedSince'])
    const back = await lastChange(me)
    expect(back.types).toEqual(['change.undone', 'transaction.deleted'])
    expect(await undone(me, back.id)).toEqual(['changed'])
    expect(await isThere(me, one)).toBe(true)
    await change(me, one, { note: 'since' })
    expect(await undone(me, made.id)).toEqual(['unchanged', 'all changedSince'])
  })

  it('takes back hundreds in two trips', async () => {
    const { me, account } = await scene()
    await createAll(
      me,
      times(500, (at) => expenseOn(account, { amount: String(at + 1) })),
    )
    const { id } = await lastChange(me)
    const answer = await undo(me, id)
    expect([answer.status, tripsOf(answer), answer.body.changed]).toEqual([200, 2, 500])
    const back = await undo(me, (await lastChange(me)).id)
    expect([back.status, tripsOf(back), back.body.changed]).toEqual([200, 2, 500])
    await changeAll(me, {
      filter: { accountId: account.id },
      changes: { note: 'x', date: '2026-01-01' },
    })
    const edited = await undo(me, (await lastChange(me)).id)
    expect([edited.status, tripsOf(edited), edited.body.changed]).toEqual([200, 2, 500])
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps what is reconciled or locked, unless it is forced', async () => {
    const { me, account, other } = await scene()
    const one = await book(me, account, { status: 'reconciled' })
    const first = await lastChange(me)
    expect(await undone(me, first.id)).toEqual(['unchanged', 'all reconciled'])
    const two = await book(me, other)
    const second = await lastChange(me)
    await lock(me, other)
    expect(await undone(me, second.id)).toEqual(['unchanged', 'all locked'])
    expect(await undone(me, first.id, { force: true })).toEqual(['changed'])
    expect(await undone(me, second.id, { force: true })).toEqual(['changed'])
    expect([await isThere(me, one), await isThere(me, two)]).toEqual([false, false])
  })
})

describe('an undo of deleting and restoring', () => {
  it('restores, and moves to the trash again', async () => {
    const { me, account } = await scene()
    const [one, two] = [await book(me, account), await book(me, account)]
    await removeAll(me, { ids: [one.id, two.id] })
    const removal = await lastChange(me)
    expect(await undone(me, removal.id)).toEqual(['changed', 'changed'])
    expect(await undone(me, removal.id)).toEqual([
      ...['unchanged', 'unchanged', 'all changedSince', 'all changedSince'],
    ])
    await ok(deleteTransaction, { as: me, id: one.id })
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: one.id } })
    const restored = await lastChange(me)
    expect(restored.types).toEqual(['transaction.restored'])
    expect(await undone(me, restored.id)).toEqual(['changed'])
    await ok(eraseFromTrash, { as: me, path: { kind: 'transaction', id: one.id } })
    expect(await undone(me, restored.id)).toEqual(['unchanged', 'all deletedSince'])
    await ok(deleteTransaction, { as: me, id: two.id })
    const last = await lastChange(me)
    await ok(eraseFromTrash, { as: me, path: { kind: 'transaction', id: two.id } })
    expect(await undone(me, last.id)).toEqual(['unchanged', 'all deletedSince'])
  })

  it('is refused as restoring is', async () => {
    const { me, account, other } = await scene()
    const one = await book(me, account, { externalId: 'e' })
    const moved = await ok(createTransfer, {
      as: me,
      json: {
        fromAccountId: account.id,
        toAccountId: other.id,
        date: '2026-11-20',
        amount: '12.30',
      },
    })
    await ok(deleteTransaction, { as: me, id: one.id })
    const { id } = await lastChange(me)
    const twin = await book(me, account, { externalId: 'e' })
    expect(refusal(await undo(me, id))).toEqual([409, 'transactions.externalIdTaken'])
    await ok(deleteTransaction, { as: me, id: twin.id })
    await lock(me, account)
    expect(await undone(me, id)).toEqual(['unchanged', 'all locked'])
    const forced = { force: true }
    await ok(deleteTransfer, { as: me, id: moved.id, query: { force: 'true' } })
    await ok(closeAccount, { as: me, id: account.id, json: {} })
    expect(refusal(await undo(me, id, forced))).toEqual([409, 'trash.accountClosed'])
    expect(await undone(me, id, { ...forced, dryRun: true })).toEqual([
      'invalid trash.accountClosed',
    ])
    await ok(deleteAccount, { as: me, id: account.id })
    expect(refusal(await undo(me, id, forced))).toEqual([409, 'trash.accountInTrash'])
  })

  it('gives an external id back that a merge of duplicates had moved', async () => {
    const { me, account } = await scene()
    const keep = await book(me, account)
    const drop = await book(me, account, { externalId: 'bank' })
    await ok(mergeDuplicate, { as: me, json: { keepId: keep.id, dropId: drop.id } })
    expect(await ok(getTransaction, { as: me, id: keep.id })).toMatchObject({ externalId: 'bank' })
    const merged = await lastChange(me)
    expect(await undone(me, merged.id)).toEqual(['changed', 'changed'])
    expect(await ok(getTransaction, { as: me, id: keep.id })).toMatchObject({ externalId: null })
    expect(await ok(getTransaction, { as: me, id: drop.id })).toMatchObject({ externalId: 'bank' })
    expect(await undone(me, (await lastChange(me)).id)).toEqual(['changed', 'changed'])
    expect(await ok(getTransaction, { as: me, id: keep.id })).toMatchObject({ externalId: 'bank' })
  })
})

describe('an undo of a transfer', () => {
  const shown = async (as: Principal, id: string) => {
    const {
      version: _version,
      updatedAt: _at,
      from,
      to,
      ...rest
    } = await ok(getTransfer, { as, id })
    return {
      ...rest,
      from: { ...from, version: 0, updatedAt: '' },
      to: { ...to, version: 0, updatedAt: '' },
    }
  }

  it('takes back amounts, fees, accounts and words of both sides', async () => {
    const { me, account, other } = await scene()
    const yen = await newAccount(me, { currency: 'JPY' })
    const [food, tag] = [
      await newCategory(me),
      await ok(createTag, { as: me, json: { name: 'T' } }),
    ]
    const between = { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20' }
    const transfer = await ok(createTransfer, {
      as: me,
      json: { ...between, amount: '100', fees: [{ amount: '1', categoryId: food.id, note: 'n' }] },
    })
    const made = await lastChange(me)
    const edits = [
      { toAccountId: yen.id, toAmount: '15840', fees: [], status: 'cleared' as const },
      { rate: '150', amount: '50', note: 'by rate', tagIds: [tag.id] },
      { fromAccountId: other.id, date: '2026-01-01', categoryId: food.id, fees: [{ amount: '2' }] },
      { excludeFromReports: true, description: 'd' },
    ]
    const steps: { id: string; before: unknown }[] = []
    for (const json of edits) {
      const before = await shown(me, transfer.id)
      await ok(updateTransfer, { as: me, id: transfer.id, json })
      steps.push({ id: (await lastChange(me)).id, before })
    }
    for (const { id, before } of steps.toReversed()) {
      expect(await undone(me, id)).toEqual(['changed'])
      expect(await shown(me, transfer.id)).toEqual(before)
    }
    expect(await undone(me, made.id)).toEqual(['changed'])
    const gone = await lastChange(me)
    expect(await undone(me, gone.id)).toEqual(['changed'])
    await ok(deleteTransfer, { as: me, id: transfer.id })
    expect(await undone(me, (await lastChange(me)).id)).toEqual(['changed'])
    expect(await shown(me, transfer.id)).toEqual(steps[0]?.before)
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps the amount where it was changed since, and takes back words', async () => {
    const { me, account, other } = await scene()
    const between = { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20' }
    const { id, from, to } = await ok(createTransfer, {
      as: me,
      json: { ...between, amount: '100' },
    })
    await ok(updateTransfer, { as: me, id, json: { amount: '90', note: 'n' } })
    const first = await lastChange(me)
    await ok(updateTransfer, { as: me, id, json: { amount: '80' } })
    expect(await undone(me, first.id)).toEqual(['changed', 'amount changedSince'])
    expect(await ok(getTransfer, { as: me, id })).toMatchObject({ note: null, amount: '80.00' })
    await changeAll(me, { ids: [from.id, to.id], changes: { status: 'cleared' } })
    const both = await lastChange(me)
    await change(me, to, { status: 'pending' })
    expect(await undone(me, both.id)).toEqual(['changed', 'status changedSince'])
  })
})

describe('an undo of an edit that can go back in part', () => {
  it('keeps the fields that a statement or a lock protects', async () => {
    const { me, account } = await scene()
    const one = await book(me, account, { status: 'reconciled' })
    await change(me, one, { amount: '20', note: 'n', force: true })
    const { id } = await lastChange(me)
    expect(await undone(me, id)).toEqual(['changed', 'amount reconciled'])
    expect(await ok(getTransaction, { as: me, id: one.id })).toMatchObject({
      ...{ amount: '20.00', note: null },
    })
    expect(await undone(me, id, { force: true })).toEqual(['changed', 'note changedSince'])
    const food = await newCategory(me)
    const two = await book(me, account)
    await change(me, two, { categoryId: food.id, description: 'd' })
    const second = await lastChange(me)
    await lock(me, account, 'hard')
    expect(await undone(me, second.id, { force: true })).toEqual(['changed', 'categoryId locked'])
  })

  it('keeps a label that is gone, and a category that no longer fits', async () => {
    const { me, account } = await scene()
    const tag = await ok(createTag, { as: me, json: { name: 'T' } })
    const salary = await newCategory(me, 'income')
    const one = await book(me, account, { tagIds: [tag.id] })
    await change(me, one, { tagIds: [], kind: 'income' })
    const { id } = await lastChange(me)
    await change(me, one, { categoryId: salary.id })
    await ok(deleteTag, { as: me, id: tag.id })
    expect(await undone(me, id)).toEqual([
      'unchanged',
      'tagIds deletedSince',
      'amount changedSince',
    ])
  })
})
