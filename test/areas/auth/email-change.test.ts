import { describe, expect, it } from 'vitest'
import {
  getMe,
  login,
  changeEmail,
  verifyEmail,
  logoutAll,
  forgotPassword,
  resetPassword,
  changePassword,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  updateUser,
  resetUserMfa,
  revokeUserSessions,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { turnMfaOn } from './authenticator.ts'
import { codeIn, serviceWithMail } from './mails.ts'

const DAY = 24 * 60 * 60 * 1000
const freshEmail = () => `Moved-${crypto.randomUUID()}@coffer.test`

const verify = (token: string) => call(verifyEmail, { json: { token } })

/** A user who has asked for another address, and the letters that this brought. */
async function moving(email = freshEmail(), me?: TestUser) {
  const user = me ?? (await newUser())
  const service = serviceWithMail()
  const json = { email, password: user.password }
  const { status, text, headers } = await service.call(changeEmail, { as: user, json })
  expect(status, text).toBe(200)
  expect(headers.get('Server-Timing')).toContain('2 trips')
  const letters = await service.letters()
  const token = codeIn(letters.find(({ to }) => to === email))
  return { me: user, email, letters, token, text }
}

const signIn = (email: string, password: string) =>
  call(login, { json: { email, password } }).then(({ status }) => status)

const addressOf = async ({ id }: TestUser) => {
  const [user] = await rows<{ email: string }>('SELECT email FROM users WHERE id = ?', id)
  return user?.email
}

const actionsOf = async ({ id }: TestUser) => {
  const log = await rows<{ type: string; content: string | null }>(
    "SELECT * FROM log_entries WHERE owner_id = ? AND type LIKE 'email.%' ORDER BY number",
    id,
  )
  return log.map(({ type, content }) => [type, JSON.parse(content ?? 'null')])
}

describe('another address', () => {
  it('is asked for with the password: it gets a code, and the present one a warning', async () => {
    const { me, email, letters, token } = await moving()
    expect(letters.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
      [email, 'Confirm your new e-mail address for Coffer'],
      [me.email, 'A new e-mail address for your Coffer account was requested'],
    ])
    expect(token).toMatch(/^emc_[\w-]{43}$/)
    expect(letters.find(({ to }) => to === me.email)?.text).not.toContain(token)
    expect(await ok(getMe, { as: me })).toMatchObject({ email: me.email, emailVerified: false })
    const stored = JSON.stringify([
      await rows('SELECT * FROM one_time_tokens WHERE user_id = ?', me.id),
      await rows('SELECT * FROM log_entries WHERE owner_id = ?', me.id),
    ])
    expect(stored).not.toContain(token.slice(4))
  })

  it('takes the place of the old one with its code, confirmed, and ends every session', async () => {
    const { me, email, token } = await moving()
    const { status, body, headers } = await verify(token)
    expect([status, body.message]).toEqual([
      200,
      'The new address is confirmed; sign in with it. 0 personal access tokens ended.',
    ])
    expect(headers.get('Server-Timing')).toContain('2 trips')
    expect((await call(getMe, { as: me })).status).toBe(401)
    expect([await signIn(me.email, me.password), await signIn(email, me.password)]).toEqual([
      401, 200,
    ])
    const [user] = await rows(
      'SELECT email, email_key, email_verified_at IS NOT NULL AS ok, version FROM users WHERE id = ?',
      me.id,
    )
    expect(user).toEqual({ email, email_key: email.toLowerCase(), ok: 1, version: 2 })
    expect(await actionsOf(me)).toEqual([
      ['email.changeRequested', { before: { email: me.email }, after: { email } }],
      ['email.changed', { before: { email: me.email }, after: { email }, tokensEnded: 0 }],
    ])
    expect((await verify(token)).error.code).toBe('auth.invalidToken')
  })

  it('ends all codes that were mailed to the old one, and what waits for a second factor', async () => {
    const { me, token } = await moving()
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email: me.email } })
    const reset = codeIn((await service.letters())[0])
    await turnMfaOn(me)
    await call(login, { json: { email: me.email, password: me.password } })
    await ok(verifyEmail, { json: { token } })
    const json = { token: reset, password: 'another fine password' }
    expect((await call(resetPassword, { json })).error.code).toBe('auth.invalidToken')
    for (const table of ['one_time_tokens', 'mfa_challenges']) {
      expect(await rows(`SELECT * FROM ${table} WHERE user_id = ?`, me.id)).toEqual([])
    }
  })

  it('is no reason to mail a code for a new password to the old one meanwhile', async () => {
    const { me, token } = await moving()
    const service = serviceWithMail({ meanwhile: () => ok(verifyEmail, { json: { token } }) })
    const { status } = await service.call(forgotPassword, { json: { email: me.email } })
    expect(status).toBe(200)
    const [letter] = await service.letters()
    const json = { token: codeIn(letter), password: 'another fine password' }
    expect((await call(resetPassword, { json })).error.code).toBe('auth.invalidToken')
  })

  it('is the one that was asked for last', async () => {
    const first = await moving()
    const second = await moving(freshEmail(), first.me)
    expect((await verify(first.token)).status).toBe(400)
    expect((await verify(second.token)).status).toBe(200)
    expect(await addressOf(first.me)).toBe(second.email)
  })

  it('is taken once, however many use the code at the same moment', async () => {
    const { me, email, token } = await moving()
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await addressOf(me)).toBe(email)
  })

  it('is not given by a code that is old, or of a user who was disabled, also meanwhile', async () => {
    const [one, two, three] = [await moving(), await moving(), await moving()]
    const late = serviceWith({ ahead: DAY })
    expect((await late.call(verifyEmail, { json: { token: one.token } })).status).toBe(400)
    const disable = ({ me }: typeof two) =>
      rows("UPDATE users SET status = 'disabled' WHERE id = ?", me.id)
    await disable(two)
    expect((await verify(two.token)).status).toBe(400)
    const slow = serviceWith({ meanwhile: () => disable(three) })
    const { status, error } = await slow.call(verifyEmail, { json: { token: three.token } })
    expect([status, error.code]).toEqual([400, 'auth.invalidToken'])
    for (const { me } of [one, two, three]) {
      expect(await addressOf(me)).toBe(me.email)
    }
  })

  it('is not given after what ends all sessions: whoever had one may have asked', async () => {
    const admin = await newAdmin()
    const ends: ((me: TestUser) => Promise<unknown>)[] = [
      (me) => ok(logoutAll, { as: me }),
      ({ id }) => ok(revokeUserSessions, { as: admin, id }),
      async ({ id }) => {
        await ok(updateUser, { as: admin, id, json: { status: 'disabled' } })
        await ok(updateUser, { as: admin, id, json: { status: 'active' } })
      },
    ]
    for (const end of ends) {
      const { me, token } = await moving()
      await end(me)
      expect((await verify(token)).error.code).toBe('auth.invalidToken')
      expect(await addressOf(me)).toBe(me.email)
    }
  })

  it('is not given after the second factor was reset', async () => {
    const { me, token } = await moving()
    await turnMfaOn(me)
    await ok(resetUserMfa, { as: await newAdmin(), id: me.id })
    expect((await verify(token)).error.code).toBe('auth.invalidToken')
  })

  it('is not given after a new password: whoever knew the old one may have asked', async () => {
    const [changed, reset] = [await moving(), await moving()]
    const newPassword = 'another fine password'
    const { me } = changed
    await ok(changePassword, { as: me, json: { currentPassword: me.password, newPassword } })
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email: reset.me.email } })
    const json = { token: codeIn((await service.letters())[0]), password: newPassword }
    await ok(resetPassword, { json })
    for (const { token } of [changed, reset]) {
      expect((await verify(token)).error.code).toBe('auth.invalidToken')
    }
  })
})

describe('an address that somebody has', () => {
  it('is asked for with the same answer, and refused only to who can read its mail', async () => {
    const other = await newUser()
    const free = await moving()
    const taken = await moving(other.email.replace('user', 'USER'))
    expect(taken.text).toBe(free.text)
    expect(taken.letters.length).toBe(free.letters.length)
    const { status, error } = await verify(taken.token)
    expect([status, error.code, error.field]).toEqual([409, 'auth.emailTaken', 'token'])
    expect(await addressOf(taken.me)).toBe(taken.me.email)
    expect((await call(getMe, { as: taken.me })).status).toBe(200)
  })

  it('goes to one of two who confirm it at the same moment', async () => {
    const email = freshEmail()
    const [one, two] = [await moving(email), await moving(email.toLowerCase())]
    const answers = await Promise.all([verify(one.token), verify(two.token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const key = email.toLowerCase()
    expect(await rows('SELECT id FROM users WHERE email_key = ?', key)).toHaveLength(1)
  })
})

describe('asking for another address', () => {
  it('needs the password, and counts who does not know it', async () => {
    const me = await newUser()
    for (let at = 0; at < 10; at++) {
      const json = { email: freshEmail(), password: 'wrong' }
      const { status, error } = await call(changeEmail, { as: me, json })
      expect([status, error.code, error.field]).toEqual([400, 'auth.wrongPassword', 'password'])
    }
    const json = { email: freshEmail(), password: me.password }
    const right = await call(changeEmail, { as: me, json })
    expect([right.status, right.headers.has('Retry-After')]).toEqual([429, true])
    expect(
      await rows(
        "SELECT * FROM one_time_tokens WHERE purpose = 'emailChange' AND user_id = ?",
        me.id,
      ),
    ).toEqual([])
  })

  it('brings an address five mails in fifteen minutes, whoever asks for it', async () => {
    const email = freshEmail()
    for (let at = 0; at < 5; at++) {
      await moving(at % 2 === 0 ? email : email.toLowerCase())
    }
    const me = await newUser()
    const service = serviceWithMail()
    const ask = (wanted: string) =>
      service.call(changeEmail, { as: me, json: { email: wanted, password: me.password } })
    const { status, headers } = await ask(email)
    expect([status, headers.has('Retry-After'), await service.letters()]).toEqual([429, true, []])
    expect((await ask(freshEmail())).status).toBe(200)
  })

  it('is refused to who has no password', async () => {
    const me = await newUser()
    await rows('UPDATE users SET password_hash = NULL WHERE id = ?', me.id)
    const json = { email: freshEmail(), password: me.password }
    const { status, error } = await call(changeEmail, { as: me, json })
    expect([status, error.code]).toEqual([400, 'auth.wrongPassword'])
  })

  it('wants another one', async () => {
    const me = await newUser()
    const json = { email: me.email.toUpperCase(), password: me.password }
    const { status, error } = await call(changeEmail, { as: me, json })
    expect([status, error.code, error.field]).toEqual([400, 'auth.sameEmail', 'email'])
  })

  it.each([
    [{ password: 'x' }, 'email'],
    [{ email: 'nobody', password: 'x' }, 'email'],
    [{ email: 'ada@coffer.test' }, 'password'],
    [{ email: 'ada@coffer.test', password: 'x', userId: 'usr_x' }, 'userId'],
  ])('refuses %j', async (json, field) => {
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(changeEmail, { as: await newUser(), raw })
    expect([status, error.field]).toEqual([400, field])
  })
})
