import { describe, expect, it } from 'vitest'
import {
  getMe,
  login as loginRoute,
  loginMfa,
  forgotPassword,
  resetPassword,
  changePassword,
  disableTotp,
  getMfa,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { codeOf, STEP, turnMfaOn } from './authenticator.ts'
import { codeIn, serviceWithMail } from './mails.ts'

type Tokens = { accessToken: string; user: { id: string; mfaEnabled: boolean } }

/** The first leg: what the password alone gives. */
async function challenge({ email, password }: TestUser, service = serviceWith({})) {
  const { status, body } = await service.call<{ mfaToken: string }>(loginRoute, {
    json: { email, password },
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    mfaRequired: true,
    mfaToken: expect.stringMatching(/^mft_[\w-]{43}$/),
    methods: ['totp', 'recoveryCode'],
  })
  return body.mfaToken
}

const finish = (mfaToken: string, code: string) => call(loginMfa, { json: { mfaToken, code } })

async function userWithMfa() {
  const me = await newUser()
  return { me, ...(await turnMfaOn(me)) }
}

const sessionsOf = ({ id }: TestUser) => rows('SELECT id FROM sessions WHERE user_id = ?', id)

it('asks for a code after the password, and signs in with both', async () => {
  const { me, secret } = await userWithMfa()
  const { email, password } = me
  const first = await call(loginRoute, { json: { email, password } })
  expect(first.headers.get('Server-Timing')).toContain('2 trips')
  expect(first.text).not.toContain('accessToken')
  expect(await sessionsOf(me)).toHaveLength(1)
  const mfaToken = await challenge(me)
  const { status, body, headers } = await finish(mfaToken, await codeOf(secret, 1))
  expect(status).toBe(200)
  expect(headers.get('Server-Timing')).toContain('2 trips')
  expect(body.user).toMatchObject({ id: me.id, mfaEnabled: true })
  expect((await call(getMe, { as: body })).status).toBe(200)
  const log = await rows<{ type: string }>(
    "SELECT * FROM log_entries WHERE owner_id = ? AND type LIKE 'session.%' ORDER BY number",
    me.id,
  )
  expect(log.map(({ type }) => type)).toEqual([
    'session.challenged',
    'session.challenged',
    'session.created',
  ])
  const stored = JSON.stringify([log, await rows('SELECT * FROM mfa_challenges')])
  for (const text of [mfaToken, mfaToken.slice(4)]) {
    expect(stored).not.toContain(text)
  }
})

it('says nothing of the second factor to whoever has not the password', async () => {
  const { me } = await userWithMfa()
  const json = { email: me.email, password: 'not the right password' }
  const { status, error } = await call(loginRoute, { json })
  expect([status, error.code]).toEqual([401, 'auth.invalidCredentials'])
})

it('asks for a code also after a forgotten password was replaced, which signs nobody in', async () => {
  const { me, secret } = await userWithMfa()
  const service = serviceWithMail()
  await service.call(forgotPassword, { json: { email: me.email } })
  const password = `a fine password ${crypto.randomUUID()}`
  const json = { token: codeIn((await service.letters())[0]), password }
  const { status, body } = await call(resetPassword, { json })
  expect([status, Object.keys(body)]).toEqual([200, ['message', 'tokensEnded']])
  const mfaToken = await challenge({ ...me, password })
  expect((await finish(mfaToken, 'abcd-efgh-ijkl-mnop-qrst-uvwx')).error.code).toBe(
    'auth.invalidMfaCode',
  )
  expect((await finish(mfaToken, await codeOf(secret, 1))).status).toBe(200)
})

describe('a code of the app', () => {
  it('works once, also in another sign-in, and none before it works any more', async () => {
    const { me, secret } = await userWithMfa()
    const [one, two] = [await challenge(me), await challenge(me)]
    const used = await codeOf(secret, 1)
    expect((await finish(one, used)).status).toBe(200)
    for (const code of [used, await codeOf(secret)]) {
      const { status, error } = await finish(two, code)
      expect([status, error.code]).toEqual([401, 'auth.invalidMfaCode'])
    }
    const later = serviceWith({ ahead: 2 * STEP })
    const json = { mfaToken: two, code: await codeOf(secret, 2) }
    expect((await later.call(loginMfa, { json })).status).toBe(200)
  })

  it('opens one session, however many use it at the same moment', async () => {
    const { me, secret } = await userWithMfa()
    const code = await codeOf(secret, 1)
    const tokens = [await challenge(me), await challenge(me), await challenge(me)]
    const answers = await Promise.all(
      tokens.flatMap((token) => Array.from({ length: 10 }, () => finish(token, code))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionsOf(me)).toHaveLength(2)
  })

  it('of another user does not work', async () => {
    const [one, other] = [await userWithMfa(), await userWithMfa()]
    const token = await challenge(one.me)
    const { status } = await finish(token, other.recoveryCodes[0] ?? '')
    expect(status).toBe(401)
  })
})

describe('a recovery code', () => {
  it('stands in for the app, once', async () => {
    const { me, recoveryCodes } = await userWithMfa()
    const [code = ''] = recoveryCodes
    const { status, body } = await finish(await challenge(me), ` ${code.toUpperCase()} `)
    expect(status).toBe(200)
    expect((await ok(getMfa, { as: body })).recoveryCodesLeft).toBe(9)
    expect((await finish(await challenge(me), code)).error.code).toBe('auth.invalidMfaCode')
  })

  it('opens one session, however many use it at the same moment', async () => {
    const { me, recoveryCodes } = await userWithMfa()
    const [code = ''] = recoveryCodes
    const tokens = [await challenge(me), await challenge(me), await challenge(me)]
    const answers = await Promise.all(
      tokens.flatMap((token) => Array.from({ length: 17 }, () => finish(token, code))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionsOf(me)).toHaveLength(2)
    expect((await ok(getMfa, { as: me })).recoveryCodesLeft).toBe(9)
  })
})

describe('a sign-in that waits for its code', () => {
  it('ends after five tries, however many come at the same moment', async () => {
    const { me, secret } = await userWithMfa()
    const mfaToken = await challenge(me)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => finish(mfaToken, 'abcd-efgh-ijkl-mnop-qrst-uvwx')),
    )
    const codes = answers.map(({ error }) => error.code)
    expect(codes.filter((code) => code === 'auth.invalidMfaCode')).toHaveLength(5)
    expect(codes.filter((code) => code === 'auth.invalidMfaToken')).toHaveLength(15)
    const right = await finish(mfaToken, await codeOf(secret, 1))
    expect([right.status, right.error.code]).toEqual([401, 'auth.invalidMfaToken'])
  })

  it('ends after five minutes', async () => {
    const { me, recoveryCodes } = await userWithMfa()
    const json = { mfaToken: await challenge(me), code: recoveryCodes[0] ?? '' }
    const late = serviceWith({ ahead: 5 * 60_000 })
    const { status, error } = await late.call(loginMfa, { json })
    expect([status, error.code]).toEqual([401, 'auth.invalidMfaToken'])
    const inTime = serviceWith({ ahead: 4.5 * 60_000 })
    expect((await inTime.call(loginMfa, { json })).status).toBe(200)
  })

  it('is finished once', async () => {
    const { me, recoveryCodes } = await userWithMfa()
    const mfaToken = await challenge(me)
    const codes = recoveryCodes.slice(0, 5)
    const answers = await Promise.all(codes.map((code) => finish(mfaToken, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await ok(getMfa, { as: me })).recoveryCodesLeft).toBe(9)
    const again = await finish(mfaToken, recoveryCodes[6] ?? '')
    expect(again.error.code).toBe('auth.invalidMfaToken')
  })

  it.each(['mft_', 'x', "' OR 1=1--"])('was begun with a token, and not with %s', async (token) => {
    const { status, error } = await finish(token, '123456')
    expect([status, error.code]).toEqual([401, 'auth.invalidMfaToken'])
  })

  it('ends when the password changes, the factor goes, or the user is disabled', async () => {
    const ends: ((me: TestUser) => Promise<unknown>)[] = [
      (me) =>
        ok(changePassword, {
          as: me,
          json: { currentPassword: me.password, newPassword: 'another fine password' },
        }),
      (me) => ok(disableTotp, { as: me, json: { password: me.password } }),
      ({ id }) => rows("UPDATE users SET status = 'disabled' WHERE id = ?", id),
    ]
    for (const end of ends) {
      const { me, recoveryCodes } = await userWithMfa()
      const mfaToken = await challenge(me)
      const before = await challenge(me)
      const slow = serviceWith({ meanwhile: () => end(me) })
      const json = { mfaToken, code: recoveryCodes[0] ?? '' }
      const { status, error } = await slow.call<Tokens>(loginMfa, { json })
      expect([status, error.code]).toEqual([401, 'auth.invalidMfaToken'])
      expect((await finish(before, recoveryCodes[1] ?? '')).status).toBe(401)
      expect(await sessionsOf(me)).toHaveLength(1)
    }
  })

  it('cannot be begun with the password alone while the factor is turned on', async () => {
    const me = await newUser()
    const slow = serviceWith({ meanwhile: () => turnMfaOn(me) })
    const json = { email: me.email, password: me.password }
    expect((await slow.call(loginRoute, { json })).status).toBe(401)
    expect(await sessionsOf(me)).toHaveLength(1)
  })

  it('is no way to guess: ten codes per account in fifteen minutes, whatever the sign-in', async () => {
    const { me, secret } = await userWithMfa()
    const statuses = []
    for (const mfaToken of [await challenge(me), await challenge(me), await challenge(me)]) {
      for (let at = 0; at < 4; at++) {
        statuses.push((await finish(mfaToken, 'abcd-efgh-ijkl-mnop-qrst-uvwx')).status)
      }
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    const right = await finish(await challenge(me), await codeOf(secret, 1))
    expect([right.status, right.headers.has('Retry-After')]).toEqual([429, true])
  })

  it('is open to a recovery code, however many codes somebody else tries', async () => {
    const { me, recoveryCodes } = await userWithMfa()
    for (const mfaToken of [await challenge(me), await challenge(me), await challenge(me)]) {
      for (let at = 0; at < 4; at++) {
        await finish(mfaToken, String(at).repeat(6))
      }
    }
    const [one = '', two = ''] = recoveryCodes
    const wrong = await finish(await challenge(me), `${two.slice(0, -4)}0000`)
    expect(wrong.status).toBe(429)
    expect((await finish(await challenge(me), one)).status).toBe(200)
    expect((await finish(await challenge(me), one)).status).toBe(429)
  })

  it('is limited per client as well', async () => {
    const env = { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '2' }
    const service = serviceWith({ env })
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    const statuses = []
    for (let at = 0; at < 3; at++) {
      const json = { mfaToken: `mft_${at}`, code: '123456' }
      statuses.push((await service.call(loginMfa, { json, headers })).status)
    }
    expect(statuses).toEqual([401, 401, 429])
  })

  it.each([
    [{ code: '123456' }, 'mfaToken'],
    [{ mfaToken: 'x' }, 'code'],
    [{ mfaToken: 'x', code: '12345' }, 'code'],
    [{ mfaToken: 'x', code: '123456', userId: 'usr_x' }, 'userId'],
  ])('refuses %j', async (json, field) => {
    const { status, error } = await call(loginMfa, { raw: { body: JSON.stringify(json) } })
    expect([status, error.field]).toEqual([400, field])
  })
})

describe('between looking and signing in', () => {
  /** What the slower of two gets, when the faster one comes in between. */
  async function overtaken(slower: [string, string], faster: [string, string]) {
    const first: { status?: number } = {}
    const slow = serviceWith({
      meanwhile: async () => {
        first.status ??= (await finish(...faster)).status
      },
    })
    const [mfaToken, code] = slower
    const { status, error } = await slow.call(loginMfa, { json: { mfaToken, code } })
    return [first.status, status, error.code]
  }

  it('somebody else may use the same code of the app: one comes in', async () => {
    const { me, secret } = await userWithMfa()
    const [one, two] = [await challenge(me), await challenge(me)]
    const code = await codeOf(secret, 1)
    expect(await overtaken([two, code], [one, code])).toEqual([200, 401, 'auth.invalidMfaCode'])
    expect(await sessionsOf(me)).toHaveLength(2)
  })

  it('somebody else may use the same recovery code: one comes in', async () => {
    const { me, recoveryCodes } = await userWithMfa()
    const [one, two] = [await challenge(me), await challenge(me)]
    const [code = ''] = recoveryCodes
    expect(await overtaken([two, code], [one, code])).toEqual([200, 401, 'auth.invalidMfaCode'])
    expect(await sessionsOf(me)).toHaveLength(2)
  })

  it('somebody else may finish the same sign-in: one comes in, and the code stays', async () => {
    const { me, recoveryCodes } = await userWithMfa()
    const token = await challenge(me)
    const [one = '', other = ''] = recoveryCodes
    expect(await overtaken([token, one], [token, other])).toEqual([
      200,
      401,
      'auth.invalidMfaToken',
    ])
    expect((await ok(getMfa, { as: me })).recoveryCodesLeft).toBe(9)
  })
})
