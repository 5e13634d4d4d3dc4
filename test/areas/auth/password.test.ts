import { describe, expect, it } from 'vitest'
import {
  getMe,
  login,
  refreshToken,
  changeEmail,
  forgotPassword,
  resetPassword,
  changePassword,
  disableTotp,
  renewRecoveryCodes,
  beginTotp,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { type Answer, call, type ErrorBody, ok, type Principal, rows } from '../../support/api.ts'
import { type Service, serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { turnMfaOn } from './authenticator.ts'
import { codeIn, serviceWithMail } from './mails.ts'

const MINUTE = 60_000
const fresh = () => `another fine password ${crypto.randomUUID()}`

type Tokens = { accessToken: string; refreshToken: string }

const signIn = async ({ email }: TestUser, password: string) =>
  serviceWith({}).call<Tokens>(login, { json: { email, password } })

const alive = async (as: Principal) => (await call(getMe, { as })).status === 200

const logOf = ({ id }: TestUser) =>
  rows<{ type: string; actor_id: string | null }>(
    "SELECT * FROM log_entries WHERE owner_id = ? AND type LIKE 'password.%' ORDER BY number",
    id,
  )

const actionsOf = async (user: TestUser) => (await logOf(user)).map(({ type }) => type)

const change = (me: TestUser, newPassword: string, currentPassword = me.password) =>
  call(changePassword, { as: me, json: { currentPassword, newPassword } })

describe('changing the password', () => {
  it('lets in with the new one only, and ends the other sessions', async () => {
    const me = await newUser()
    const phone = (await signIn(me, me.password)).body
    const service = serviceWithMail()
    const newPassword = fresh()
    const json = { currentPassword: me.password, newPassword }
    const { status, headers } = await service.call(changePassword, { as: me, json })
    expect(status).toBe(200)
    expect(headers.get('Server-Timing')).toContain('2 trips')
    expect([await alive(me), await alive(phone)]).toEqual([true, false])
    const refreshed = await call(refreshToken, { json: { refreshToken: phone.refreshToken } })
    expect(refreshed.status).toBe(401)
    expect((await signIn(me, me.password)).status).toBe(401)
    expect((await signIn(me, newPassword)).status).toBe(200)
    expect(await service.letters()).toMatchObject([
      { to: me.email, subject: 'Your Coffer password was changed' },
    ])
    expect(await actionsOf(me)).toEqual(['password.changed'])
    for (const secret of [me.password, newPassword]) {
      expect(JSON.stringify(await logOf(me))).not.toContain(secret)
    }
  })

  it('needs the old one, and counts who does not know it', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    for (let at = 0; at < 10; at++) {
      const { status, error } = await change(me, fresh(), other.password)
      expect([status, error.code, error.field]).toEqual([
        400,
        'auth.wrongPassword',
        'currentPassword',
      ])
    }
    const eleventh = await change(me, fresh())
    expect([eleventh.status, eleventh.error.code]).toEqual([429, 'request.limited'])
    expect(eleventh.headers.has('Retry-After')).toBe(true)
    expect((await change(other, fresh())).status).toBe(200)
    expect(await actionsOf(me)).toEqual(Array(10).fill('password.refused'))
  })

  it.each([
    ['too short', 'fourteen chars', 'auth.passwordTooShort'],
    ['too long', 'lorem ipsum '.repeat(11), 'auth.passwordTooLong'],
    ['common', 'password1234567', 'auth.passwordTooCommon'],
  ])('refuses one that is %s, and tells nothing of the old one', async (_, word, code) => {
    const me = await newUser()
    for (const current of [me.password, 'wrong']) {
      const { status, error } = await change(me, word, current)
      expect([status, error.code, error.field]).toEqual([400, code, 'newPassword'])
    }
    expect(await actionsOf(me)).toEqual([])
  })

  it('refuses a request that is not one', async () => {
    const as = await newUser()
    for (const [json, field] of [
      [{ newPassword: fresh() }, 'currentPassword'],
      [{ currentPassword: 'x' }, 'newPassword'],
      [{ currentPassword: 'x', newPassword: fresh(), id: 'usr_x' }, 'id'],
    ] as const) {
      const { status, error } = await call(changePassword, {
        as,
        raw: { body: JSON.stringify(json) },
      })
      expect([status, error.field]).toEqual([400, field])
    }
  })

  it('changes it once, however many try at the same moment', async () => {
    const me = await newUser()
    const answers = await Promise.all(Array.from({ length: 10 }, () => change(me, fresh())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('leaves no way in to who tried the old one meanwhile', async () => {
    const me = await newUser()
    const slow = serviceWith({ meanwhile: () => change(me, fresh()) })
    const json = { email: me.email, password: me.password }
    expect((await slow.call(login, { json })).status).toBe(401)
    const sessions = await rows(
      'SELECT id FROM sessions WHERE user_id = ? AND revoked_at IS NULL',
      me.id,
    )
    expect(sessions).toHaveLength(1)
  })
})

describe('a forgotten password', () => {
  /** The code that the mail of this user brings. */
  async function codeFor({ email }: TestUser): Promise<string> {
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email } })
    return codeIn((await service.letters())[0])
  }

  const reset = (token: string, password = fresh()) =>
    call(resetPassword, { json: { token, password } })

  it('is replaced with the code of a mail, which ends every session', async () => {
    const me = await newUser()
    const service = serviceWithMail()
    const json = { email: me.email.toUpperCase() }
    const asked = await service.call(forgotPassword, { json })
    expect(asked.headers.get('Server-Timing')).toContain('2 trips')
    const [letter] = await service.letters()
    expect(letter).toMatchObject({ to: me.email, subject: 'Set a new password for Coffer' })
    const token = codeIn(letter)
    expect(token).toMatch(/^pwr_[\w-]{43}$/)
    expect(await alive(me)).toBe(true)
    const password = fresh()
    const done = await service.call(resetPassword, { json: { token, password } })
    expect([done.status, done.headers.get('Server-Timing')]).toEqual([
      200,
      expect.stringContaining('2 trips'),
    ])
    expect(await alive(me)).toBe(false)
    expect((await signIn(me, me.password)).status).toBe(401)
    expect((await signIn(me, password)).status).toBe(200)
    expect(await service.letters()).toMatchObject([{ to: me.email }])
    expect(await actionsOf(me)).toEqual(['password.resetRequested', 'password.reset'])
    const stored = JSON.stringify([
      await rows('SELECT * FROM one_time_tokens'),
      await rows('SELECT payload FROM tasks'),
      await logOf(me),
    ])
    for (const secret of [token, token.slice(4), password]) {
      expect(stored).not.toContain(secret)
    }
  })

  it('is replaced together with the access tokens of the user, and of nobody else', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    for (const { id } of [me, other]) {
      await rows(
        `INSERT INTO personal_access_tokens
          (id, user_id, name, token_hash, token_prefix, scopes, version, created_at, updated_at)
          VALUES (?1, ?2, 'Sync', ?1, 'pat_x', '[]', 1, 0, 0)`,
        `pat_${id}`,
        id,
      )
    }
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email: me.email } })
    const json = { token: codeIn((await service.letters())[0]), password: fresh() }
    await ok(resetPassword, { json })
    const sql = 'SELECT user_id FROM personal_access_tokens WHERE user_id IN (?, ?)'
    expect(await rows(sql, me.id, other.id)).toEqual([{ user_id: other.id }])
  })

  it('is asked for with the same answer and work, whether or not anybody has the address', async () => {
    const [me, disabled] = await Promise.all([newUser(), newUser()])
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", disabled.id)
    const service = serviceWithMail()
    const seen = async (email: string) => {
      const { status, headers, text } = await service.call(forgotPassword, { json: { email } })
      const cost = headers.get('Server-Timing')?.replace(/^.*desc=/, '')
      const named = ['x-request-id', 'x-d1-bookmark', 'server-timing']
      const others = [...headers].filter(([name]) => !named.includes(name))
      return { status, text, others, written: cost?.split(', ')[2], trips: cost?.split(', ')[0] }
    }
    const known = await seen(me.email)
    expect(known.status).toBe(200)
    const nobody = `nobody-${crypto.randomUUID()}@coffer.test`
    expect(await seen(nobody)).toEqual(known)
    expect(await seen(disabled.email)).toEqual(known)
    const letters = await service.letters()
    expect(letters.map(({ to }) => to)).toEqual([me.email])
    const payloads = await rows("SELECT payload FROM tasks WHERE kind = 'auth.mailToNobody'")
    expect(JSON.stringify(payloads)).not.toContain(nobody)
  })

  it('brings an address at most five mails in fifteen minutes', async () => {
    const { email } = await newUser()
    const ask = () => call(forgotPassword, { json: { email } })
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(5)
    expect((await ask()).status).toBe(429)
    const nobody = { email: `nobody-${crypto.randomUUID()}@coffer.test` }
    for (const status of [200, 200, 200, 200, 200, 429]) {
      expect((await call(forgotPassword, { json: nobody })).status).toBe(status)
    }
  })

  it('is limited per client as well, for asking and for guessing', async () => {
    const env = { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '2' }
    const service = serviceWith({ env })
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    const asked: Answer<unknown>[] = []
    const guessed: Answer<unknown>[] = []
    for (let at = 0; at < 3; at++) {
      const email = `nobody-${crypto.randomUUID()}@coffer.test`
      asked.push(await service.call(forgotPassword, { json: { email }, headers }))
      const json = { token: `pwr_${at}`, password: fresh() }
      guessed.push(await service.call(resetPassword, { json, headers }))
    }
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(guessed.map(({ status }) => status)).toEqual([400, 400, 429])
  })

  it('counts no valid code as a guess', async () => {
    const env = { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '1' }
    const service = serviceWith({ env })
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    for (const me of [await newUser(), await newUser(), await newUser()]) {
      const json = { token: await codeFor(me), password: fresh() }
      expect((await service.call(resetPassword, { json, headers })).status).toBe(200)
    }
  })

  it('is replaced once, however many use the code at the same moment', async () => {
    const me = await newUser()
    const token = await codeFor(me)
    const answers = await Promise.all(Array.from({ length: 20 }, () => reset(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, error } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, error.code, error.field]).toEqual([400, 'auth.invalidToken', 'token'])
    }
    expect(await actionsOf(me)).toContain('password.reset')
  })

  it('takes no code that is old, another one, or of a disabled user', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    const token = await codeFor(me)
    const late = serviceWith({ ahead: 60 * MINUTE })
    const json = { token, password: fresh() }
    expect((await late.call(resetPassword, { json })).status).toBe(400)
    for (const wrong of [token.slice(4), `${token}A`, me.refreshToken, "' OR 1=1--"]) {
      expect((await reset(wrong)).error.code).toBe('auth.invalidToken')
    }
    const theirs = await codeFor(other)
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", other.id)
    expect((await reset(theirs)).error.code).toBe('auth.invalidToken')
    expect((await reset(token)).status).toBe(200)
  })

  it('keeps the code when the new password is refused, and drops its siblings when it is not', async () => {
    const me = await newUser()
    const [one, two] = [await codeFor(me), await codeFor(me)]
    const refused = await reset(one, 'short')
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'auth.passwordTooShort',
      'password',
    ])
    expect((await reset(one)).status).toBe(200)
    expect((await reset(two)).status).toBe(400)
  })

  it('dies as a way in when the password is changed', async () => {
    const me = await newUser()
    const token = await codeFor(me)
    await ok(changePassword, {
      as: me,
      json: { currentPassword: me.password, newPassword: fresh() },
    })
    expect((await reset(token)).status).toBe(400)
  })

  it.each([
    ['an address that is none', forgotPassword, { email: 'ada' }, 'email'],
    ['no code', resetPassword, { password: 'x' }, 'token'],
    ['no password', resetPassword, { token: 'x' }, 'password'],
  ] as const)('needs no %s', async (_, route, json, field) => {
    const { status, error } = await call(route, { raw: { body: JSON.stringify(json) } })
    expect([status, error.field]).toEqual([400, field])
  })
})

describe('a password that is changed meanwhile', () => {
  it.each<[string, Parameters<Service['call']>[0], object, boolean]>([
    ['another address', changeEmail, { email: 'elsewhere@coffer.test' }, false],
    ['a second factor', beginTotp, {}, false],
    ['no second factor', disableTotp, {}, true],
    ['other recovery codes', renewRecoveryCodes, {}, true],
  ])('proves nothing any more to who asks for %s', async (_, route, json, hasFactor) => {
    const me = await newUser()
    await (hasFactor ? turnMfaOn(me) : undefined)
    const slow = serviceWith({ meanwhile: () => change(me, fresh()) })
    const { status, error } = await slow.call<ErrorBody>(route, {
      as: me,
      json: { ...json, password: me.password },
    })
    expect([status, error.code, error.field]).toEqual([400, 'auth.wrongPassword', 'password'])
  })
})
