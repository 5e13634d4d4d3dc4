import { expect, it } from 'vitest'
import {
  deleteTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal } from '../transactions/booking.ts'
import { lock } from './locking.ts'

// What is reconciled in a locked period: one force overrides both, so the refusal names both.

const DATE = '2025-06-01'
const SOFT = /reconciled .* also locked through 2025-12-31; force changes it all the same\.$/

it('a refusal for a reconciled transaction names the lock of its day', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id } = await book(me, account, { date: DATE, amount: '5', status: 'reconciled' })
  const change = () => call(updateTransaction, { as: me, id, json: { amount: '6' } })
  const before = await change()
  expect(refusal(before)).toEqual([409, 'transactions.reconciled'])
  expect(before.error.error).toMatch(/force=true in the query where no body is taken\.$/)
  await lock(me)
  for (const refused of [await change(), await call(deleteTransaction, { as: me, id })]) {
    expect(refusal(refused)).toEqual([409, 'transactions.reconciled'])
    expect(refused.error.error).toMatch(SOFT)
  }
  await lock(me, { accountId: account.id, kind: 'hard', through: '2025-07-31' })
  expect((await change()).error.error).toContain(
    'also locked through 2025-07-31, and that lock is hard',
  )
})

it('so does that for a transfer, by the locks of both accounts', async () => {
  const me = await newUser()
  const [from, to] = [await newAccount(me), await newAccount(me)]
  const json = { fromAccountId: from.id, toAccountId: to.id, date: DATE, amount: '5' }
  const { id } = await ok(createTransfer, { as: me, json: { ...json, status: 'reconciled' } })
  await lock(me, { accountId: to.id })
  for (const refused of [
    await call(updateTransfer, { as: me, id, json: { amount: '6' } }),
    await call(deleteTransfer, { as: me, id }),
  ]) {
    expect(refusal(refused)).toEqual([409, 'transfers.reconciled'])
    expect(refused.error.error).toMatch(SOFT)
  }
})
