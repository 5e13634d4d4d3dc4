import { describe, expect, it } from 'vitest'
import {
  getMe,
  register,
  resendConfirmation,
  verifyEmail,
  forgotPassword,
  resetPassword,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { updateUser } from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { codeIn, serviceWithMail } from './mails.ts'

const DAY = 24 * 60 * 60 * 1000

/** A user whose registration brought this mail. */
async function registered() {
  const service = serviceWithMail()
  const email = `new-${crypto.randomUUID()}@coffer.test`
  const json = { email, password: 'seven green bottles', name: 'Ada' }
  const { status, headers, body } = await service.call<Principal & { user: { id: string } }>(
    register,
    { json },
  )
  expect([status, headers.get('Server-Timing')]).toEqual([201, expect.stringContaining('2 trips')])
  const letters = await service.letters()
  return { me: body, id: body.user.id, email, letters, token: codeIn(letters[0]) }
}

const verify = (token: string) => call(verifyEmail, { json: { token } })
const isVerified = async (as: Principal) => (await ok(getMe, { as })).emailVerified

const actionsOf = async (id: string) => {
  const log = await rows<{ type: string; actor_id: string }>(
    "SELECT * FROM log_entries WHERE owner_id = ? AND type LIKE 'email.%' ORDER BY number",
    id,
  )
  return log.map(({ type, actor_id }) => [type, actor_id])
}

describe('an address', () => {
  it('is confirmed with the code of the mail that a registration brings', async () => {
    const { me, id, email, letters, token } = await registered()
    expect(letters).toMatchObject([
      { to: email, subject: 'Confirm your e-mail address for Coffer' },
    ])
    expect(token).toMatch(/^emv_[\w-]{43}$/)
    expect(await isVerified(me)).toBe(false)
    const { status, headers } = await verify(token)
    expect([status, headers.get('Server-Timing')]).toEqual([
      200,
      expect.stringContaining('2 trips'),
    ])
    expect(await isVerified(me)).toBe(true)
    expect(await actionsOf(id)).toEqual([['email.verified', id]])
    const stored = JSON.stringify([
      await rows('SELECT * FROM one_time_tokens'),
      await rows('SELECT payload FROM tasks'),
      await rows('SELECT * FROM log_entries WHERE owner_id = ?', id),
    ])
    expect(stored).not.toContain(token.slice(4))
  })

  it('is confirmed once, however many use the code at the same moment', async () => {
    const { me, token } = await registered()
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, error } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, error.code, error.field]).toEqual([400, 'auth.invalidToken', 'token'])
    }
    expect(await isVerified(me)).toBe(true)
  })

  it('is confirmed by no code that is old, of another kind, or nobody’s', async () => {
    const { me, email, token } = await registered()
    const late = serviceWith({ ahead: DAY })
    expect((await late.call(verifyEmail, { json: { token } })).status).toBe(400)
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email } })
    const reset = codeIn((await service.letters())[0])
    for (const wrong of [reset, token.slice(4), `${token}A`, "' OR 1=1--"]) {
      expect((await verify(wrong)).error.code).toBe('auth.invalidToken')
    }
    const json = { token, password: 'another fine password' }
    expect((await call(resetPassword, { json })).error.code).toBe('auth.invalidToken')
    expect(await isVerified(me)).toBe(false)
    expect((await verify(token)).status).toBe(200)
  })

  it('is not confirmed for a disabled user, or by another one', async () => {
    const [one, other] = [await registered(), await registered()]
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", one.id)
    expect((await verify(one.token)).status).toBe(400)
    expect((await verify(other.token)).status).toBe(200)
    await rows("UPDATE users SET status = 'active' WHERE id = ?", one.id)
    expect(await isVerified(one.me)).toBe(false)
  })

  it('cannot be guessed at will', async () => {
    const env = { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '2' }
    const service = serviceWith({ env })
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    const statuses = []
    for (let at = 0; at < 3; at++) {
      const json = { token: `emv_${at}` }
      statuses.push((await service.call(verifyEmail, { json, headers })).status)
    }
    expect(statuses).toEqual([400, 400, 429])
  })

  it('counts no valid code as a guess', async () => {
    const env = { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '1' }
    const service = serviceWith({ env })
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    for (const { token } of [await registered(), await registered(), await registered()]) {
      expect((await service.call(verifyEmail, { json: { token }, headers })).status).toBe(200)
    }
  })

  it.each([
    [{}, 'token'],
    [{ token: '' }, 'token'],
    [{ token: 'x', id: 'usr_x' }, 'id'],
  ])('is not confirmed with %j', async (json, field) => {
    const { status, error } = await call(verifyEmail, { raw: { body: JSON.stringify(json) } })
    expect([status, error.field]).toEqual([400, field])
  })
})

describe('another mail', () => {
  it('comes on request, and either code works until one was used', async () => {
    const { me, id, email, token } = await registered()
    const service = serviceWithMail()
    const { status, headers } = await service.call(resendConfirmation, { as: me })
    expect([status, headers.get('Server-Timing')]).toEqual([
      200,
      expect.stringContaining('2 trips'),
    ])
    const [letter] = await service.letters()
    expect(letter).toMatchObject({ to: email })
    expect(codeIn(letter)).not.toBe(token)
    expect((await verify(codeIn(letter))).status).toBe(200)
    expect((await verify(token)).status).toBe(400)
    expect(await actionsOf(id)).toEqual([
      ['email.confirmationResent', id],
      ['email.verified', id],
    ])
  })

  it('is not needed once the address is confirmed', async () => {
    const { me, token } = await registered()
    await verify(token)
    const { status, error } = await call(resendConfirmation, { as: me })
    expect([status, error.code]).toEqual([409, 'auth.emailVerified'])
  })

  it('confirms nothing when the user is moved to another address meanwhile', async () => {
    const [me, admin] = await Promise.all([newUser(), newAdmin()])
    const email = `moved-${crypto.randomUUID()}@coffer.test`
    const service = serviceWithMail({
      meanwhile: () => ok(updateUser, { as: admin, id: me.id, json: { email } }),
    })
    expect((await service.call(resendConfirmation, { as: me })).status).toBe(200)
    const [letter] = await service.letters()
    expect(letter?.to).toBe(me.email)
    expect((await verify(codeIn(letter))).status).toBe(400)
    expect(await ok(getMe, { as: me })).toMatchObject({ email, emailVerified: false })
  })

  it('comes five times in fifteen minutes', async () => {
    const [me, other] = await Promise.all([newUser(), newUser()])
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => call(resendConfirmation, { as: me })),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(5)
    const sixth = await call(resendConfirmation, { as: me })
    expect([sixth.status, sixth.headers.has('Retry-After')]).toEqual([429, true])
    expect((await call(resendConfirmation, { as: other })).status).toBe(200)
  })
})
