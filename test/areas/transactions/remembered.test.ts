import { expect, it } from 'vitest'
import { removeAccount, updateAccount } from '../../../src/areas/accounts/accounts.routes.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/transactions/transactions.routes.ts'
import { eraseFromTrash } from '../../../src/areas/trash/trash.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'

// An account that was booked on is not read again; what changed since must be noticed all the same.

const expense = (accountId: string, amount = '1.50') => ({
  kind: 'expense' as const,
  accountId,
  date: '2026-01-05',
  amount,
})

const book = (me: TestUser, accountId: string, amount?: string) =>
  call(createTransaction, { as: me, json: expense(accountId, amount) })

async function bookedOn() {
  const me = await newUser()
  const { id } = await newAccount(me)
  const first = await book(me, id)
  expect([first.status, costOf(first.headers).trips]).toEqual([201, 2])
  return { me, id, first: first.body.id }
}

it('books again in one trip', async () => {
  const { me, id } = await bookedOn()
  const second = await book(me, id)
  expect([second.status, costOf(second.headers).trips]).toEqual([201, 1])
})

it('notices that the account is closed, in the trash, or never was the caller’s', async () => {
  const { me, id } = await bookedOn()
  expect((await book(await newUser(), id)).status).toBe(404)
  await rows("UPDATE accounts SET status = 'closed' WHERE id = ?", id)
  const closed = await book(me, id)
  expect([closed.status, closed.error.code]).toEqual([409, 'transactions.accountClosed'])
  await rows("UPDATE accounts SET status = 'open' WHERE id = ?", id)
  await ok(removeAccount, { as: me, id })
  expect((await book(me, id)).status).toBe(404)
})

it('books nothing in a currency that the account no longer has', async () => {
  const { me, id, first } = await bookedOn()
  await ok(deleteTransaction, { as: me, id: first })
  // In the trash it would still hold the account to its currency.
  await ok(eraseFromTrash, { as: me, path: { kind: 'transaction', id: first } })
  await ok(updateAccount, { as: me, id, json: { currency: 'JPY' } })
  const stale = await book(me, id)
  expect([stale.status, stale.error.code]).toEqual([409, 'request.conflict'])
  const again = await book(me, id)
  expect([again.status, again.error.code]).toEqual([400, 'money.tooManyDigits'])
  const { body } = await book(me, id, '150')
  expect([body.amount, body.currency]).toEqual(['150', 'JPY'])
})

it('notices that the session or the permission is gone', async () => {
  const { me, id } = await bookedOn()
  await rows('DELETE FROM user_roles WHERE user_id = ?', me.id)
  expect((await book(me, id)).status).toBe(403)
  await rows('UPDATE sessions SET revoked_at = 1 WHERE user_id = ?', me.id)
  expect((await book(me, id)).status).toBe(401)
  expect((await book(me, id, 'x')).status).toBe(401)
})
