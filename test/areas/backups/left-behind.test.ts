import { expect, it } from 'vitest'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { acceptShare, createShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book } from '../transactions/booking.ts'
import { matched } from '../transactions/matched-parts.fixtures.ts'
import { erase } from '../trash/trashing.ts'
import { backedUp, emptied, finishRestore, heldBack, restored, sendRestore } from './restoring.ts'

// What a restore that is taken back leaves, because somebody needs it by now.

const MAX = '90071992547409.91'

async function receiverOf(me: TestUser, accountId: string): Promise<TestUser> {
  const other = await newUser()
  const json = { resourceId: accountId, userId: other.id, permission: 'write' as const }
  const { id } = await ok(createShare, { as: me, json })
  await ok(acceptShare, { as: other, id, json: { includeInTotals: true } })
  return other
}

const add = (as: TestUser, accountId: string, kind: 'income' | 'expense', amount: string) =>
  ok(createTransaction, { as, json: { kind, accountId, amount, date: '2026-01-02' } })

/** Restores by merging, up to where all rows are stored and nothing is compared yet. */
async function stored(me: TestUser, archive: Uint8Array): Promise<string> {
  const { body } = await sendRestore(me, archive, { mode: 'merge' })
  await heldBack(body.job.id)
  await finishRestore(me, body.id, 2)
  return body.id
}

const FAILED = { state: 'failed', error: { code: 'backups.changedMeanwhile' } }

it('is told, and no hindrance for the next one', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const other = await receiverOf(me, account.id)
  const large = await add(me, account.id, 'income', MAX)
  const { archive } = await backedUp(me)
  await ok(deleteTransaction, { as: me, id: large.id })
  await erase(me, 'transaction', large.id)
  const id = await stored(me, archive)
  await add(other, account.id, 'expense', MAX)
  await add(other, account.id, 'expense', '0.01')
  expect(await finishRestore(me, id)).toMatchObject({ ...FAILED, left: 1 })
  expect(await rows('SELECT id FROM transactions WHERE id = ?', large.id)).toHaveLength(1)
  expect(await differencesOf(me)).toEqual([])
  expect((await restored(me, archive, { mode: 'merge' })).state).toBe('done')
})

it('is no row that could go', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const many = Array.from({ length: 300 }, () => ({
    ...{ kind: 'income' as const, accountId: account.id, amount: '1.00', date: '2026-01-02' },
  }))
  await ok(createTransactions, { as: me, json: { transactions: many } })
  const { archive } = await backedUp(me)
  await emptied(me, 'accounts')
  const other = await receiverOf(me, account.id)
  const id = await stored(me, archive)
  // 40 of the 300 can go before the account owes as much as an account can.
  await add(other, account.id, 'expense', MAX)
  await add(other, account.id, 'expense', '260.00')
  expect(await finishRestore(me, id)).toMatchObject({ ...FAILED, left: 260 })
  const left = await rows('SELECT id FROM transactions WHERE created_by = ?', me.id)
  expect(left).toHaveLength(260)
  expect(await differencesOf(me)).toEqual([])
})

it('is what a row was matched into that was there before', async () => {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const splits = [{ amount: '7' }, { amount: '30' }]
  const whole = await book(me, one, { amount: '37', splits })
  const { archive } = await backedUp(me)
  await ok(deleteTransaction, { as: me, id: whole.id })
  await erase(me, 'transaction', whole.id)
  const own = await book(me, two, { kind: 'income', amount: '30' })
  const id = await stored(me, archive)
  await matched(me, whole, whole.splits[1], own)
  expect(await finishRestore(me, id)).toMatchObject({ ...FAILED, left: 1 })
  expect(
    await rows('SELECT id FROM transactions WHERE id IN (?, ?)', whole.id, own.id),
  ).toHaveLength(2)
  expect(await differencesOf(me)).toEqual([])
})

it('is an account with a later booking, and its category', async () => {
  const me = await newUser()
  const kept = await newAccount(me)
  const gone = await newAccount(me)
  await add(me, gone.id, 'income', '5.00')
  const { archive } = await backedUp(me)
  await emptied(me)
  const id = await stored(me, archive)
  await add(me, gone.id, 'income', '1.00')
  expect(await finishRestore(me, id)).toMatchObject({ ...FAILED, left: 1 })
  const left = await rows<{ id: string }>('SELECT id FROM accounts WHERE owner_id = ?', me.id)
  expect(left).toEqual([{ id: gone.id }])
  expect(kept.id).not.toBe(gone.id)
  expect(await differencesOf(me)).toEqual([])
})
