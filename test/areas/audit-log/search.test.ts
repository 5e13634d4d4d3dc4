import { beforeAll, describe, expect, it } from 'vitest'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getAuditLog,
  listAuditLogs,
} from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { createTag, updateTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { updateUser } from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { storeCommit } from './stored-log.ts'

let admin: TestUser
let me: TestUser

beforeAll(async () => {
  ;[admin, me] = await Promise.all([newAdmin(), newUser()])
})

interface Ids {
  owner: string
  actor: string
  group: string
}

type Query = Record<string, string | number>
const find = (query: Query, as = admin) => ok(listAuditLogs, { as, query })
const actionsOf = async (query: Query) => (await find(query)).entries.map(({ action }) => action)

describe('the whole log', () => {
  it('is found by whose things, by whom, by what and by which', async () => {
    const user = await newUser()
    const { id } = await newAccount(user)
    await ok(updateUser, { as: admin, id: user.id, json: { name: 'Grace' } })
    await ok(updateAccount, { as: user, id, json: { name: 'Other' } })
    const everything = ['account.updated', 'user.updated', 'account.created', 'user.registered']
    expect(await actionsOf({ ownerId: user.id })).toEqual(everything)
    expect(await actionsOf({ actorId: user.id })).toEqual(
      everything.filter((action) => action !== 'user.updated'),
    )
    expect(await actionsOf({ actorId: admin.id, ownerId: user.id })).toEqual(['user.updated'])
    expect(
      await actionsOf({ actorId: user.id, ownerId: user.id, action: 'account.created' }),
    ).toEqual(['account.created'])
    expect(await actionsOf({ resourceId: id })).toEqual(['account.updated', 'account.created'])
    const ofUsers = { ownerId: user.id, resourceType: 'user' }
    expect(await actionsOf(ofUsers)).toEqual(['user.updated', 'user.registered'])
    expect(await actionsOf({ groupId: 'grp_none' })).toEqual([])
    expect(await actionsOf({ ownerId: user.id, ip: '192.0.2.1' })).toEqual([])
  })

  it('is found by time, the newest first, and of the last days where nothing is named', async () => {
    const { body } = await call(createTag, { as: me, json: { name: 'Now' } })
    const [{ at } = { at: 0 }] = await rows<{ at: number }>(
      'SELECT at FROM log_entries WHERE resource_id = ?',
      body.id,
    )
    const iso = (ms: number) => new Date(ms).toISOString()
    const about = { action: 'tag.created' }
    const during = async (from: number, to: number) =>
      (await find({ ...about, since: iso(from), until: iso(to) })).entries.map(
        (one) => one.resourceId,
      )
    expect(await during(at, at)).toContain(body.id)
    expect(await during(at + 1, at + 1000)).not.toContain(body.id)
    expect(await during(at - 1000, at - 1)).not.toContain(body.id)
    const old = `usr_${crypto.randomUUID()}`
    const before = Date.now() - 32 * 24 * 60 * 60 * 1000
    await storeCommit({ type: 'test.old', at: before, ownerId: old })
    expect((await find({ action: 'test.old' })).count).toBe(0)
    expect((await find({ action: 'test.old', since: iso(0) })).count).toBe(1)
    expect((await find({ ownerId: old })).count).toBe(1)
    const { entries } = await find({ limit: 200 })
    const times = entries.map((one) => one.at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it.each([
    ['by an id', () => ({ ownerId: me.id })],
    ['by who did it', () => ({ actorId: me.id })],
    [
      'by time',
      () => ({ since: '2026-01-01T00:00:00Z', action: 'tag.updated', resourceType: 'tag' }),
    ],
  ])('comes in pages without a gap or a double, %s', async (_, queryOf) => {
    const tag = await ok(createTag, { as: me, json: { name: crypto.randomUUID() } })
    for (const color of ['#111111', '#222222', '#333333', '#444444']) {
      await ok(updateTag, { as: me, id: tag.id, json: { color } })
    }
    const query = queryOf()
    const whole = await find({ ...query, limit: 200 })
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof find>> = await find({
        ...query,
        limit: 2,
        ...(cursor === '' ? {} : { cursor }),
      })
      ids.push(...page.entries.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(ids).toEqual(whole.entries.map(({ id }) => id))
    expect(ids.length).toBe(whole.count)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each<[string, (ids: Ids) => Query]>([
    ['owner', ({ owner }) => ({ ownerId: owner })],
    ['actor', ({ actor }) => ({ actorId: actor })],
    ['resource', ({ owner }) => ({ resourceId: owner })],
    ['group', ({ group }) => ({ groupId: group })],
    ['time', ({ owner }) => ({ action: owner, since: '2026-01-01T00:00:00Z' })],
  ])('pages through the events of one commit and of one moment, by %s', async (by, queryOf) => {
    const name = crypto.randomUUID()
    const ids = { owner: `usr_o${name}`, actor: `usr_a${name}`, group: `grp_${name}` }
    const at = Date.now()
    const store = (moment: number, count: number, ownerId?: string) =>
      storeCommit({
        ...{ type: ids.owner, at: moment, actorId: ids.actor, ownerId: ownerId ?? ids.owner },
        events: Array.from({ length: count }, () => ({
          ...{ resourceId: ids.owner, groupId: ids.group },
          ...(ownerId === undefined ? {} : { ownerId: ids.owner }),
        })),
      })
    const [one, two] = [await store(at, 5), await store(at, 4, ids.actor)]
    const [three, earlier] = [await store(at, 3), await store(at - 1, 2)]
    const sent = [...one, ...two, ...three]
    const expected =
      by === 'time'
        ? [...sent.toReversed(), ...earlier.toReversed()]
        : [...sent, ...earlier].toReversed()
    for (const limit of [1, 2, 3, 14]) {
      const found: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: Awaited<ReturnType<typeof find>> = await find({
          ...queryOf(ids),
          ...(cursor === '' ? {} : { cursor }),
          limit,
        })
        expect(page.count).toBe(14)
        found.push(...page.entries.map(({ id }) => id))
        cursor = page.nextCursor
      }
      expect(found).toEqual(expected)
    }
  })

  it('tells of each entry who did what, and what was changed', async () => {
    const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
    await ok(updateTag, { as: me, id: tag.id, json: { color: '#112233' } })
    const [entry] = (await find({ resourceId: tag.id })).entries
    expect(entry).toMatchObject({
      action: 'tag.updated',
      actorId: me.id,
      actorType: 'user',
      tokenId: null,
      ownerId: me.id,
      resourceType: 'tag',
      resourceId: tag.id,
      accountId: null,
      groupId: null,
      number: null,
      hash: null,
      previousHash: null,
    })
    expect(entry?.changes).toContainEqual({ field: 'color', before: null, after: '#112233' })
    const one = await ok(getAuditLog, { as: admin, id: entry?.id ?? '' })
    expect(one).toEqual(entry)
    const { id } = await newAccount(me)
    const [opened] = (await find({ resourceId: id })).entries
    expect(opened?.accountId).toBe(id)
  })

  it('tells of many things at once what became of each, and what is long of one entry only', async () => {
    const account = await newAccount(me)
    const transaction = { kind: 'income', accountId: account.id, date: '2026-01-05' } as const
    const transactions = [1, 2].map((amount) => ({ ...transaction, amount: String(amount) }))
    await ok(createTransactions, { as: me, json: { transactions } })
    const told = (await find({ ownerId: me.id, action: 'transaction.created' })).entries
    const [first] = told.slice(-1)
    expect(told.map(({ id }) => id)).toEqual([`${first?.id}-2`, first?.id])
    expect(new Set(told.map(({ commitId }) => commitId))).toEqual(new Set([first?.id]))
    const wholes = await Promise.all(told.map(({ id }) => ok(getAuditLog, { as: admin, id })))
    expect(wholes).toEqual(told)
    expect(told.map(({ changes }) => changes.length > 3)).toEqual([true, true])
    const long = `usr_${crypto.randomUUID()}`
    const note = 'x'.repeat(30_000)
    const [id = ''] = await storeCommit({
      ownerId: long,
      events: [{ content: { note: ['', note] }, version: 7 }],
    })
    const [shortened] = (await find({ ownerId: long })).entries
    expect(shortened).toMatchObject({ id, commitId: id, version: 7, changes: [] })
    const whole = await ok(getAuditLog, { as: admin, id })
    expect(whole.changes[0]?.after).toBe(note)
  })

  it('is for whoever may read it, and not for a token that is for some accounts', async () => {
    const account = await newAccount(admin)
    expect((await call(listAuditLogs, { as: me })).status).toBe(403)
    const whole = await giveToken(admin, ['allAuditLogs.read'])
    expect((await call(listAuditLogs, { as: whole })).status).toBe(200)
    const some = await giveToken(admin, ['allAuditLogs.read'], [account.id])
    const [{ id } = { id: '' }] = (await find({ limit: 1 })).entries
    for (const answer of [
      await call(listAuditLogs, { as: some }),
      await call(getAuditLog, { as: some, id }),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([403, 'auditLog.restrictedToken'])
    }
  })

  it('knows no entry that never was', async () => {
    const [id = ''] = await storeCommit({ events: [{}, {}] })
    expect((await call(getAuditLog, { as: admin, id: `${id}-2` })).status).toBe(200)
    const other = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const unknown of [someId('log'), `${id}-1`, `${id}-3`, other]) {
      const answer = await call(getAuditLog, { as: admin, id: unknown })
      expect([answer.status, answer.error.code]).toEqual([404, 'auditLog.notFound'])
    }
  })

  it.each([
    { limit: '0' },
    { limit: '201' },
    { since: 'yesterday' },
    { cursor: 'x' },
    { unknown: 'x' },
    { ownerId: '' },
  ])('refuses %j', async (query) => {
    expect((await call(listAuditLogs, { as: admin, query: query as Query })).status).toBe(400)
  })
})
