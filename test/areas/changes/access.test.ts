import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { undoChange } from '../../../src/areas/events/changes/changes.routes.ts'
import { listChanges } from '../../../src/areas/events/changes/changes.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { deleteShare, updateShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import type { Permission } from '../../../src/domain/permissions.ts'
import { ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, close, newCategory, refusal } from '../transactions/booking.ts'
import { changeAll, removeAll } from '../transactions/bulk.ts'
import { lastChange, undo, undone } from './undoing.ts'

const listed = async (as: Principal) => (await ok(listChanges, { as })).changes

const tokenOf = async (as: Principal, scopes: Permission[], accountIds?: string[]) => ({
  accessToken: (
    await ok(createAccessToken, {
      as,
      json: { name: 'T', scopes, ...(accountIds ? { accountIds } : {}) },
    })
  ).token,
})

async function household() {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  const shared = await share(owner, account, friend, { permission: 'write' })
  return { owner, friend, account, shared }
}

describe('a change of somebody else', () => {
  it('is not there, neither for the owner of the account nor for others', async () => {
    const { owner, friend, account } = await household()
    const one = await book(friend, account)
    const { id } = await lastChange(friend)
    for (const as of [owner, await newUser()]) {
      expect((await listed(as)).some((one) => one.id === id)).toBe(false)
      expect(refusal(await undo(as, id))).toEqual([404, 'changes.notFound'])
    }
    expect(refusal(await undo(friend, `${id}-2`))[0]).not.toBe(200)
    expect(await undone(friend, id)).toEqual(['changed'])
    // What somebody else's trash holds is not told.
    expect(await undone(friend, id)).toEqual(['unchanged', 'all notVisible'])
    expect(await undone(friend, (await lastChange(friend)).id)).toEqual([
      ...['unchanged', 'all notVisible'],
    ])
    expect(await ok(getTransaction, { as: friend, id: one.id }).catch(() => undefined)).toBe(
      undefined,
    )
  })
})

describe('a receiver', () => {
  it('undoes as far as their right goes', async () => {
    const { owner, friend, account, shared } = await household()
    const one = await book(owner, account)
    const food = await newCategory(owner)
    await change(friend, one, { amount: '20', categoryId: food.id })
    const { id } = await lastChange(friend)
    await ok(updateShare, { as: owner, id: shared.id, json: { permission: 'view' } })
    expect(refusal(await undo(friend, id))).toEqual([403, 'auth.rightNeeded'])
    expect(await undone(friend, id, { dryRun: true })).toEqual(['invalid auth.rightNeeded'])
    await ok(updateShare, { as: owner, id: shared.id, json: { permission: 'write' } })
    expect(await undone(friend, id)).toEqual(['changed'])
    expect(await ok(getTransaction, { as: owner, id: one.id })).toMatchObject({
      ...{ amount: '12.30', categoryId: null },
    })
    expect(await differencesOf(owner)).toEqual([])
  })

  it('cannot tell what is private since from what is deleted since, nor learns of it after the share', async () => {
    const { owner, friend, account, shared } = await household()
    const [hidden, gone, kept] = [
      await book(owner, account),
      await book(owner, account),
      await book(owner, account),
    ]
    await changeAll(friend, { ids: [hidden.id, gone.id, kept.id], changes: { note: 'x' } })
    const { id } = await lastChange(friend)
    await change(owner, hidden, { private: true })
    await ok(deleteTransaction, { as: owner, id: gone.id })
    const { body } = await undo(friend, id, { dryRun: true })
    expect(new Map(body.kept.map((one) => [one.transactionId, one.reason]))).toEqual(
      new Map([
        [hidden.id, 'notVisible'],
        [gone.id, 'notVisible'],
      ]),
    )
    await ok(deleteShare, { as: friend, id: shared.id })
    const after = await undo(friend, id)
    expect(after.body).toMatchObject({ changed: 0, unchanged: 3 })
    expect(new Set(after.body.kept.map(({ reason }) => reason))).toEqual(new Set(['notVisible']))
    expect((await ok(getTransaction, { as: owner, id: kept.id })).note).toBe('x')
  })

  it('does not move a transaction to an account that they do not see any more', async () => {
    const { owner, friend, account } = await household()
    const second = await newAccount(owner)
    const other = await share(owner, second, friend, { permission: 'write' })
    const one = await book(friend, account)
    await change(friend, one, { accountId: second.id, note: 'n' })
    const { id } = await lastChange(friend)
    await ok(deleteShare, { as: owner, id: other.id })
    expect(await undone(friend, id)).toEqual(['unchanged', 'all notVisible'])
    await share(owner, second, friend, { permission: 'annotate' })
    expect(refusal(await undo(friend, id))).toEqual([403, 'auth.rightNeeded'])
  })
})

describe('a token', () => {
  it('for some accounts sees and undoes only what is on them alone', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const scopes: Permission[] = ['transactions.write', 'transfers.write', 'auditLog.read']
    const as = await tokenOf(me, scopes, [account.id])
    await book(me, other)
    const hidden = await lastChange(me)
    await ok(createTransfer, {
      as: me,
      json: { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20', amount: '1' },
    })
    const both = await lastChange(me)
    await book(me, account)
    const mine = await lastChange(me)
    expect((await listed(as)).map(({ id }) => id)).not.toContain(hidden.id)
    expect((await listed(as)).map(({ id }) => id)).not.toContain(both.id)
    for (const { id } of [hidden, both]) {
      expect(refusal(await undo(as, id))).toEqual([404, 'changes.notFound'])
    }
    expect((await lastChange(as)).id).toBe(mine.id)
    expect(await undone(as, mine.id)).toEqual(['changed'])
  })

  it('needs transfers.write for transfers alone', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const as = await tokenOf(me, ['transactions.write'])
    await ok(createTransfer, {
      as: me,
      json: { fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20', amount: '1' },
    })
    const { id } = await lastChange(me)
    expect(refusal(await undo(as, id))).toEqual([403, 'auth.forbidden'])
    await book(me, account)
    expect(await undone(as, (await lastChange(me)).id)).toEqual(['changed'])
  })
})

describe('a change between reading and committing', () => {
  it('refuses the undo of an edit, of a deletion and of recording as a whole', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [one, two] = [await book(me, account), await book(me, account)]
    const ids = [one.id, two.id]
    const asking = (meanwhile: () => Promise<unknown>) => serviceWith({ meanwhile }).call
    const refused = async (meanwhile: () => Promise<unknown>) => {
      const { id } = await lastChange(me)
      return refusal(await asking(meanwhile)(undoChange, { as: me, id, json: {} }))
    }
    await changeAll(me, { ids, changes: { note: 'x' } })
    expect(await refused(() => change(me, two, { note: 'y' }))).toEqual([409, 'request.conflict'])
    expect((await ok(getTransaction, { as: me, id: one.id })).note).toBe('x')
    const three = await book(me, account)
    expect(await refused(() => change(me, three, { note: 'y' }))).toEqual([409, 'request.conflict'])
    await removeAll(me, { ids })
    const { id } = await lastChange(me)
    const racing = asking(() => undo(me, id))
    expect(refusal(await racing(undoChange, { as: me, id, json: {} }))).toEqual([
      409,
      'request.conflict',
    ])
    await change(me, one, { amount: '1' })
    expect(await refused(() => close(account))).toEqual([409, 'transactions.accountClosed'])
    const last = await lastChange(me)
    expect(refusal(await undo(me, last.id))).toEqual([409, 'transactions.accountClosed'])
    expect(await differencesOf(me)).toEqual([])
  })
})
