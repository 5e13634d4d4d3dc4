import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccessToken } from '../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { logoutAll } from '../../src/areas/identity/auth/auth.routes.ts'
import { createTag, listTags, updateTag } from '../../src/areas/money/tags/tags.routes.ts'
import { listUsers } from '../../src/areas/identity/user-administration/user-administration.routes.ts'
import { Budgets } from '../../src/platform/database/time-budgets.ts'
import { tooManyTries } from '../../src/platform/limits.ts'
import { call, ok, type Principal, rows } from '../support/api.ts'
import { serviceWith, testGate } from '../support/service.ts'
import { newUser, type TestUser } from '../support/world.ts'
import { someBytes } from '../support/of-file.ts'

const MINUTE = 60_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

// What was used drains all the time: a test that takes long would find some of it gone.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a budget', () => {
  const at = (now: number) => ({ now, perMinute: 600 })

  it('is exhausted by what a minute allows, and fills up again all the time', () => {
    const budgets = new Budgets()
    budgets.charge('a', 599, at(0))
    expect(budgets.exhaustedMs('a', at(0))).toBeUndefined()
    budgets.charge('a', 1, at(0))
    expect(budgets.exhaustedMs('a', at(0))).toBe(0)
    expect(budgets.exhaustedMs('a', at(1))).toBeUndefined()
    // What is over it has to drain first: 10 milliseconds of the database in a second.
    budgets.charge('a', 50, at(0))
    expect(budgets.exhaustedMs('a', at(0))).toBe(5000)
    expect(budgets.exhaustedMs('a', at(2000))).toBe(3000)
    budgets.charge('a', 10, at(2000))
    expect(budgets.exhaustedMs('a', at(2000))).toBe(4000)
    expect(budgets.exhaustedMs('a', at(6001))).toBeUndefined()
  })

  it('saves nothing up for later', () => {
    const budgets = new Budgets()
    budgets.charge('a', 1, at(0))
    budgets.charge('a', 600, at(60 * MINUTE))
    expect(budgets.exhaustedMs('a', at(60 * MINUTE))).toBe(0)
  })

  it('is each user’s own', () => {
    const budgets = new Budgets()
    budgets.charge('a', 6000, at(0))
    expect(budgets.exhaustedMs('b', at(0))).toBeUndefined()
  })

  it('gives nothing back when the clock goes back, and fills up from then on', () => {
    const budgets = new Budgets()
    budgets.charge('a', 600, at(MINUTE))
    expect(budgets.exhaustedMs('a', at(0))).toBe(0)
    budgets.turnsOf('a', at(0))
    expect(budgets.exhaustedMs('a', at(1000))).toBeUndefined()
  })

  it('is forgotten once its user is idle, and only then', () => {
    const budgets = new Budgets()
    budgets.charge('over', 6_000_000, at(0))
    for (let user = 0; user < 5000; user++) {
      budgets.charge(`user ${user}`, 1, at(user * 1000))
    }
    expect(budgets.size).toBeLessThan(1100)
    expect(budgets.exhaustedMs('over', at(MINUTE))).toBeGreaterThan(0)
    const turns = budgets.turnsOf('at work', at(5000_000))
    budgets.charge('recent', 600, at(5000_000))
    for (let user = 0; user < 5000; user++) {
      budgets.charge(`other ${user}`, 1, at(5000_001))
    }
    expect(budgets.exhaustedMs('recent', at(5000_000))).toBe(0)
    expect(budgets.turnsOf('at work', at(5000_001))).toBe(turns)
  })
})

/** A service each of whose trips takes the database so long, as it says itself. */
const slowService = (tripMs: number, ahead = 0, perMinute = '10000') =>
  serviceWith({
    ahead,
    env: { USER_LIMIT_DATABASE_MS: perMinute },
    aroundTrips: async (_, run) => {
      const results = await run()
      return results.map((result, at) => ({
        ...result,
        meta: { ...result.meta, duration: at === 0 ? tripMs : 0 },
      }))
    },
  })

const slow = slowService(6000)

/** Uses up the budget of a user: ten seconds of the database in a minute. */
async function exhaust(as: Principal): Promise<void> {
  for (const status of [200, 200, 429]) {
    expect((await slow.call(listTags, { as })).status).toBe(status)
  }
}

const tokenOf = async (as: Principal): Promise<Principal> => {
  const json = { name: 'A token', scopes: ['tags.read' as const] }
  return { accessToken: (await ok(createAccessToken, { as, json })).token }
}

const forgedFor = ({ id }: { id: string }): Principal => ({
  accessToken: `pat_${id.slice(4)}_${Buffer.from(someBytes(32)).toString('base64url')}`,
})

describe('whoever has used up the budget', () => {
  it('is refused before anything is done, told when to come back, and let in then', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await exhaust(me)
    const json = { name: 'Too late' }
    const { status, error, headers } = await slow.call<never>(createTag, { as: me, json })
    expect([status, error.code]).toEqual([429, 'request.budgetExhausted'])
    // Two seconds over it, which drain in twelve: by then nothing is left, and a second later something is.
    const retryAfter = Number(headers.get('Retry-After'))
    expect(retryAfter).toBe(13)
    expect(headers.get('Server-Timing')).toContain('0 trips')
    expect(await rows('SELECT id FROM tags WHERE owner_id = ?', me.id)).toEqual([])
    expect((await slow.call(listTags, { as: other })).status).toBe(200)
    const later = slowService(1, retryAfter * 1000)
    expect((await later.call(createTag, { as: me, json })).status).toBe(201)
  })

  it('is refused whatever is wrong with the request', async () => {
    const me = await newUser()
    await exhaust(me)
    const { status } = await slow.call(createTag, { as: me, json: { name: 7 } })
    expect(status).toBe(429)
  })

  it('gets to the end of what they had begun', async () => {
    const me = await newUser()
    const { id } = await ok(createTag, { as: me, json: { name: 'Old' } })
    const json = { name: 'New' }
    const { status, headers } = await slowService(20_000).call(updateTag, { as: me, id, json })
    expect([status, headers.get('Server-Timing')]).toEqual([
      200,
      expect.stringMatching(/d1;dur=40000;desc="2 trips/),
    ])
  })

  it('is not looked up in the database', async () => {
    const me = await newUser()
    const { fetch } = serviceWith({
      routes: (app) =>
        app.get(
          '/test/limited',
          testGate({ method: 'get', path: '/test/limited', access: 'tags.read' }),
          () => {
            throw tooManyTries()
          },
        ),
    })
    const headers = { Authorization: `Bearer ${me.accessToken}` }
    const response = await fetch(new Request('http://coffer.test/test/limited', { headers }))
    expect(response.status).toBe(429)
    expect(response.headers.get('Server-Timing')).toContain('0 trips')
  })

  it('is refused with every token of theirs', async () => {
    const me = await newUser()
    const tokens = [await tokenOf(me), await tokenOf(me)] as const
    expect((await slow.call(listTags, { as: tokens[0] })).status).toBe(200)
    expect((await slow.call(listTags, { as: tokens[0] })).status).toBe(200)
    for (const as of [me, ...tokens]) {
      expect((await slow.call(listTags, { as })).status).toBe(429)
    }
  })

  it('has used what the setting says', async () => {
    const me = await newUser()
    const generous = slowService(7000, 0, '30000')
    for (const status of [200, 200, 200, 200, 200, 429]) {
      expect((await generous.call(listTags, { as: me })).status).toBe(status)
    }
  })

  it('has paid for what failed, too: for its time, as far as that may be their own', async () => {
    const me = await newUser()
    await ok(createTag, { as: me, json: { name: 'Taken' } })
    const service = serviceWith({
      env: { USER_LIMIT_DATABASE_MS: '250' },
      aroundTrips: async (_, run) => {
        await pause(150)
        return run()
      },
    })
    for (const status of [409, 409, 409, 429]) {
      const answer = await service.call(createTag, { as: me, json: { name: 'Taken' } })
      expect(answer.status).toBe(status)
    }
  })

  it('has paid for what they were not permitted to see, too', async () => {
    const me = await newUser()
    for (const status of [403, 429]) {
      expect((await slow.call(listUsers, { as: me })).status).toBe(status)
    }
  })
})

it('is told in the log what a request has taken', async () => {
  const printed = vi.spyOn(console, 'log')
  const { headers } = await slow.call(listTags, { as: await newUser() })
  const line = printed.mock.calls
    .map(([text]) => JSON.parse(String(text)) as { requestId?: string })
    .find(({ requestId }) => requestId === headers.get('X-Request-Id'))
  printed.mockRestore()
  expect(line).toMatchObject({ event: 'request', trips: 1, databaseMs: 6000 })
  expect(headers.get('Server-Timing')).toContain('d1;dur=6000;')
})

describe('somebody else', () => {
  it('uses up nothing with a token that claims to be of a user, and has no query run', async () => {
    const me = await newUser()
    const outcomes: string[] = []
    const watched = serviceWith({
      env: { USER_LIMIT_DATABASE_MS: '1' },
      aroundTrips: (_, run) =>
        run().then(
          (results) => {
            outcomes.push('ran')
            return results
          },
          (error: Error) => {
            outcomes.push(error.message)
            throw error
          },
        ),
    })
    for (let at = 0; at < 20; at++) {
      expect((await watched.call(listTags, { as: forgedFor(me) })).status).toBe(401)
      expect(
        (await watched.call(createTag, { as: forgedFor(me), json: { name: 'x' } })).status,
      ).toBe(401)
    }
    expect([...new Set(outcomes)]).toEqual([expect.stringContaining('access_session')])
    expect((await watched.call(listTags, { as: me })).status).toBe(200)
  })

  it('uses up nothing with what a session signed before it ended', async () => {
    const me = await newUser()
    const token = await tokenOf(me)
    await ok(logoutAll, { as: me, query: { keepTokens: 'true' } })
    for (let at = 0; at < 5; at++) {
      expect((await slow.call(listTags, { as: me })).status).toBe(401)
    }
    await exhaust(token)
  })

  it.each([
    ['a token that they made up', (me: TestUser) => Promise.resolve(forgedFor(me))],
    [
      'a session that was found to have ended',
      async (me: TestUser) => {
        await ok(logoutAll, { as: me, query: { keepTokens: 'true' } })
        expect((await call(listTags, { as: me })).status).toBe(401)
        return me
      },
    ],
    [
      'a session that a write found to have ended',
      async (me: TestUser) => {
        await ok(logoutAll, { as: me, query: { keepTokens: 'true' } })
        expect((await call(createTag, { as: me, json: { name: 'x' } })).status).toBe(401)
        return me
      },
    ],
  ])('takes no turn of a user with %s', async (_, intruderFor) => {
    const me = await newUser()
    const token = await tokenOf(me)
    const intruder = await intruderFor(me)
    const { service, inside, release } = heldService()
    const asked = Array.from({ length: 10 }, () => service.call(listTags, { as: intruder }))
    await until(() => inside() === 10)
    expect((await call(listTags, { as: token })).status).toBe(200)
    release()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(10).fill(401))
  })
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await pause(5)
  }
}

/** A service whose trips to the database wait for `release`. */
function heldService() {
  let inside = 0
  let most = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const service = serviceWith({
    aroundTrips: async (_, run) => {
      inside += 1
      most = Math.max(most, inside)
      await released
      inside -= 1
      return run()
    },
  })
  return { service, inside: () => inside, most: () => most, release: () => release() }
}

/** Holds the database for some milliseconds. */
const LONG =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT max(i) FROM n'

describe('many requests of one user at once', () => {
  it('are at the database four at a time, and keep nobody else waiting', async () => {
    const [heavy, other] = [await newUser(), await newUser()]
    const { service, inside, most, release } = heldService()
    const asked = Array.from({ length: 12 }, () => service.call(listTags, { as: heavy }))
    await until(() => inside() === 4)
    await pause(50)
    expect(inside()).toBe(4)
    expect((await call(listTags, { as: other })).status).toBe(200)
    release()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(most()).toBe(4)
  })

  it('are answered in their order, and the request of another user before most of them', async () => {
    const [heavy, other] = [await newUser(), await newUser()]
    // Their tokens are known from here on: to verify one for the first time takes a while.
    await Promise.all([ok(listTags, { as: heavy }), ok(listTags, { as: other })])
    const long = serviceWith({
      aroundTrips: async (_, run) => {
        await rows(LONG)
        return run()
      },
    })
    const answered: (number | string)[] = []
    const ask = async (as: Principal, name: number | string) => {
      expect((await long.call(listTags, { as })).status).toBe(200)
      answered.push(name)
    }
    const order = Array.from({ length: 60 }, (_, at) => at)
    await Promise.all([...order.map((at) => ask(heavy, at)), ask(other, 'other')])
    expect(answered.indexOf('other')).toBeLessThan(20)
    expect(answered.filter((name) => name !== 'other')).toEqual(order)
  })

  it('are refused beyond those that may wait, and told when to come back', async () => {
    const heavy = await newUser()
    const { service, inside, release } = heldService()
    const refused: string[] = []
    const asked = Array.from({ length: 109 }, async () => {
      const { status, error, headers } = await service.call(listTags, { as: heavy })
      if (status !== 200) {
        refused.push([status, error.code, headers.get('Retry-After')].join(' '))
      }
      return status
    })
    await until(() => inside() === 4 && refused.length === 5)
    expect(refused).toEqual(Array(5).fill('429 request.tooManyAtOnce 2'))
    release()
    const statuses = await Promise.all(asked)
    expect(statuses.filter((status) => status === 200)).toHaveLength(104)
  })
})
