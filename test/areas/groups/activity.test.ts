import { expect, it } from 'vitest'
import {
  listGroupActivity,
  removeGroupMember,
  leaveGroup,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import { createShare, acceptShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  matchTransfer,
  unmatchTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { eventsOf } from '../ledger/events.ts'
import { book, change, expenseOn, refusal, tripsOf } from '../transactions/booking.ts'
import { createAll } from '../transactions/bulk.ts'
import { codeInto, join, newGroup, newHousehold } from './groups.ts'

const told = async (as: Principal, id: string) => (await ok(listGroupActivity, { as, id })).activity

const actions = async (as: Principal, id: string) =>
  (await told(as, id)).map(({ action, resourceId }) => `${action} ${resourceId}`)

it('what happens in a group is told to its members, the last first, page by page', async () => {
  const owner = await newUser({ name: 'Ada' })
  const { id } = await newGroup(owner)
  const member = await join(id, owner)
  const account = await newAccount(member)
  await storeShare(account.id, { groupId: id }, 'write')
  const booked = await book(owner, account, { description: 'word of mouth' })
  const listed = await call(listGroupActivity, { as: member, id })
  expect(tripsOf(listed)).toBe(1)
  expect(listed.body.activity.map(({ action }) => action)).toEqual([
    'transaction.created',
    'groupMember.joined',
    'groupInvite.created',
    'group.created',
  ])
  expect(listed.body.activity[0]).toMatchObject({
    actorId: owner.id,
    actorName: 'Ada',
    resourceType: 'transaction',
    resourceId: booked.id,
    accountId: account.id,
  })
  expect(listed.text).not.toContain('word of mouth')
  const first = await ok(listGroupActivity, { as: owner, id, query: { limit: 3 } })
  const query = { limit: 3, cursor: first.nextCursor ?? '' }
  const second = await ok(listGroupActivity, { as: owner, id, query })
  expect([...first.activity, ...second.activity]).toEqual(listed.body.activity)
  expect([first.count, second.nextCursor]).toEqual([4, null])
})

it('nothing of it is told to anybody else, and names nobody who is out', async () => {
  const { id, owner, admin, member } = await newHousehold()
  const [stranger] = [await newUser()]
  await codeInto(id, admin)
  await ok(removeGroupMember, { as: owner, path: { id, userId: admin.id } })
  await ok(leaveGroup, { as: member, id })
  for (const as of [stranger, admin, member]) {
    expect(refusal(await call(listGroupActivity, { as, id }))).toEqual([404, 'groups.notFound'])
  }
  const named = (await told(owner, id)).map(({ actorName }) => actorName)
  expect(named).not.toContainEqual(expect.stringMatching(/^(admin|member)/))
  expect(named).toContain('Owner')
})

it('what is booked on an account is told only while it is shared', async () => {
  const { id, owner, member } = await newHousehold()
  const account = await newAccount(owner)
  const before = await book(owner, account)
  await storeShare(account.id, { groupId: id })
  const during = await book(owner, account)
  expect(await actions(member, id)).toContain(`transaction.created ${during.id}`)
  expect(await actions(member, id)).not.toContain(`transaction.created ${before.id}`)
  await rows('UPDATE shares SET expires_at = 1 WHERE account_id = ?', account.id)
  expect(await actions(member, id)).not.toContain(`transaction.created ${during.id}`)
  await rows('UPDATE shares SET expires_at = NULL WHERE account_id = ?', account.id)
  await rows('UPDATE accounts SET deleted_at = 1 WHERE id = ?', account.id)
  expect(await actions(member, id)).not.toContain(`transaction.created ${during.id}`)
  await rows('UPDATE accounts SET deleted_at = NULL WHERE id = ?', account.id)
  expect(await actions(member, id)).toContain(`transaction.created ${during.id}`)
  await rows('DELETE FROM shares WHERE account_id = ?', account.id)
  expect(await actions(member, id)).not.toContain(`transaction.created ${during.id}`)
})

it('what is private is told to its owner and its maker alone, whatever became of it', async () => {
  const { id, owner, admin, member } = await newHousehold()
  const account = await newAccount(owner)
  await storeShare(account.id, { groupId: id }, 'write')
  const secret = await book(owner, account, { private: true })
  const made = await book(member, account, { private: true })
  const open = await book(owner, account)
  const json = { kind: 'partOf', transactionId: secret.id } as const
  const link = await ok(createTransactionLink, { as: owner, id: open.id, json })
  const all = [
    `transaction.linked ${link.id}`,
    `transaction.created ${open.id}`,
    `transaction.created ${made.id}`,
    `transaction.created ${secret.id}`,
  ]
  const ofBookings = async (as: Principal) =>
    (await actions(as, id)).filter((line) => line.startsWith('transaction.'))
  expect(await ofBookings(owner)).toEqual(all)
  expect(await ofBookings(member)).toEqual([all[1], all[2]])
  expect(await ofBookings(admin)).toEqual([all[1]])
  expect((await ok(listGroupActivity, { as: admin, id })).count).toBe(
    (await told(admin, id)).length,
  )
  await ok(deleteTransaction, { as: owner, id: secret.id })
  expect(await ofBookings(admin)).toEqual([all[1]])
  expect((await change(owner, open, { private: true })).status).toBe(200)
  expect(await ofBookings(admin)).toEqual([])
})

/** Two groups of the same owner, with an account that is shared with each, and somebody who is in one. */
async function neighbours() {
  const owner = await newUser({ name: 'Owner' })
  const [left, right] = [await newGroup(owner, 'Left'), await newGroup(owner, 'Right')]
  const [from, to] = [await newAccount(owner), await newAccount(owner)]
  await storeShare(from.id, { groupId: left.id }, 'write')
  await storeShare(to.id, { groupId: right.id }, 'write')
  const [ofLeft, ofRight] = [await join(left.id, owner), await join(right.id, owner)]
  /** What is told of transactions to both groups, with the answers as text. */
  const both = async () => {
    const answers = [
      await call(listGroupActivity, { as: ofLeft, id: left.id }),
      await call(listGroupActivity, { as: ofRight, id: right.id }),
    ]
    return answers.map(({ body, text }) => ({
      text,
      told: body.activity
        .filter(({ resourceType }) => resourceType === 'transaction')
        .map(({ action, resourceId, accountId }) => [action, resourceId, accountId]),
    }))
  }
  return { owner, from, to, left, right, both }
}

it('a transfer is told to the group of each account, its own leg alone', async () => {
  const { owner, from, to, left, right, both } = await neighbours()
  const json = { fromAccountId: from.id, toAccountId: to.id, date: '2026-11-20', amount: '100' }
  const transfer = await ok(createTransfer, { as: owner, json })
  const { id } = transfer
  await ok(updateTransfer, { as: owner, id, json: { amount: '50' } })
  await ok(deleteTransfer, { as: owner, id })
  await ok(restoreFromTrash, { as: owner, path: { kind: 'transfer', id } })
  const ways = ['restored', 'deleted', 'updated', 'created'].map((way) => `transaction.${way}`)
  const sides = [
    [transfer.from.id, from.id, transfer.to.id, to.id],
    [transfer.to.id, to.id, transfer.from.id, from.id],
  ]
  for (const [at, { text, told }] of (await both()).entries()) {
    const [leg, account, ...others] = sides[at] ?? []
    expect(told).toEqual(ways.map((way) => [way, leg, account]))
    expect([...others, id].filter((other) => text.includes(other))).toEqual([])
  }
  const events = await eventsOf(transfer.from.id, transfer.to.id)
  expect(events.map(({ groupId }) => groupId)).toEqual(ways.flatMap(() => [left.id, right.id]))
})

it('what becomes a transfer and is parted again is told to the group of each account', async () => {
  const { owner, from, to, both } = await neighbours()
  const spent = await book(owner, from)
  const earned = await book(owner, to, { kind: 'income' })
  const sides = { fromTransactionId: spent.id, toTransactionId: earned.id }
  const transfer = await ok(matchTransfer, { as: owner, json: sides })
  const halves = [
    [spent.id, transfer.from.id, from.id],
    [earned.id, transfer.to.id, to.id],
  ]
  for (const [at, { told }] of (await both()).entries()) {
    const [row, leg, account] = halves[at] ?? []
    expect(told).toEqual([
      ['transfer.matched', row, account],
      ['transfer.matched', leg, account],
      ['transaction.created', row, account],
    ])
  }
  await ok(unmatchTransfer, { as: owner, id: transfer.id })
  // Of the transfer, which is gone for good, nobody knows any more.
  for (const [at, { told }] of (await both()).entries()) {
    const [row, , account] = halves[at] ?? []
    expect(told).toEqual([
      ['transfer.unmatched', row, account],
      ['transfer.matched', row, account],
      ['transaction.created', row, account],
    ])
  }
})

it('one request for many tells each group of its own, and nobody of what is private', async () => {
  const { owner, from, to, both } = await neighbours()
  const { body } = await createAll(owner, [
    expenseOn(from),
    expenseOn(to),
    expenseOn(from, { private: true }),
  ])
  const [one, two, secret] = body.results.map(({ transaction }) => transaction?.id ?? '')
  await change(owner, { id: secret ?? '' }, { note: 'x' })
  const [ofLeft, ofRight] = await both()
  expect(ofLeft?.told).toEqual([['transaction.created', one, from.id]])
  expect(ofRight?.told).toEqual([['transaction.created', two, to.id]])
  const json = { fromAccountId: from.id, toAccountId: to.id, date: '2026-11-20', amount: '1' }
  const transfer = await ok(createTransfer, { as: owner, json })
  await ok(updateTransfer, { as: owner, id: transfer.id, json: { note: 'y' } })
  expect((await change(owner, transfer.to, { private: true })).status).toBe(200)
  expect((await both()).map(({ told }) => told.length)).toEqual([1, 1])
})

it('with whom else an account is shared is not told to the group that it is shared with', async () => {
  const owner = await newUser()
  const { id } = await newGroup(owner)
  const member = await join(id, owner)
  const outsider = await newUser()
  const account = await newAccount(owner)
  await storeShare(account.id, { groupId: id }, 'view')
  const before = await actions(member, id)
  const json = { resourceId: account.id, userId: outsider.id, permission: 'view' } as const
  const share = await ok(createShare, { as: owner, json })
  await ok(acceptShare, { as: outsider, id: share.id, json: { includeInTotals: true } })
  expect(await actions(member, id)).toEqual(before)
  const [said] = await rows('SELECT group_id FROM log_entries WHERE resource_id = ?', share.id)
  expect(said).toEqual({ group_id: null })
})
