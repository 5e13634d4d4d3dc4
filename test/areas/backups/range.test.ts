import { expect, it } from 'vitest'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { backedUp, emptied, restored } from './restoring.ts'

const MAX = '90071992547409.91'

const add = (as: TestUser, accountId: string, kind: 'income' | 'expense', amount: string) =>
  ok(createTransaction, { as, json: { kind, accountId, amount, date: '2026-01-02' } })

/** Once the first row is in the trash, the others leave the range of amounts in the order in which they were booked. */
async function withHeldBalance(): Promise<TestUser> {
  const me = await newUser()
  const account = await newAccount(me)
  const first = await add(me, account.id, 'income', '0.01')
  await add(me, account.id, 'expense', MAX)
  await add(me, account.id, 'expense', '0.01')
  await add(me, account.id, 'income', '500.00')
  await ok(deleteTransaction, { as: me, id: first.id })
  return me
}

it('restores lines that leave the range of amounts on the way to a balance within it', async () => {
  const me = await withHeldBalance()
  const { archive } = await backedUp(me)
  const other = await newUser()
  expect(await restored(other, archive)).toMatchObject({ state: 'done', error: null })
  await emptied(me)
  expect(await restored(me, archive)).toMatchObject({ state: 'done', error: null })
  expect([await differencesOf(me), await differencesOf(other)]).toEqual([[], []])
})
