import { describe, expect, it } from 'vitest'
import { getMe, login, register } from '../../../src/areas/identity/auth/auth.routes.ts'
import { type Answer, call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, registeredUser } from '../../support/world.ts'
import { signIn, turnMfaOn } from './authenticator.ts'

const MINUTE = 60_000
const wrongPassword = 'not the right password'

const disable = (id: string) => rows("UPDATE users SET status = 'disabled' WHERE id = ?", id)

const OF_EACH_REQUEST = ['x-request-id', 'x-d1-bookmark', 'date', 'server-timing']

/** All that an answer tells, but what is another in each request; and what it took the database to write. */
const seen = ({ status, headers, text }: Answer<unknown>) => ({
  status,
  text: text.replace(/req_\w{26}/, ''),
  headers: [...headers].filter(([name]) => !OF_EACH_REQUEST.includes(name)),
  trips: /\d+ trips/.exec(headers.get('Server-Timing') ?? '')?.[0],
  written: /\d+ written/.exec(headers.get('Server-Timing') ?? '')?.[0],
})

describe('signing in', () => {
  it.each([
    ['no address', { password: 'x' }, 'email'],
    ['no password', { email: 'ada@coffer.test' }, 'password'],
    ['no real address', { email: 'ada', password: 'x' }, 'email'],
    ['an unknown key', { email: 'ada@coffer.test', password: 'x', otp: '1' }, 'otp'],
    ['an object for a password', { email: 'ada@coffer.test', password: {} }, 'password'],
  ])('refuses %s', async (_, json, field) => {
    const { status, error } = await call(login, { raw: { body: JSON.stringify(json) } })
    expect([status, error.field]).toEqual([400, field])
  })

  it('needs the password exactly', async () => {
    const { email, password } = await newUser()
    const wrong = ['', ` ${password}`, `${password} `, password.toUpperCase(), password.slice(1)]
    for (const attempt of wrong) {
      const { status, error } = await call(login, { json: { email, password: attempt } })
      expect([status, error.code]).toEqual([401, 'auth.invalidCredentials'])
    }
    expect((await call(login, { json: { email, password } })).status).toBe(200)
  })

  it('needs a long password to its last character', async () => {
    const email = `long-${crypto.randomUUID()}@coffer.test`
    const password = Array.from({ length: 4 }, () => crypto.randomUUID())
      .join('')
      .slice(0, 127)
    const json = { email, password: `${password}a`, name: 'Ada' }
    expect((await call(register, { json })).status).toBe(201)
    for (const [attempt, status] of [
      [password, 401],
      [`${password}b`, 401],
      [`${password}A`, 401],
      [`${password}aa`, 401],
      [`${password}a`, 200],
    ] as const) {
      expect((await call(login, { json: { email, password: attempt } })).status).toBe(status)
    }
  })

  it('takes a password however old it is', async () => {
    const { email, password } = await newUser()
    const later = serviceWith({ ahead: 10 * 365 * 24 * 60 * 60 * 1000 })
    expect((await later.call(login, { json: { email, password } })).status).toBe(200)
  })

  it('opens a session of its own each time', async () => {
    const me = await newUser()
    const { email, password } = me
    const [one, two] = await Promise.all([signIn({ email, password }), signIn({ email, password })])
    expect(one.accessToken).not.toBe(two.accessToken)
    expect(one.refreshToken).not.toBe(two.refreshToken)
    expect(await rows('SELECT id FROM sessions WHERE user_id = ?', me.id)).toHaveLength(3)
  })

  it('answers a repeated request with the same session', async () => {
    const me = await newUser()
    const json = { email: me.email, password: me.password }
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await call(login, { json, headers })
    const second = await call(login, { json, headers })
    expect(second.text).toBe(first.text)
    expect(await rows('SELECT id FROM sessions WHERE user_id = ?', me.id)).toHaveLength(2)
  })

  it('does not repeat a failure: each one is a try', async () => {
    const { email, password } = await newUser()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    for (let at = 0; at < 10; at++) {
      const json = { email, password: wrongPassword }
      expect((await call(login, { json, headers })).status).toBe(401)
    }
    expect((await call(login, { json: { email, password } })).status).toBe(429)
  })

  it('tells nobody whether a user exists, is disabled, deleted, has no password, or mistyped', async () => {
    const changes = [
      "status = 'active'",
      "status = 'disabled'",
      "status = 'deleted', deletion_due_at = 9e12",
      'password_hash = NULL',
    ]
    // Each address once, as the second try of an address is counted on top of the first.
    const changed = async (change: string) => {
      const user = await newUser()
      await rows(`UPDATE users SET ${change} WHERE id = ?`, user.id)
      return { email: user.email, password: user.password }
    }
    const tries = [
      { email: `nobody-${crypto.randomUUID()}@coffer.test`, password: wrongPassword },
      ...(await Promise.all(changes.map(changed))).map(({ email }) => ({
        email,
        password: wrongPassword,
      })),
      ...(await Promise.all(changes.slice(1).map(changed))),
    ]
    const [unknown, ...others] = (
      await Promise.all(tries.map((json) => call(login, { json })))
    ).map(seen)
    expect(unknown).toMatchObject({ status: 401, text: expect.stringContaining('invalidCreden') })
    expect(others).toEqual(others.map(() => unknown))
  })

  it('costs two trips, whoever tries', async () => {
    const { email, password } = await newUser()
    const tries = [
      { email, password },
      { email, password: wrongPassword },
      { email: `nobody-${crypto.randomUUID()}@coffer.test`, password },
    ]
    for (const json of tries) {
      const { headers } = await call(login, { json })
      expect(headers.get('Server-Timing')).toContain('2 trips')
    }
  })

  it('refuses a disabled user on the very next request', async () => {
    const me = await newUser()
    expect((await call(getMe, { as: me })).status).toBe(200)
    await disable(me.id)
    expect((await call(getMe, { as: me })).status).toBe(401)
    const { email, password } = me
    expect((await call(login, { json: { email, password } })).status).toBe(401)
  })

  it('hashes anew when the cost has changed, and only then', async () => {
    const { id, email, password } = await newUser()
    const json = { email, password }
    const hash = async () => {
      const [user] = await rows<{ password_hash: string }>(
        'SELECT password_hash FROM users WHERE id = ?',
        id,
      )
      return user?.password_hash ?? ''
    }
    const before = await hash()
    await ok(login, { json })
    expect(await hash()).toBe(before)
    const costlier = serviceWith({ env: { PASSWORD_COST: '2' } })
    const wrong = { email, password: wrongPassword }
    expect((await costlier.call(login, { json: wrong })).status).toBe(401)
    expect(await hash()).toBe(before)
    expect((await costlier.call(login, { json })).status).toBe(200)
    const after = await hash()
    expect([before, after].map((phc) => phc.split('$')[2])).toEqual([
      'ln=1,r=8,p=5',
      'ln=2,r=8,p=5',
    ])
    expect((await costlier.call(login, { json })).status).toBe(200)
    expect(await hash()).toBe(after)
    expect((await call(login, { json })).status).toBe(200)
  })

  it('logs who came in and who did not, without a secret', async () => {
    const me = await registeredUser()
    const { email, password } = me
    const { accessToken, refreshToken } = await signIn({ email, password })
    await call(login, { json: { email, password: wrongPassword } })
    const log = await rows<{ type: string; actor_id: string | null }>(
      'SELECT * FROM log_entries WHERE owner_id = ? ORDER BY number',
      me.id,
    )
    expect(log.map(({ type, actor_id }) => [type, actor_id])).toEqual([
      ['user.registered', me.id],
      ['session.created', me.id],
      ['session.refused', null],
    ])
    for (const secret of [password, wrongPassword, accessToken, refreshToken]) {
      expect(JSON.stringify(log)).not.toContain(secret)
    }
  })
})

describe('a flood of sign-ins', () => {
  it('is refused itself, and keeps nobody else out', async () => {
    const { email, password } = await newUser()
    const service = serviceWith({ env: { CLIENT_IP_HEADER: 'X-Client', PASSWORD_COST: '11' } })
    const signInFrom = (client: string, json: { email: string; password: string }) =>
      service.call(login, { json, headers: { 'X-Client': client } })
    const flood = Array.from({ length: 60 }, (_, at) =>
      signInFrom('192.0.2.1', { email: `nobody-${at}@coffer.test`, password: wrongPassword }),
    )
    // The line is full once one of them is refused.
    await Promise.race([
      Promise.all(flood),
      new Promise<void>((isFull) => {
        for (const one of flood) {
          void one.then(({ status }) => status === 503 && isFull())
        }
      }),
    ])
    const others = await Promise.all([
      signInFrom('192.0.2.2', { email, password }),
      signInFrom('2001:db8::1', { email, password }),
    ])
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    const answers = await Promise.all(flood)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
  })
})

describe('guessing', () => {
  const guess = (email: string, headers: Record<string, string> = {}) =>
    call(login, { json: { email, password: wrongPassword }, headers })

  it('ends after ten tries on one account, with word of when to come back', async () => {
    const { email, password } = await newUser()
    for (let at = 0; at < 10; at++) {
      expect((await guess(email)).status).toBe(401)
    }
    const eleventh = await guess(email.toUpperCase())
    expect([eleventh.status, eleventh.error.code]).toEqual([429, 'request.limited'])
    const retryAfter = Number(eleventh.headers.get('Retry-After'))
    expect(retryAfter).toBeGreaterThan(14 * 60)
    expect(retryAfter).toBeLessThanOrEqual(15 * 60)
    const right = await call(login, { json: { email, password } })
    expect(right.status).toBe(429)
  })

  it('gets at most ten answers however many tries come at the same moment', async () => {
    const { email } = await newUser()
    const answers = await Promise.all(Array.from({ length: 50 }, () => guess(email)))
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10)
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(40)
    for (const { status, headers } of answers) {
      expect(headers.has('Retry-After')).toBe(status === 429)
    }
  })

  it('hashes no more than the window allows, as each try is stored before it is looked at', async () => {
    const { email } = await newUser()
    const answers = await Promise.all(Array.from({ length: 60 }, () => guess(email)))
    const trips = answers.map(
      ({ status, headers }) =>
        `${status} ${/\d+ trips/.exec(headers.get('Server-Timing') ?? '')?.[0]}`,
    )
    // The second trip comes behind the hash.
    expect(
      Object.fromEntries(
        Object.entries(Object.groupBy(trips, (one) => one)).map(([one, all]) => [one, all?.length]),
      ),
    ).toEqual({ '401 2 trips': 10, '429 1 trips': 50 })
  })

  it('counts no right password, whether it signs in, is asked for a code or is repeated', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await turnMfaOn(other)
    for (const { email, password } of [me, other]) {
      const json = { email, password }
      for (let at = 0; at < 12; at++) {
        expect((await call(login, { json })).status).toBe(200)
      }
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      for (let at = 0; at < 12; at++) {
        expect((await call(login, { json, headers })).status).toBe(200)
      }
      for (let at = 0; at < 10; at++) {
        expect((await guess(email)).status).toBe(401)
      }
      expect((await call(login, { json })).status).toBe(429)
    }
  })

  it('keeps nobody out of a known address from somewhere else', async () => {
    const { email, password } = await newUser()
    const env = { CLIENT_IP_HEADER: 'X-Client', LOGIN_LIMIT_ACCOUNT_TOTAL: '30' }
    const service = serviceWith({ env })
    const from = async (client: string, word: string) => {
      const json = { email, password: word }
      const headers = { 'X-Client': `${client} ${email}` }
      return (await service.call(login, { json, headers })).status
    }
    const many = async (client: string) => {
      const statuses = []
      for (let at = 0; at < 40; at++) {
        statuses.push(await from(client, wrongPassword))
      }
      return statuses.filter((status) => status === 401).length
    }
    // Tries beyond the window of one place use up nothing of the account.
    expect([await many('one'), await many('two')]).toEqual([10, 10])
    expect(await from('home', password)).toBe(200)
    expect(await from('one', password)).toBe(429)
    expect(await many('three')).toBe(10)
    expect(await from('home', password)).toBe(429)
  })

  it('is counted for addresses that nobody has as well', async () => {
    const email = `nobody-${crypto.randomUUID()}@coffer.test`
    for (let at = 0; at < 10; at++) {
      expect((await guess(email)).status).toBe(401)
    }
    expect((await guess(email)).status).toBe(429)
  })

  it('is not hidden by forwarding headers', async () => {
    const { email } = await newUser()
    const statuses = []
    for (let at = 1; at <= 11; at++) {
      const ip = `203.0.113.${at}`
      const { status } = await guess(email, {
        'X-Forwarded-For': ip,
        'X-Real-IP': ip,
        'CF-Connecting-IP': ip,
        'True-Client-IP': ip,
        Forwarded: `for=${ip}`,
      })
      statuses.push(status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })

  it('of one account does not lock another', async () => {
    const [victim, other] = await Promise.all([newUser(), newUser()])
    await Promise.all(Array.from({ length: 15 }, () => guess(victim.email)))
    const { email, password } = other
    expect((await call(login, { json: { email, password } })).status).toBe(200)
    expect((await call(getMe, { as: victim })).status).toBe(200)
  })

  it('may go on when the fifteen minutes have passed, and is counted anew', async () => {
    const { email, password } = await newUser()
    await Promise.all(Array.from({ length: 12 }, () => guess(email)))
    const at = (ahead: number, word = password) =>
      serviceWith({ ahead }).call(login, { json: { email, password: word } })
    expect((await at(14 * MINUTE)).status).toBe(429)
    expect((await at(15 * MINUTE)).status).toBe(200)
    for (let tries = 1; tries <= 10; tries++) {
      expect((await at(16 * MINUTE, wrongPassword)).status).toBe(401)
    }
    expect((await at(16 * MINUTE)).status).toBe(429)
  })

  it('counts no right password that is sent twice at the same moment', async () => {
    const { email, password } = await newUser()
    const service = serviceWith({
      env: { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_ACCOUNT: '2' },
    })
    for (let round = 0; round < 3; round++) {
      const headers = { 'CF-Connecting-IP': '203.0.113.8', 'Idempotency-Key': crypto.randomUUID() }
      const send = () => service.call(login, { json: { email, password }, headers })
      const [one, two] = await Promise.all([send(), send()])
      expect([one.status, two.status]).toEqual([200, 200])
      expect(one.text).toBe(two.text)
    }
  })

  it('goes on from no other address of the same IPv6 network', async () => {
    const { email } = await newUser()
    const service = serviceWith({ env: { CLIENT_IP_HEADER: 'CF-Connecting-IP' } })
    const network = `2001:db8:${crypto.randomUUID().slice(0, 4)}:ab`
    const from = (ip: string) =>
      service
        .call(login, {
          json: { email, password: wrongPassword },
          headers: { 'CF-Connecting-IP': ip },
        })
        .then(({ status }) => status)
    const statuses = []
    for (let at = 0; at < 11; at++) {
      statuses.push(await from(`${network}0${at % 2}:0:0:${at.toString(16)}:1`))
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect(await from(`${network.slice(0, -2)}ac00::1`)).toBe(401)
  })

  it('from one address ends too, whatever accounts it tries', async () => {
    const env = { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '3' }
    const service = serviceWith({ env })
    const ip = crypto.randomUUID()
    const from = async (headers: Record<string, string>) => {
      const email = `nobody-${crypto.randomUUID()}@coffer.test`
      const json = { email, password: wrongPassword }
      return (await service.call(login, { json, headers })).status
    }
    const statuses = []
    for (let at = 0; at < 4; at++) {
      statuses.push(await from({ 'CF-Connecting-IP': ip, 'X-Forwarded-For': `203.0.113.${at}` }))
    }
    expect(statuses).toEqual([401, 401, 401, 429])
    expect(await from({ 'CF-Connecting-IP': crypto.randomUUID() })).toBe(401)
  })

  it('leaves no address or name in the table of tries', async () => {
    const { email } = await newUser()
    await guess(email)
    const stored = await rows<{ key: string }>('SELECT key FROM rate_limits')
    expect(stored.every(({ key }) => /^[\w-]{43}$/.test(key))).toBe(true)
  })
})
