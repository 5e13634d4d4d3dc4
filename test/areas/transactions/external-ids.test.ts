import { describe, expect, it } from 'vitest'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { shareAccountToGroup } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newHousehold } from '../groups/groups.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, expenseOn, refusal, tripsOf } from './booking.ts'
import { changeAll, createAll, verdicts } from './bulk.ts'

// An external id that is taken is told to those who see what has it, and to nobody else.

const x = { externalId: 'x' }
const hidden = { ...x, private: true }
const TAKEN = [409, 'transactions.externalIdTaken', 'externalId']

/** An account that a friend and another one may book on. */
async function household() {
  const [owner, friend, other] = [await newUser(), await newUser(), await newUser()]
  const account = await newAccount(owner)
  await share(owner, account, friend, { permission: 'write' })
  await share(owner, account, other, { permission: 'write' })
  return { owner, friend, other, account }
}

const post = (as: Principal, account: { id: string }, wanted: object = x) =>
  call(createTransaction, { as, json: expenseOn(account, wanted) })

const countOf = async (as: Principal) => (await ok(listTransactions, { as })).count

describe('what is private to somebody else', () => {
  it.each([
    ['having read', 2],
    ['without reading', 1],
  ])('has no external id for who books alone, %s', async (_, trips) => {
    const { owner, friend, other, account } = await household()
    await book(owner, account, hidden)
    for (const as of [friend, other]) {
      if (trips === 1) {
        await book(as, account)
      }
      const wanted = { ...x, private: as === friend }
      const first = await post(as, account, wanted)
      expect([first.status, tripsOf(first)]).toEqual([201, trips])
      const again = await post(as, account, { ...wanted, amount: '99' })
      expect([again.status, again.body]).toEqual([200, first.body])
    }
    expect(await countOf(owner)).toBe(trips === 1 ? 5 : 3)
    expect(await differencesOf(owner)).toEqual([])
  })

  it('has none for who books many, and a dry run says the same', async () => {
    const { owner, friend, other, account } = await household()
    await book(owner, account, hidden)
    await book(other, account, { ...hidden, externalId: 'y' })
    const wanted = [expenseOn(account, x), expenseOn(account, { externalId: 'y' })]
    expect(verdicts(await createAll(friend, wanted, true))).toEqual(['valid', 'valid'])
    expect(verdicts(await createAll(friend, wanted))).toEqual(['created', 'created'])
    expect(verdicts(await createAll(friend, wanted))).toEqual(['existing', 'existing'])
    expect(await differencesOf(owner)).toEqual([])
  })

  it('has none for the member of a group', async () => {
    const { id: groupId, owner, member, viewer } = await newHousehold()
    const account = await newAccount(owner)
    const { id, version } = account
    const headers = { 'If-Match': `"${version}"` }
    await ok(shareAccountToGroup, {
      as: owner,
      id,
      headers,
      json: { groupId, permission: 'write' },
    })
    await book(owner, account, hidden)
    expect((await post(member, account)).status).toBe(201)
    expect(refusal(await post(viewer, account))).toEqual([403, 'auth.rightNeeded'])
  })

  it('is refused as anything else to who may not book', async () => {
    const [owner, friend] = [await newUser(), await newUser()]
    const account = await newAccount(owner)
    await share(owner, account, friend, { permission: 'annotate' })
    await book(owner, account, hidden)
    const [taken, free] = [await post(friend, account), await post(friend, account, {})]
    expect(refusal(taken)).toEqual([403, 'auth.rightNeeded'])
    expect(refusal(free)).toEqual(refusal(taken))
  })

  it('does not keep a row from moving to its account, nor from becoming public', async () => {
    const { owner, friend, account } = await household()
    const second = await newAccount(owner)
    await share(owner, second, friend, { permission: 'write' })
    await book(owner, account, hidden)
    const row = await book(friend, second, hidden)
    const moved = await change(friend, row, { accountId: account.id })
    expect(moved.status).toBe(200)
    expect((await change(friend, row, { private: false })).status).toBe(200)
    expect((await post(friend, account)).body).toMatchObject({ id: row.id })
    expect(await differencesOf(owner)).toEqual([])
  })

  it('does not keep duplicates from being merged', async () => {
    const { owner, friend, account } = await household()
    await book(owner, account, hidden)
    const [keep, drop] = [await book(friend, account), await book(friend, account, x)]
    const merged = await call(mergeDuplicate, {
      as: friend,
      json: { keepId: keep.id, dropId: drop.id },
    })
    expect([merged.status, merged.body]).toEqual([200, expect.objectContaining(x)])
    expect(await differencesOf(owner)).toEqual([])
  })
})

describe('whoever sees what has an external id', () => {
  it.each([true, false])('books it once, private or not: %s', async (isPrivate) => {
    const { owner, account } = await household()
    const first = await book(owner, account, { ...x, private: isPrivate })
    for (const wanted of [x, hidden]) {
      const again = await post(owner, account, wanted)
      expect([again.status, again.body]).toEqual([200, first])
      expect(verdicts(await createAll(owner, [expenseOn(account, wanted)]))).toEqual(['existing'])
    }
    expect(await countOf(owner)).toBe(1)
  })

  it('is shown the own private one first, also where others have the same', async () => {
    const { owner, friend, other, account } = await household()
    const own = await book(owner, account, hidden)
    const open = await book(friend, account, x)
    const theirs = await book(other, account, { ...hidden, externalId: 'z' })
    for (const [as, wanted, row] of [
      [owner, x, own],
      [friend, x, open],
      [other, x, open],
      [owner, { externalId: 'z' }, theirs],
    ] as const) {
      expect((await post(as, account, wanted)).body).toMatchObject({ id: row.id })
      const { body } = await createAll(as, [expenseOn(account, wanted)])
      expect(body.results[0]?.transaction).toMatchObject({ id: row.id })
    }
  })

  it('is told of what was booked since one read, private or not', async () => {
    const { owner, account } = await household()
    const meanwhile = () => post(owner, account, hidden)
    const late = serviceWith({ meanwhile })
    const json = expenseOn(account, x)
    expect((await late.call(createTransaction, { as: owner, json })).status).toBe(200)
    expect(await countOf(owner)).toBe(1)
  })

  it('neither shows nor hides a second one', async () => {
    const { owner, friend, account } = await household()
    const secret = await book(owner, account, hidden)
    const open = await book(friend, account, x)
    expect(refusal(await change(owner, secret, { private: false }))).toEqual(TAKEN)
    const many = { ids: [secret.id], changes: { private: false } }
    expect(refusal(await changeAll(owner, many))).toEqual([...TAKEN.slice(0, 2), 'changes.private'])
    await ok(deleteTransaction, { as: friend, id: open.id })
    expect((await change(owner, secret, { private: false })).status).toBe(200)
    expect((await post(friend, account)).body).toMatchObject({ id: secret.id })
    expect((await changeAll(owner, { ...many, changes: { private: true } })).status).toBe(200)
    const again = await post(friend, account)
    expect(again.status).toBe(201)
    expect(await differencesOf(owner)).toEqual([])
  })

  it('is told by a dry run which of many cannot become public, or private', async () => {
    const { owner, friend, account } = await household()
    const other = await newAccount(owner)
    const secret = await book(owner, account, hidden)
    const open = await book(friend, account, x)
    const elsewhere = await book(owner, other, hidden)
    const second = await book(owner, account, { ...hidden, externalId: 'y' })
    const ids = [secret, open, elsewhere, second].map(({ id }) => id)
    const dry = async (as: Principal, some: string[], isPrivate: boolean) => {
      const changed = await changeAll(as, {
        ids: some,
        changes: { private: isPrivate },
        dryRun: true,
      })
      expect(tripsOf(changed)).toBeLessThanOrEqual(2)
      return verdicts(changed)
    }
    const taken = 'invalid transactions.externalIdTaken private'
    expect(await dry(owner, ids, false)).toEqual([taken, 'unchanged', 'changed', 'changed'])
    await ok(deleteTransaction, { as: friend, id: open.id })
    expect(await dry(owner, [secret.id], false)).toEqual(['changed'])
    await ok(updateTransactions, {
      as: owner,
      json: { ids: [secret.id], changes: { private: false } },
    })
    const again = await book(owner, other, { ...x, externalId: 'z' })
    expect(await dry(owner, [secret.id, again.id], true)).toEqual(['changed', 'changed'])
    // What a friend has private is in nobody else's way, and in their own.
    await book(friend, account, hidden)
    expect(await dry(owner, [secret.id], true)).toEqual(['changed'])
    expect(await differencesOf(owner)).toEqual([])
  })

  it('is told by a dry run of two that would be both public, or both private to one author', async () => {
    const { owner, friend, account } = await household()
    const secret = await book(owner, account, hidden)
    const theirs = await book(friend, account, hidden)
    const both = (ids: string[], isPrivate: boolean) => ({ ids, changes: { private: isPrivate } })
    const taken = 'invalid transactions.externalIdTaken private'
    const refused = [...TAKEN.slice(0, 2), 'changes.private']
    const shown = both([secret.id, theirs.id], false)
    // Ids of one moment are in no order.
    const told = verdicts(await changeAll(owner, { ...shown, dryRun: true }))
    expect(told.toSorted()).toEqual(['changed', taken])
    expect(refusal(await changeAll(owner, shown))).toEqual(refused)
    const moved = await book(owner, await newAccount(owner), x)
    expect((await change(owner, moved, { accountId: account.id })).status).toBe(200)
    const kept = both([secret.id, moved.id], true)
    expect(verdicts(await changeAll(owner, { ...kept, dryRun: true }))).toEqual([
      ...['unchanged', taken],
    ])
    expect(refusal(await changeAll(owner, kept))).toEqual(refused)
  })

  it('restores what nothing has the external id of that the same people see', async () => {
    const { owner, friend, account } = await household()
    const [secret, other] = [
      await book(owner, account, hidden),
      await book(owner, account, { ...hidden, externalId: 'y' }),
    ]
    for (const { id } of [secret, other]) {
      await ok(deleteTransaction, { as: owner, id })
    }
    await book(friend, account, x)
    await book(owner, account, { ...hidden, externalId: 'y' })
    const back = (id: string) =>
      call(restoreFromTrash, { as: owner, path: { kind: 'transaction', id } })
    expect((await back(secret.id)).status).toBe(200)
    expect(refusal(await back(other.id))).toEqual([409, 'trash.externalIdTaken'])
    expect(await differencesOf(owner)).toEqual([])
  })
})
