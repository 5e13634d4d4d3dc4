import { expect, it } from 'vitest'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { share } from '../sharing/sharing.ts'
import { balanceOf, expenseOn, refusal } from './booking.ts'
import { adjustedOn, changeAll, createAll, removeAll } from './bulk.ts'

/** Somebody who books on an account of each of two others. */
async function household(permission: 'write' | 'annotate' = 'write') {
  const [ada, bob, friend] = [await newUser(), await newUser(), await newUser()]
  const [ofAda, ofBob, own] = [
    await newAccount(ada),
    await newAccount(bob),
    await newAccount(friend),
  ]
  await share(ada, ofAda, friend, { permission: 'write' })
  await share(bob, ofBob, friend, { permission })
  return { ada, bob, friend, ofAda, ofBob, own }
}

/** What the own log of somebody tells of transactions, the last one first: the action, the id and whose it is. */
const logOf = async (as: Principal) =>
  (await ok(listOwnAuditLog, { as })).entries
    .filter(({ resourceType }) => resourceType === 'transaction')
    .map(({ action, resourceId, ownerId }) => [action, resourceId, ownerId])

const idsIn = ({ body }: Awaited<ReturnType<typeof createAll>>) =>
  body.results.map(({ transaction }) => transaction?.id ?? '')

it('one request books, changes and removes rows of several owners, each of whom is told of theirs', async () => {
  const { ada, bob, friend, ofAda, ofBob, own } = await household()
  const made = await createAll(friend, [
    expenseOn(ofAda, { description: 'Word of Ada' }),
    expenseOn(ofBob, { description: 'Word of Bob' }),
    expenseOn(own),
  ])
  const ids = idsIn(made)
  const [first = '', second = '', third = ''] = ids
  const changed = await changeAll(friend, { ids, changes: { note: 'x', status: 'cleared' } })
  expect([changed.status, changed.body.changed]).toEqual([200, 3])
  const removed = await removeAll(friend, { ids })
  expect([removed.status, removed.body.deleted]).toEqual([200, 3])
  const ways = ['transaction.deleted', 'transaction.updated', 'transaction.created']
  expect(await logOf(ada)).toEqual(ways.map((way) => [way, first, ada.id]))
  expect(await logOf(bob)).toEqual(ways.map((way) => [way, second, bob.id]))
  expect((await logOf(friend)).toSorted()).toEqual(
    ways
      .flatMap((way) => [
        [way, first, ada.id],
        [way, second, bob.id],
        [way, third, friend.id],
      ])
      .toSorted(),
  )
  const told = JSON.stringify((await ok(listOwnAuditLog, { as: ada })).entries)
  expect([told.includes('Word of Ada'), told.includes('Word of Bob')]).toEqual([true, false])
  for (const [owner, account] of [
    [ada, ofAda],
    [bob, ofBob],
    [friend, own],
  ] as const) {
    expect([await balanceOf(owner, account), await differencesOf(owner)]).toEqual(['0.00', []])
    expect(await flawsOfLog(owner)).toEqual([])
  }
  const events = await eventsOf(...ids)
  expect(new Set(events.map(({ commitId }) => commitId)).size).toBe(3)
})

it('adjustments of several owners show in the histories of their accounts, each with the balance after it', async () => {
  const { ada, bob, friend, ofAda, ofBob } = await household()
  const adjustment = (account: { id: string }, amount: string) =>
    expenseOn(account, { kind: 'adjustment', amount })
  const made = await createAll(friend, [
    adjustment(ofAda, '10'),
    adjustment(ofBob, '-3'),
    expenseOn(ofAda, { amount: '2' }),
    adjustment(ofAda, '5'),
  ])
  const [one, two, , four] = idsIn(made)
  const date = '2026-11-20'
  // The expense is booked in the same commit, and no record: the first balance has it already.
  expect(await adjustedOn(ada, ofAda)).toEqual([
    [four, date, '5.00', '13.00'],
    [one, date, '10.00', '8.00'],
  ])
  expect(await adjustedOn(bob, ofBob)).toEqual([[two, date, '-3.00', '-3.00']])
  const ids = [four, two, one].map((id) => id ?? '')
  await changeAll(friend, { ids, changes: { status: 'void' } })
  expect((await adjustedOn(ada, ofAda)).slice(0, 2)).toEqual([
    [one, date, '-10.00', '-2.00'],
    [four, date, '-5.00', '8.00'],
  ])
  expect((await adjustedOn(bob, ofBob)).slice(0, 1)).toEqual([[two, date, '3.00', '0.00']])
  await changeAll(friend, { ids, changes: { status: 'cleared' } })
  await removeAll(friend, { ids })
  expect((await adjustedOn(ada, ofAda)).slice(0, 2)).toEqual([
    [one, date, '-10.00', '-2.00'],
    [four, date, '-5.00', '8.00'],
  ])
  expect((await adjustedOn(bob, ofBob)).slice(0, 1)).toEqual([[two, date, '3.00', '0.00']])
  expect(await adjustedOn(friend, ofAda)).toEqual(await adjustedOn(ada, ofAda))
  const { length } = await ok(getAccountHistory, { as: ada, query: { accountId: ofBob.id } })
  expect(length).toBe(0)
  for (const owner of [ada, bob]) {
    expect([await differencesOf(owner), await flawsOfLog(owner)]).toEqual([[], []])
  }
})

it('what may not be done with one of them is done with none', async () => {
  const { ada, friend, ofAda, ofBob } = await household('annotate')
  const wanted = [expenseOn(ofAda), expenseOn(ofBob)]
  expect(refusal(await createAll(friend, wanted))).toEqual([
    403,
    'auth.rightNeeded',
    'transactions.1',
  ])
  expect(await logOf(ada)).toEqual([])
  const [mine = ''] = idsIn(await createAll(friend, [expenseOn(ofAda)]))
  const stranger = await newUser()
  const theirs = await newAccount(stranger)
  const [hidden = ''] = idsIn(await createAll(stranger, [expenseOn(theirs)]))
  const ids = [mine, hidden]
  const missing = [400, 'transactions.unknownTransaction', 'ids.1']
  expect(refusal(await changeAll(friend, { ids, changes: { note: 'x' } }))).toEqual(missing)
  expect(refusal(await removeAll(friend, { ids }))).toEqual(missing)
  expect((await ok(getTransaction, { as: ada, id: mine })).note).toBeNull()
})
