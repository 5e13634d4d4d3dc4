import { beforeEach, describe, expect, it } from 'vitest'
import { listEvents } from '../../../src/areas/events/change-feed/change-feed.routes.ts'
import { deleteAccount, updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { mergeTag, createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { leaveGroup, updateGroupMember } from '../../../src/areas/sharing/groups/groups.routes.ts'
import {
  deleteShare,
  shareAccountToGroup,
  updateShare,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { wipeData } from '../../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { wipe } from '../../../src/areas/data-rights/own-user/erasure/erasure.usecases.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { join, newGroup } from '../groups/groups.ts'
import { share } from '../sharing/sharing.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { book, edit, follow, told } from './feed.ts'

let ana: TestUser
let ben: TestUser
let a: { id: string }

beforeEach(async () => {
  ana = await newUser({ name: 'Ana' })
  ben = await newUser({ name: 'Ben' })
  a = await newAccount(ana)
})

/** A row that comes and goes for good while nobody else may see it. */
async function passing(accountId: string): Promise<string> {
  const { id } = await book(ana, accountId)
  await ok(deleteTransaction, { as: ana, id })
  return id
}

describe('an account that is seen anew', () => {
  it('is fresh after another share, and nothing is told of what happened in between', async () => {
    const { id } = await share(ana, a, ben)
    const feed = await follow(ben)
    await ok(deleteShare, { as: ana, id })
    const row = await passing(a.id)
    await share(ana, a, ben)
    const found = await feed.pull()
    expect(found).toMatchObject({ accountIds: [a.id], fresh: [a.id] })
    expect(JSON.stringify(found)).not.toContain(row)
    expect(await feed.pull()).toMatchObject({ fresh: [], events: [] })
  })

  it('is fresh with another right, and after its share had expired', async () => {
    const { id } = await share(ana, a, ben)
    const feed = await follow(ben)
    await ok(updateShare, { as: ana, id, json: { permission: 'write' } })
    expect((await feed.pull()).fresh).toEqual([a.id])
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    await ok(updateShare, { as: ana, id, json: { expiresAt } })
    await rows('UPDATE shares SET expires_at = 1 WHERE id = ?', id)
    const row = await passing(a.id)
    await ok(updateShare, { as: ana, id, json: { expiresAt: null } })
    const found = await feed.pull()
    expect(found.fresh).toEqual([a.id])
    expect(JSON.stringify(found)).not.toContain(row)
  })

  it('is fresh for a member who has left the group and is back', async () => {
    const { id: groupId } = await newGroup(ana)
    await join(groupId, ana, 'member', ben)
    await ok(shareAccountToGroup, { as: ana, id: a.id, json: { groupId, permission: 'view' } })
    const feed = await follow(ben)
    await ok(leaveGroup, { as: ben, id: groupId })
    const row = await passing(a.id)
    await join(groupId, ana, 'member', ben)
    const found = await feed.pull()
    expect(found.fresh).toEqual([a.id])
    expect(JSON.stringify(found)).not.toContain(row)
  })

  it('is fresh for a member who gets another role', async () => {
    const { id: groupId } = await newGroup(ana)
    await join(groupId, ana, 'member', ben)
    await ok(shareAccountToGroup, { as: ana, id: a.id, json: { groupId, permission: 'write' } })
    const feed = await follow(ben)
    const path = { id: groupId, userId: ben.id }
    await ok(updateGroupMember, { as: ana, path, json: { role: 'viewer' } })
    expect((await feed.pull()).fresh).toEqual([a.id])
  })

  it('is fresh once it is back from the trash', async () => {
    await share(ana, a, ben)
    const feed = await follow(ben)
    await ok(deleteAccount, { as: ana, id: a.id })
    expect(await feed.pull()).toMatchObject({ accountIds: [], fresh: [] })
    await ok(restoreFromTrash, { as: ana, path: { kind: 'account', id: a.id } })
    expect(await feed.pull()).toMatchObject({ accountIds: [a.id], fresh: [a.id] })
  })

  it('is told once in many pages, of which none names what was there before', async () => {
    const feed = await follow(ben)
    const row = await passing(a.id)
    for (const name of ['1', '2', '3']) {
      await ok(createTag, { as: ben, json: { name } })
    }
    const again = await passing(a.id)
    await share(ana, a, ben)
    const pages = [await feed.pull(1), await feed.pull(1), await feed.pull(1), await feed.pull(1)]
    expect(pages.map(({ fresh }) => fresh.length)).toEqual([1, 0, 0, 0])
    const { id } = await book(ana, a.id)
    for (let hasMore = true; hasMore;) {
      const page = await feed.pull(1)
      pages.push(page)
      hasMore = page.hasMore
    }
    const text = JSON.stringify(pages)
    expect([row, again, id].map((one) => text.includes(one))).toEqual([false, false, true])
  })
})

describe('a private row', () => {
  it('is not named when it comes from an account that the caller does not see', async () => {
    const hidden = await newAccount(ana)
    await share(ana, a, ben)
    const feed = await follow(ben)
    const { id } = await book(ana, hidden.id)
    await edit(ana, id, { accountId: a.id, private: true })
    expect(JSON.stringify(await feed.pull())).not.toContain(id)
    await edit(ana, id, { private: false })
    expect(told(await feed.pull())).toEqual([`transaction.updated ${id}`])
  })
})

describe('a row in the trash', () => {
  it('is not named when its label is merged', async () => {
    const tags = await Promise.all(
      ['one', 'two'].map((name) => ok(createTag, { as: ana, json: { name } })),
    )
    const [one = '', two = ''] = tags.map(({ id }) => id)
    const { id } = await book(ana, a.id)
    await edit(ana, id, { tagIds: [one] })
    await ok(deleteTransaction, { as: ana, id })
    await share(ana, a, ben)
    const feed = await follow(ben)
    await ok(mergeTag, { as: ana, id: two, json: { tagId: one } })
    expect(JSON.stringify(await feed.pull())).not.toContain(id)
  })
})

describe('others', () => {
  it('tell members what happens in their group, and not who else sees an account', async () => {
    const { id: groupId } = await newGroup(ana)
    await join(groupId, ana, 'member', ben)
    await share(ana, a, ben)
    const feed = await follow(ben)
    await ok(updateGroup, { as: ana, id: groupId, json: { name: 'Flat' } })
    await share(ana, a, await newUser())
    const { id: tag } = await ok(createTag, { as: ana, json: { name: 'own' } })
    await ok(updateAccount, { as: ana, id: a.id, json: { name: 'Renamed' } })
    const found = await feed.pull()
    expect(told(found)).toEqual([`group.updated ${groupId}`, `account.updated ${a.id}`])
    expect(JSON.stringify(found)).not.toContain(tag)
  })

  it('change rows by merging labels', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => ok(createTag, { as: ana, json: { name } })),
    )
    const { id } = await book(ana, a.id)
    await edit(ana, id, { tagIds: [one?.id] })
    await share(ana, a, ben)
    const feed = await follow(ben)
    await ok(mergeTag, { as: ana, id: two?.id ?? '', json: { tagId: one?.id ?? '' } })
    const found = await feed.pull()
    expect(told(found)).toEqual([`transaction.updated ${id}`])
    expect(found.transactions[0]?.tagIds).toEqual([two?.id])
  })
})

describe('a token', () => {
  it('that is restricted to accounts is told of these alone', async () => {
    const b = await newAccount(ana)
    const as = await giveToken(ana, ['events.read', 'transactions.read'], [b.id])
    const feed = await follow(as)
    await ok(createTag, { as: ana, json: { name: 'x' } })
    await book(ana, a.id)
    const { id } = await book(ana, b.id)
    const found = await feed.pull()
    expect(told(found)).toEqual([`transaction.created ${id}`])
    expect(found).toMatchObject({ accountIds: [b.id], transactions: [{ id }] })
  })

  it('without the right to read transactions gets none, and its cursor is of no use to others', async () => {
    const as = await giveToken(ana, ['events.read'])
    const feed = await follow(as)
    const { id } = await book(ana, a.id)
    expect(await feed.pull()).toMatchObject({ events: [{ resourceId: id }], transactions: [] })
    const others: Principal[] = [ana, await giveToken(ana, ['events.read'])]
    for (const other of others) {
      const { status, error } = await call(listEvents, {
        as: other,
        query: { cursor: feed.cursor() },
      })
      expect([status, error.code]).toEqual([410, 'events.cursorExpired'])
    }
  })
})

describe('work on many rows at once', () => {
  it('makes accounts fresh that were wiped, also for those who see them', async () => {
    await share(ana, a, ben)
    await book(ana, a.id)
    const [ofAna, ofBen] = [await follow(ana), await follow(ben)]
    await rows('UPDATE transactions SET created_at = 1000 WHERE owner_id = ?', ana.id)
    await ok(wipeData, { as: ana, json: { kinds: ['transactions'], password: ana.password } })
    await rows("UPDATE tasks SET state = 'running' WHERE dedupe_key = ?", `user.wipe ${ana.id}`)
    const payload = {
      userId: ana.id,
      kinds: ['transactions' as const],
      requestedAt: 2000,
      dueAt: 2000,
    }
    await wipe(contextWith(), payload, [])
    expect((await ofBen.pull()).fresh).toEqual([a.id])
    const own = await ofAna.pull()
    expect(own.fresh).toEqual([a.id])
    expect(told(own)).toContain(`user.wiped ${ana.id}`)
  })

  it('makes accounts fresh that a backup brought back', async () => {
    const { id } = await book(ana, a.id)
    const { archive } = await backedUp(ana)
    const other = await newUser()
    const feed = await follow(other)
    await restored(other, archive)
    const found = await feed.pull()
    expect(found.fresh).toEqual(found.accountIds)
    expect(found.accountIds).toHaveLength(1)
    expect(JSON.stringify(found)).not.toContain(id)
  })

  it('takes away a row that moves to another account and becomes private at once', async () => {
    const b = await newAccount(ana)
    await share(ana, a, ben)
    await share(ana, b, ben)
    const t = await book(ana, a.id)
    const feed = await follow(ben)
    await edit(ana, t.id, { accountId: b.id, private: true })
    const found = await feed.pull()
    expect(told(found)).toContain(`transaction.updated ${t.id} gone`)
    expect(found.events.map(({ accountId }) => accountId)).toContain(a.id)
    expect(found.transactions).toEqual([])
  })

  it('takes away accounts that are in the trash, and of users who are erased', async () => {
    const b = await newAccount(ana)
    await share(ana, a, ben)
    await share(ana, b, ben)
    await book(ana, a.id, { private: true })
    const feed = await follow(ben)
    await ok(deleteAccount, { as: ana, id: a.id })
    expect(await feed.pull()).toMatchObject({ accountIds: [b.id], events: [] })
    await rows("UPDATE users SET status = 'deleted', deletion_due_at = 1 WHERE id = ?", ana.id)
    await eraseUserJob.run(contextWith(), { userId: ana.id }, [])
    expect(await feed.pull()).toMatchObject({ accountIds: [], fresh: [], transactions: [] })
  })
})

describe('limits', () => {
  it('end a page early when its transactions are long, and lose none', async () => {
    const feed = await follow(ana)
    const metadata = Object.fromEntries(
      Array.from({ length: 4 }, (_, at) => [`k${at}`, 'x'.repeat(900)]),
    )
    const ids: string[] = []
    for (let at = 0; at < 220; at++) {
      const row = await book(ana, a.id, { note: 'y'.repeat(1900), metadata } as never)
      ids.push(row.id)
    }
    const got: string[] = []
    let pages = 0
    for (let hasMore = true; hasMore; pages++) {
      const page = await feed.pull(1000)
      expect(page.events.map(({ resourceId }) => resourceId)).toEqual(
        page.transactions.map(({ id }) => id),
      )
      got.push(...page.transactions.map(({ id }) => id))
      hasMore = page.hasMore
    }
    expect(got).toEqual(ids)
    expect(pages).toBeGreaterThan(1)
  })

  it('are 500 accounts, with a cursor of 6,000 characters at most', async () => {
    const store = (least: number, most: number) =>
      rows(
        `WITH RECURSIVE n(i) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))
          INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget, include_in_net_worth, opening_date,
            created_at, updated_at)
          SELECT 'acc_' || printf('%026d', i), ?, 'N' || i, 'n' || i, 'checking', 'EUR', 1, 1, '2000-01-01', 0, 0 FROM n`,
        least,
        most,
        ana.id,
      )
    await store(1, 499)
    const feed = await follow(ana)
    expect(await feed.pull()).toMatchObject({ hasMore: false, fresh: [] })
    expect(feed.cursor().length).toBeGreaterThan(5000)
    expect(feed.cursor().length).toBeLessThanOrEqual(6000)
    await store(500, 500)
    const { status, error } = await call(listEvents, { as: ana })
    expect([status, error.code]).toEqual([409, 'events.tooManyAccounts'])
  })
})
