import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { roles } from '../../drizzle/schema/system.ts'
import { getMe, login, logout } from '../../src/areas/identity/auth/auth.routes.ts'
import { createAccount, getAccountByID } from '../../src/areas/money/accounts/accounts.routes.ts'
import { createTag, listTags } from '../../src/areas/money/tags/tags.routes.ts'
import { createTransaction } from '../../src/areas/money/transactions/transactions.routes.ts'
import { deleteShare } from '../../src/areas/sharing/sharing/sharing.routes.ts'
import { commit, read, readNewest } from '../../src/platform/database/database.ts'
import { db } from '../../src/platform/database/statements.ts'
import { giveToken } from '../areas/access-tokens/tokens.ts'
import { share } from '../areas/sharing/sharing.ts'
import { ok, type Principal, rows } from '../support/api.ts'
import { testDone } from '../support/events.ts'
import { someId } from '../support/of-file.ts'
import { type ReplicatedDatabase, replicatedDatabase } from '../support/replica.ts'
import { contextWith, type Service, serviceWith, testGate } from '../support/service.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'

// What a service sees that reads from a replica of the database. Every test begins with a replica that has all there is, and that
// hears of nothing more before `catchUp`.

let replicated: ReplicatedDatabase
let service: Service

beforeAll(async () => {
  replicated = await replicatedDatabase()
  service = serviceWith({ env: { DB: replicated.database, READ_REPLICAS: 'on' } })
})

let me: TestUser

beforeEach(async () => {
  me = await newUser()
  await replicated.catchUp()
  replicated.takeSeen()
})

interface Tags {
  tags: { name: string }[]
}

const tagNames = async (as: Principal, bookmark?: string) => {
  const headers = bookmark === undefined ? {} : { 'X-D1-Bookmark': bookmark }
  const { status, body, headers: answered } = await service.call<Tags>(listTags, { as, headers })
  const names = status === 200 ? body.tags.map(({ name }) => name) : []
  return { status, names, bookmark: answered.get('X-D1-Bookmark') ?? '' }
}

const placesSeen = () => replicated.takeSeen().trips.map(({ by }) => by)

/** Another session of a user. */
async function signedIn({ email, password }: TestUser): Promise<Principal> {
  const { body } = await service.call<Principal>(login, { json: { email, password } })
  return body
}

describe('a caller who sends the bookmark of the last answer', () => {
  it('sees what they wrote, and without it what the replica has', async () => {
    const { headers } = await service.call(createTag, { as: me, json: { name: 'New' } })
    const bookmark = headers.get('X-D1-Bookmark') ?? ''
    expect((await tagNames(me)).names).toEqual([])
    expect((await tagNames(me, bookmark)).names).toEqual(['New'])
    await replicated.catchUp()
    replicated.takeSeen()
    expect((await tagNames(me, bookmark)).names).toEqual(['New'])
    expect(placesSeen()).toEqual(['replica'])
  })

  it('never goes back in time: the answer of the primary has a bookmark of its own', async () => {
    const old = (await tagNames(me)).bookmark
    const { headers } = await service.call(createTag, { as: me, json: { name: 'New' } })
    const bookmark = headers.get('X-D1-Bookmark') ?? ''
    expect(bookmark > old).toBe(true)
    expect((await tagNames(me, bookmark)).bookmark >= bookmark).toBe(true)
    expect((await tagNames(me, old)).names).toEqual([])
  })

  it('gets a bookmark also with what is refused', async () => {
    const { status, headers } = await service.call(getAccountByID, { as: me, id: someId('acc') })
    expect(status).toBe(404)
    expect(headers.get('X-D1-Bookmark')).toBe(await replicated.newestBookmark())
  })
})

describe('after its end', () => {
  it('a session is refused on reads once the replica has heard of it', async () => {
    const other = await signedIn(me)
    await replicated.catchUp()
    expect((await service.call(logout, { as: other })).status).toBe(200)
    expect((await tagNames(other)).status).toBe(200)
    await replicated.catchUp()
    expect((await tagNames(other)).status).toBe(401)
  })

  it.each<[string, (as: Principal) => Promise<{ status: number }>]>([
    ['writes', (as) => service.call(createTag, { as, json: { name: 'New' } })],
    ['reads under /auth', (as) => service.call(getMe, { as })],
    [
      'reads that bring a newer bookmark',
      async (as) => tagNames(as, await replicated.newestBookmark()),
    ],
  ])('a session is refused at once on %s', async (_, ask) => {
    const other = await signedIn(me)
    await replicated.catchUp()
    expect((await service.call(logout, { as: other })).status).toBe(200)
    expect((await ask(other)).status).toBe(401)
    expect((await tagNames(me)).names).toEqual([])
  })

  it('a share still shows the account until the replica has heard of it, but permits no write', async () => {
    const friend = await newUser()
    const account = await newAccount(me)
    const { id } = await share(me, account, friend, { permission: 'write' })
    await replicated.catchUp()
    expect((await service.call(deleteShare, { as: me, id })).status).toBe(200)
    const look = async (headers = {}) =>
      (await service.call(getAccountByID, { as: friend, id: account.id, headers })).status
    const json = { kind: 'expense', accountId: account.id, date: '2026-01-05', amount: '1' }
    expect(await look()).toBe(200)
    expect((await service.call(createTransaction, { as: friend, json })).status).toBe(400)
    expect(await look({ 'X-D1-Bookmark': await replicated.newestBookmark() })).toBe(404)
    expect(await look()).toBe(200)
    await replicated.catchUp()
    expect(await look()).toBe(404)
  })
})

describe('as soon as it is there', () => {
  it('a session is let in without a bookmark, by the word of the primary', async () => {
    const other = await signedIn(me)
    replicated.takeSeen()
    expect((await tagNames(other)).status).toBe(200)
    expect(placesSeen()).toEqual(['replica', 'primary'])
    await replicated.catchUp()
    expect((await tagNames(other)).status).toBe(200)
    expect(placesSeen(), 'it is not taken for a dead one').toEqual(['replica'])
  })

  it('a role permits what it permits, by the word of the primary', async () => {
    await rows('DELETE FROM user_roles WHERE user_id = ?', me.id)
    await replicated.catchUp()
    expect((await tagNames(me)).status).toBe(403)
    await rows("INSERT INTO user_roles (user_id, role_id) VALUES (?, 'rol_user')", me.id)
    expect((await tagNames(me)).status).toBe(200)
    await replicated.catchUp()
    replicated.takeSeen()
    expect((await tagNames(me)).status).toBe(200)
    expect(placesSeen()).toEqual(['replica'])
  })

  it('an account is not found before the replica has heard of it, and no second trip looks for it', async () => {
    const json = { name: 'New', type: 'cash', currency: 'EUR' } as const
    const { id } = await ok(createAccount, { as: me, json })
    replicated.takeSeen()
    expect((await service.call(getAccountByID, { as: me, id })).status).toBe(404)
    expect(placesSeen()).toEqual(['replica'])
  })
})

describe('a credential', () => {
  it('that is dead is refused by the primary alone, once this process knows', async () => {
    const other = await signedIn(me)
    expect((await service.call(logout, { as: other })).status).toBe(200)
    await replicated.catchUp()
    replicated.takeSeen()
    expect((await tagNames(other)).status).toBe(401)
    expect(placesSeen()).toEqual(['replica', 'primary'])
    expect((await tagNames(other)).status).toBe(401)
    expect(placesSeen()).toEqual(['primary'])
  })

  it('of a program notes its use at the primary, and then reads from the replica', async () => {
    const token = await giveToken(me, ['tags.read'])
    await replicated.catchUp()
    replicated.takeSeen()
    expect((await tagNames(token)).status).toBe(200)
    expect(replicated.takeSeen().trips).toEqual([{ by: 'primary', isWriting: true }])
    expect((await tagNames(token)).status).toBe(200)
    expect(replicated.takeSeen().trips).toEqual([{ by: 'replica', isWriting: false }])
  })

  it('that somebody made up costs one trip', async () => {
    const { accessToken } = await giveToken(me, ['tags.read'])
    replicated.takeSeen()
    const forged = { accessToken: `${accessToken.slice(0, -4)}xxxx` }
    expect((await tagNames(forged)).status).toBe(401)
    expect(placesSeen()).toEqual(['primary'])
  })
})

describe('a replica that fails', () => {
  const BOOKMARK = `ffffffff-${'f'.repeat(8)}-00000000-${'0'.repeat(32)}`

  /** A service whose replicas fail with this; the primary works. */
  function failingWith(message: string) {
    const starts: string[] = []
    const withSession = (start: string) => {
      starts.push(start)
      const session = env.DB.withSession('first-primary')
      return start === 'first-primary'
        ? session
        : {
            prepare: (sql: string) => session.prepare(sql),
            batch: () => Promise.reject(new Error(message)),
            getBookmark: () => (start === 'first-unconstrained' ? null : start),
          }
    }
    const DB = { withSession } as unknown as D1Database
    const failing = serviceWith({ env: { DB, READ_REPLICAS: 'on' } })
    return {
      starts,
      ask: async (headers = {}) => (await failing.call(listTags, { as: me, headers })).status,
    }
  }

  it.each(['D1_ERROR: invalid bookmark', 'D1_ERROR: query exceeded timeout'])(
    'at a bookmark that was made up leaves the answer to the primary: %s',
    async (message) => {
      const { ask, starts } = failingWith(message)
      expect(await ask({ 'X-D1-Bookmark': BOOKMARK })).toBe(200)
      expect(starts).toEqual([BOOKMARK, 'first-primary'])
    },
  )

  it('as it lacks a column that is new leaves the answer to the primary', async () => {
    const { ask, starts } = failingWith(
      'D1_ERROR: no such column: tags.new at offset 7: SQLITE_ERROR',
    )
    expect(await ask()).toBe(200)
    expect(starts).toEqual(['first-unconstrained', 'first-primary'])
  })

  it('as it is busy is not asked again, nor is the primary', async () => {
    const { ask, starts } = failingWith('D1 DB is overloaded. Requests queued for too long.')
    expect(await ask()).toBe(503)
    expect(starts).toEqual(['first-unconstrained'])
  })
})

describe('units of work', () => {
  const newRole = (id: string) =>
    db.insert(roles).values({ id, name: id, nameKey: id, createdAt: 1, updatedAt: 1 })
  const freshId = () => `rol_${crypto.randomUUID()}`

  it('commit nothing in a context that only reads', async () => {
    const id = freshId()
    const change = { changes: [testDone(id, [newRole(id)])], result: undefined }
    const reading = contextWith({ isReadOnly: true })
    await expect(commit(reading, change)).rejects.toThrow('its route must say `writes`')
    expect(await rows('SELECT id FROM roles WHERE id = ?', id)).toEqual([])
    await commit(contextWith(), change)
    expect(await rows('SELECT id FROM roles WHERE id = ?', id)).toHaveLength(1)
  })

  it('commit nothing in a GET, unless its route says that it writes', async () => {
    async function statusOf(route: { writes?: true }) {
      const path = '/test/writing'
      const { fetch } = serviceWith({
        routes: (app) =>
          app.get(path, testGate({ method: 'get', path, ...route }), async (c) => {
            const { ctx } = c.var
            const changes = [testDone(freshId())]
            await (ctx && commit(ctx, { changes, result: undefined }))
            return c.text('done')
          }),
      })
      return (await fetch(new Request(`http://coffer.test${path}`))).status
    }
    expect(await statusOf({})).toBe(500)
    expect(await statusOf({ writes: true })).toBe(200)
  })

  it('read the newest where that is asked for, and nothing older after it', async () => {
    const id = freshId()
    const { database } = replicated
    const ctx = contextWith({
      database: database.withSession('first-unconstrained'),
      toPrimary: () => database.withSession('first-primary'),
    })
    await commit(contextWith(), { changes: [testDone(id, [newRole(id)])], result: undefined })
    const found = db.all<{ id: string }>(`SELECT id FROM roles WHERE id = '${id}'`)
    expect(await read(ctx, found)).toEqual([[]])
    expect(await readNewest(ctx, found)).toEqual([[{ id }]])
    expect(await read(ctx, found)).toEqual([[{ id }]])
  })
})
