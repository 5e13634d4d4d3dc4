import { beforeEach, describe, expect, it } from 'vitest'
import { listEvents } from '../../../src/areas/events/change-feed/change-feed.routes.ts'
import {
  getTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { emptyTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { requireUsable } from '../../../src/areas/events/change-feed/change-feed.rules.ts'
import { costOf } from '../../support/samples.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, edit, follow, told } from './feed.ts'

let ana: TestUser
let ben: TestUser

beforeEach(async () => {
  ana = await newUser({ name: 'Ana' })
  ben = await newUser({ name: 'Ben' })
})

describe('the worked example', () => {
  it('tells Ben of the account of Ana while she shares it, and no longer', async () => {
    const a = await newAccount(ana)
    const feed = await follow(ben)

    await book(ana, a.id)
    const t2 = await book(ana, a.id, { private: true })
    expect(await feed.pull()).toMatchObject({ accountIds: [], fresh: [], events: [] })

    const first = await share(ana, a, ben)
    const shared = await feed.pull()
    expect(shared).toMatchObject({ accountIds: [a.id], fresh: [a.id], transactions: [] })
    expect(JSON.stringify(shared)).not.toContain(t2.id)

    const t1 = await book(ana, a.id)
    await feed.pull()
    await edit(ana, t1.id, { note: 'Lunch' })
    await edit(ana, t1.id, { private: true })
    const t3 = await book(ana, a.id)
    const changed = await feed.pull()
    expect(changed).toMatchObject({ accountIds: [a.id], fresh: [], hasMore: false })
    expect(told(changed)).toEqual([
      `transaction.updated ${t1.id} gone`,
      `transaction.created ${t3.id}`,
    ])
    expect(changed.transactions).toEqual([await ok(getTransaction, { as: ben, id: t3.id })])

    await rows('UPDATE shares SET expires_at = 1 WHERE id = ?', first.id)
    expect(await feed.pull()).toMatchObject({ accountIds: [], fresh: [], events: [] })

    await ok(deleteTransaction, { as: ana, id: t3.id })
    await ok(deleteShare, { as: ana, id: first.id })
    await share(ana, a, ben)
    expect(await feed.pull()).toMatchObject({ accountIds: [a.id], fresh: [a.id], transactions: [] })
  })
})

describe('an answer', () => {
  it('without a cursor is empty', async () => {
    const a = await newAccount(ana)
    await book(ana, a.id)
    const { cursor, ...rest } = await ok(listEvents, { as: ana })
    expect(rest).toEqual({
      hasMore: false,
      accountIds: [a.id],
      fresh: [],
      events: [],
      transactions: [],
    })
    expect(cursor.length).toBeLessThan(500)
  })

  it('names a resource once, by its newest event', async () => {
    const a = await newAccount(ana)
    const feed = await follow(ana)
    const t = await book(ana, a.id)
    await edit(ana, t.id, { note: 'One' })
    const { id: tag } = await ok(createTag, { as: ana, json: { name: 'x' } })
    await ok(deleteTag, { as: ana, id: tag })
    const found = await feed.pull()
    expect(told(found)).toEqual([`transaction.updated ${t.id}`, `tag.deleted ${tag} gone`])
    expect(found.events[0]).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      resourceType: 'transaction',
      accountId: a.id,
      version: 2,
      actorId: ana.id,
    })
    expect(found.transactions).toEqual([await ok(getTransaction, { as: ana, id: t.id })])
  })

  it('has an entry for each account of a transfer, and of a transaction that moved', async () => {
    const [a, b] = [await newAccount(ana), await newAccount(ana)]
    const t = await book(ana, a.id)
    const feed = await follow(ana)
    await edit(ana, t.id, { accountId: b.id })
    const { from, to } = await ok(createTransfer, {
      as: ana,
      json: { fromAccountId: a.id, toAccountId: b.id, date: '2026-01-05', amount: '1.00' },
    })
    const found = await feed.pull()
    expect(
      found.events.map(({ resourceId, accountId, gone }) => [resourceId, accountId, gone]),
    ).toEqual([
      [t.id, a.id, true],
      [t.id, b.id, false],
      [from.id, a.id, false],
      [to.id, b.id, false],
    ])
    expect(found.transactions.map(({ id }) => id)).toEqual([t.id, from.id, to.id])
  })
})

describe('what is gone', () => {
  it('is told of a private row to whoever recorded it, also once it is erased, and to nobody else', async () => {
    const a = await newAccount(ana)
    await share(ana, a, ben, { permission: 'write' })
    const carl = await newUser()
    await share(ana, a, carl, { permission: 'write' })
    const [ofBen, ofCarl] = [await follow(ben), await follow(carl)]
    await Promise.all([ofBen.pull(), ofCarl.pull()])
    const t = await book(ben, a.id, { private: true })
    expect(told(await ofBen.pull())).toEqual([`transaction.created ${t.id}`])
    await ok(deleteTransaction, { as: ana, id: t.id })
    await ok(emptyTrash, { as: ana })
    expect(told(await ofBen.pull())).toEqual([expect.stringContaining(`${t.id} gone`)])
    expect(JSON.stringify(await ofCarl.pull())).not.toContain(t.id)
  })
})

describe('a cursor', () => {
  it('is refused if it was changed, is of another user, or is too old', async () => {
    const feed = await follow(ana)
    const cursor = feed.cursor()
    const changed = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`
    for (const wrong of [changed, 'x', '', `${cursor}A`]) {
      const refused = await call(listEvents, { as: ana, query: { cursor: wrong } })
      expect([refused.status, refused.error.code]).toEqual([400, 'request.invalidCursor'])
    }
    const other = await call(listEvents, { as: ben, query: { cursor } })
    expect([other.status, other.error.code]).toEqual([410, 'events.cursorExpired'])
    const long = await call(listEvents, { as: ana, query: { limit: 1001 } })
    expect([long.status, long.error.field]).toEqual([400, 'limit'])
  })

  it('is good for 30 days', () => {
    const day = 24 * 60 * 60 * 1000
    const cursor = {
      userId: 'usr',
      tokenHash: null,
      at: 0,
      number: 1,
      known: [],
      begun: [],
      until: 0,
    }
    const ageOf = (days: number) => () => requireUsable(cursor, days * day, cursor)
    expect(ageOf(30)).not.toThrow()
    expect(ageOf(30.1)).toThrow(/older than 30 days/)
  })
})

it('takes one round trip where nothing is new, and two for a page', async () => {
  const a = await newAccount(ana)
  const feed = await follow(ana)
  const tripsOf = async () => {
    const { headers } = await call(listEvents, { as: ana, query: { cursor: feed.cursor() } })
    return costOf(headers).trips
  }
  expect(await tripsOf()).toBe(1)
  await book(ana, a.id)
  expect(await tripsOf()).toBe(2)
})
