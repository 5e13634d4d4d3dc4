import { expect, it } from 'vitest'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import { updateTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { lock } from '../period-locks/locking.ts'
import { share } from '../sharing/sharing.ts'
import { book, close, newCategory, refusal } from '../transactions/booking.ts'
import { convert, converted, newHalves, revert } from './matched.ts'

/** An owner with two accounts, and a friend who receives the first to write. */
async function neighbours(second: 'view' | 'write' | undefined, writeScope: 'all' | 'own' = 'all') {
  const [owner, friend] = [await newUser(), await newUser()]
  const [one, two] = [await newAccount(owner), await newAccount(owner)]
  await share(owner, one, friend, { permission: 'write', writeScope })
  if (second) {
    await share(owner, two, friend, { permission: second })
  }
  return { owner, friend, one, two }
}

it('a receiver who may write on both accounts converts and reverts, and the category comes back', async () => {
  const { owner, friend, one, two } = await neighbours('write')
  const category = await newCategory(owner)
  const row = await book(owner, one, { categoryId: category.id })
  const transfer = await converted(friend, row, two)
  expect(transfer.to).toMatchObject({ accountId: two.id, createdBy: friend.id })
  const { body } = await revert(friend, transfer.from)
  expect(body.from).toMatchObject({ id: row.id, categoryId: category.id, createdBy: owner.id })
})

it.each([
  [
    'does not see the other account',
    undefined,
    'all',
    [400, 'transfers.unknownAccount', 'accountId'],
  ],
  ['only views it', 'view', 'all', [403, 'auth.rightNeeded']],
  ['may change own bookings alone', 'write', 'own', [403, 'auth.ownBookingsOnly']],
] as const)('a receiver who %s is refused', async (_, second, scope, why) => {
  const { owner, friend, one, two } = await neighbours(second, scope)
  const row = await book(owner, one)
  expect(refusal(await convert(friend, row, { accountId: two.id }))).toEqual(why)
  const transfer = await converted(owner, row, two)
  expect((await revert(friend, transfer.from)).status).toBe(second ? 403 : 404)
})

it('the accounts have one owner', async () => {
  const { owner, friend, one } = await neighbours(undefined)
  const row = await book(owner, one)
  const own = await newAccount(friend)
  expect(refusal(await convert(friend, row, { accountId: own.id }))).toEqual([
    ...[409, 'transfers.otherOwner', 'accountId'],
  ])
})

it('a locked day of the other account is in the way', async () => {
  const { me, two, out } = await newHalves()
  const row = await out({ date: '2025-12-20' })
  await lock(me, { accountId: two.id })
  expect(refusal(await convert(me, row, { accountId: two.id }))).toEqual([
    ...[409, 'locks.periodLocked', 'date'],
  ])
  const forced = await converted(me, row, two, { force: true })
  expect((await revert(me, forced.from)).status).toBe(409)
})

it('nothing is reverted on a closed account, nor to less than links cover', async () => {
  const { me, two, out, into } = await newHalves()
  const row = await out()
  const refund = await into({ amount: '45' })
  const json = { kind: 'refundOf' as const, transactionId: row.id, amount: '45' }
  await ok(createTransactionLink, { as: me, id: refund.id, json })
  const transfer = await converted(me, row, two)
  await ok(updateTransfer, { as: me, id: transfer.id, json: { amount: '40' } })
  expect(refusal(await revert(me, transfer.from))).toEqual([409, 'transfers.linkedAmount'])
  await ok(updateTransfer, { as: me, id: transfer.id, json: { amount: '50' } })
  await close(two)
  expect(refusal(await revert(me, transfer.from))).toEqual([409, 'transfers.accountClosed'])
})
