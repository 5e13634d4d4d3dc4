import { describe, expect, it } from 'vitest'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { dismissDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { updateUser } from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { storeCommit } from './stored-log.ts'

const headers = { 'User-Agent': 'Somebody 1.0' }

const own = (as: Principal, query: Record<string, string | number>) =>
  ok(listOwnAuditLog, { as, query })

const entriesOf = async (as: Principal, query: Record<string, string> = {}) =>
  (await ok(listOwnAuditLog, { as, query })).entries

const actionsOf = async (as: Principal) => (await entriesOf(as)).map(({ action }) => action)

async function share(accountId: string, user: TestUser) {
  const id = await storeShare(accountId, { user }, 'manage')
  return () => rows('DELETE FROM shares WHERE id = ?', id)
}

describe('the own log', () => {
  it('tells what was done with own things, by whomever, and where from only if it was oneself', async () => {
    const [me, admin] = await Promise.all([newUser(), newAdmin()])
    await ok(createTag, { as: me, json: { name: 'Mine' }, headers })
    await ok(updateUser, { as: admin, id: me.id, json: { name: 'Grace' }, headers })
    const entries = await entriesOf(me)
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['user.updated', admin.id],
      ['tag.created', me.id],
      ['user.registered', me.id],
    ])
    expect(entries.map(({ userAgent }) => userAgent)).toEqual([null, 'Somebody 1.0', null])
    expect(entries[0]?.changes).toContainEqual({ field: 'name', before: 'Ada', after: 'Grace' })
  })

  it('tells nothing of what others do with their own', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    await ok(createTag, { as: other, json: { name: 'Theirs' } })
    expect(await actionsOf(me)).toEqual(['user.registered'])
  })

  it('tells what one did on accounts of others while one sees them, but not what was changed', async () => {
    const [me, owner] = await Promise.all([newUser(), newUser()])
    const account = await newAccount(owner)
    const unshare = await share(account.id, me)
    await storeCommit({
      ...{ actorId: me.id, ownerId: owner.id, ip: '192.0.2.1', userAgent: 'Somebody 1.0' },
      events: [{ accountId: account.id, content: { name: ['a', 'b'] } }],
    })
    const [mine] = await entriesOf(me)
    expect(mine).toMatchObject({
      action: 'thing.changed',
      ownerId: owner.id,
      accountId: account.id,
      changes: [],
      userAgent: 'Somebody 1.0',
    })
    const [theirs] = await entriesOf(owner)
    expect(theirs).toMatchObject({ id: mine?.id, actorId: me.id, userAgent: null, ip: null })
    expect(theirs?.changes).not.toEqual([])
    await unshare()
    expect(await actionsOf(me)).toEqual(['user.registered'])
  })

  it('tells a token for some accounts of those alone, and not what was changed', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const token = await giveToken(me, ['auditLog.read'], [one.id])
    await ok(updateAccount, { as: me, id: two.id, json: { name: 'Hidden' } })
    await ok(updateAccount, { as: me, id: one.id, json: { name: 'Shown' } })
    const entries = await entriesOf(token)
    expect(entries.map(({ action, accountId }) => [action, accountId])).toEqual([
      ['account.updated', one.id],
      ['account.created', one.id],
    ])
    expect(entries.flatMap(({ changes }) => changes)).toEqual([])
    const whole = await giveToken(me, ['auditLog.read'])
    expect(await actionsOf(whole)).toHaveLength(7)
  })

  it('tells two things of which it says something for two, not for one that became the other', async () => {
    const me = await newUser()
    const { id: accountId } = await newAccount(me)
    const json = { kind: 'expense', accountId, date: '2026-01-05', amount: '1' } as const
    const { id: one } = await ok(createTransaction, { as: me, json })
    const { id: other } = await ok(createTransaction, { as: me, json })
    const transactionIds = [one, other].toSorted()
    await ok(dismissDuplicate, { as: me, json: { transactionIds } })
    const [entry] = await entriesOf(me)
    expect(entry?.changes).toContainEqual({
      field: 'transactionIds',
      before: null,
      after: transactionIds,
    })
  })

  it('is narrowed by action, thing and time', async () => {
    const me = await newUser()
    const { id } = await ok(createTag, { as: me, json: { name: 'One' } })
    await ok(createTag, { as: me, json: { name: 'Two' } })
    const count = async (query: Record<string, string>) => (await entriesOf(me, query)).length
    expect(await count({ action: 'tag.created' })).toBe(2)
    expect(await count({ resourceType: 'user' })).toBe(1)
    expect(await count({ resourceId: id })).toBe(1)
    expect(await count({ since: '2100-01-01T00:00:00Z' })).toBe(0)
    expect(await count({ until: '2000-01-01T00:00:00Z' })).toBe(0)
  })

  it('pages through commits that have events of several owners, of which it tells what it may', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    const account = await newAccount(other)
    await share(account.id, me)
    const events = (owners: string[]) =>
      owners.map((ownerId) => ({ ownerId, content: { name: ['a', 'b'] }, accountId: account.id }))
    const three = [me.id, other.id, me.id]
    const byMe = await storeCommit({ actorId: me.id, events: events(three) })
    const onOthers = await storeCommit({
      ...{ actorId: me.id, ownerId: other.id },
      events: events(three),
    })
    const byOther = await storeCommit({ actorId: other.id, events: events(three) })
    const ofMine = (ids: string[]) => ids.filter((_, at) => at !== 1)
    const expected = [...byMe, ...onOthers, ...ofMine(byOther)].toReversed()
    for (const limit of [1, 2, 3]) {
      const found: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const query = { action: 'thing.changed', limit, ...(cursor === '' ? {} : { cursor }) }
        const page: Awaited<ReturnType<typeof own>> = await own(me, query)
        expect(page.count).toBe(8)
        for (const { id, ownerId, changes } of page.entries) {
          found.push(id)
          expect(changes.length > 0).toBe(ownerId === me.id)
        }
        cursor = page.nextCursor
      }
      expect(found).toEqual(expected)
    }
  })

  it('comes in pages', async () => {
    const me = await newUser()
    await ok(createTag, { as: me, json: { name: 'One' } })
    const first = await ok(listOwnAuditLog, { as: me, query: { limit: 1 } })
    expect([first.entries[0]?.action, first.count]).toEqual(['tag.created', 2])
    const query = { limit: 1, cursor: first.nextCursor ?? '' }
    const second = await ok(listOwnAuditLog, { as: me, query })
    expect([second.entries[0]?.action, second.nextCursor]).toEqual(['user.registered', null])
    const other = await newUser()
    expect((await call(listOwnAuditLog, { as: other, query })).status).toBe(400)
  })
})
