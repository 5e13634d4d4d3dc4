import { expect, it } from 'vitest'
import { undoChange } from '../../../src/areas/events/changes/changes.routes.ts'
import { createPeriodLock } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import { replaceSplits } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import { deleteShare, updateShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, expenseOn, refusal } from '../transactions/booking.ts'
import { changeAll, createAll, removeAll, times } from '../transactions/bulk.ts'
import { match } from '../transactions/matched-parts.fixtures.ts'
import { lastChange, undo } from './undoing.ts'

// What refuses an undo as a whole: each is what refuses the operation behind it.

async function scene() {
  const me = await newUser()
  return { me, account: await newAccount(me), other: await newAccount(me) }
}

it('an amount that links need since', async () => {
  const { me, account } = await scene()
  const spent = await book(me, account, { amount: '5' })
  await change(me, spent, { amount: '50' })
  const { id } = await lastChange(me)
  const income = await book(me, account, { kind: 'income', amount: '40' })
  const json = { kind: 'refundOf' as const, transactionId: spent.id, amount: '40' }
  await ok(createTransactionLink, { as: me, id: income.id, json })
  expect(refusal(await undo(me, id))).toEqual([409, 'transactions.linkedAmount'])
})

it('a part that was matched since', async () => {
  const { me, account, other } = await scene()
  const whole = await book(me, account, { amount: '100' })
  const splits = [{ amount: '30', transferAccountId: other.id }, { amount: '70' }]
  const parted = await ok(replaceSplits, { as: me, id: whole.id, json: { splits } })
  const { id } = await lastChange(me)
  const row = await book(me, other, { kind: 'income', amount: '30' })
  const [part] = parted.splits
  expect((await match(me, whole, part, { transactionId: row.id })).status).toBe(200)
  expect(refusal(await undo(me, id))).toEqual([409, 'transactions.partMatched'])
})

it('a balance that leaves the range', async () => {
  const { me, account } = await scene()
  const huge = { kind: 'income' as const, amount: '90071992547409.91' }
  const one = await book(me, account, huge)
  await removeAll(me, { ids: [one.id] })
  const { id } = await lastChange(me)
  await book(me, account, huge)
  expect(refusal(await undo(me, id))).toEqual([409, 'ledger.outOfRange'])
})

it('transactions that have grown beyond what one request changes', async () => {
  const { me, account } = await scene()
  const made = await createAll(
    me,
    times(51, () => expenseOn(account, { amount: '100' })),
  )
  const ids = made.body.results.map(({ transaction }) => transaction?.id ?? '')
  await changeAll(me, { ids, changes: { note: 'n' } })
  const { id } = await lastChange(me)
  for (const one of ids) {
    const splits = times(100, () => ({ amount: '1' }))
    await ok(replaceSplits, { as: me, id: one, json: { splits } })
  }
  expect(refusal(await undo(me, id))).toEqual([409, 'changes.notReversible'])
})

it('what the trash holds damaged', async () => {
  const { me, account } = await scene()
  const one = await book(me, account)
  await removeAll(me, { ids: [one.id] })
  const { id } = await lastChange(me)
  await rows('UPDATE unbooked_entries SET amount_minor = 0 WHERE transaction_id = ?', one.id)
  expect(refusal(await undo(me, id))).toEqual([409, 'trash.damaged'])
})

it('a right that is only on own bookings since', async () => {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  const shared = await share(owner, account, friend, { permission: 'write' })
  const one = await book(owner, account)
  await change(friend, one, { amount: '20' })
  const { id } = await lastChange(friend)
  await ok(updateShare, { as: owner, id: shared.id, json: { writeScope: 'own' } })
  expect(refusal(await undo(friend, id))).toEqual([403, 'auth.ownBookingsOnly'])
})

it('a lock, or the end of a share, between reading and committing', async () => {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  const shared = await share(owner, account, friend, { permission: 'write' })
  const one = await book(owner, account)
  await change(friend, one, { amount: '20' })
  const { id } = await lastChange(friend)
  const racing = (meanwhile: () => Promise<unknown>) =>
    serviceWith({ meanwhile }).call(undoChange, { as: friend, id, json: {} })
  const json = { accountId: account.id, through: '2026-11-30', kind: 'soft' as const, reason: 'x' }
  const locked = await racing(() => ok(createPeriodLock, { as: owner, json }))
  expect(refusal(locked)).toEqual([409, 'locks.periodLocked', 'id'])
  await rows('DELETE FROM period_locks WHERE account_id = ?', account.id)
  const ended = await racing(() => ok(deleteShare, { as: owner, id: shared.id }))
  expect(refusal(ended)).toEqual([404, 'transactions.accountNotFound'])
})
