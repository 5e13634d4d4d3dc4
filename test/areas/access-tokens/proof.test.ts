import { describe, expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  getMe,
  refreshToken as refreshTokenRoute,
  changeEmail,
  verifyEmail,
  logoutAll,
  forgotPassword,
  resetPassword,
  changePassword,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { resetUserPassword } from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { codeOf, turnMfaOn } from '../auth/authenticator.ts'
import { codeIn, serviceWithMail } from '../auth/mails.ts'
import { giveToken, tokenFor } from './tokens.ts'

// A token outlives the session that makes it: it takes a proof of who one is, and ends with what ends sessions.

const MINUTE = 60_000
const wanted = { name: 'A token', scopes: ['read' as const] }

/** A service to which every session is eleven minutes old. */
const late = serviceWith({ ahead: 11 * MINUTE })

const createLate = (as: TestUser, proof: object) =>
  late.call<{ token: string }>(createAccessToken, { as, json: { ...wanted, ...proof } })

describe('creating a token', () => {
  it('takes a sign-in of the last ten minutes for proof, which a refresh is not', async () => {
    const me = await newUser()
    const soon = serviceWith({ ahead: 9 * MINUTE })
    expect((await soon.call(createAccessToken, { as: me, json: wanted })).status).toBe(201)
    const { refreshToken } = me
    const fresh = await late.call<TestUser>(refreshTokenRoute, { json: { refreshToken } })
    for (const as of [me, fresh.body]) {
      const { status, error, headers } = await createLate(as, {})
      expect([status, error.code]).toEqual([403, 'auth.proofNeeded'])
      expect(headers.get('Server-Timing')).toContain('1 trips')
    }
  })

  it('takes the password, and counts who does not know it', async () => {
    const me = await newUser()
    const { status, headers } = await createLate(me, { password: me.password })
    expect([status, /\d+ trips/.exec(headers.get('Server-Timing') ?? '')?.[0]]).toEqual([
      201,
      '2 trips',
    ])
    // Also where the session alone would do.
    for (let at = 0; at < 10; at++) {
      const json = { ...wanted, password: 'wrong' }
      const { error } = await call(createAccessToken, { as: me, json })
      expect([error.code, error.field]).toEqual(['auth.wrongPassword', 'password'])
    }
    expect((await createLate(me, { password: me.password })).status).toBe(429)
  })

  it('takes a code of the app or a recovery code, once', async () => {
    const me = await newUser()
    const { secret, recoveryCodes } = await turnMfaOn(me)
    const app = await codeOf(secret, 22)
    for (const code of [app, recoveryCodes[0]]) {
      expect((await createLate(me, { code })).status).toBe(201)
      const again = await createLate(me, { code })
      expect([again.status, again.error.code, again.error.field]).toEqual([
        400,
        'auth.wrongCode',
        'code',
      ])
    }
    const both = await createLate(me, { code: '123456', password: me.password })
    expect([both.status, both.error.code]).toEqual([400, 'request.invalid'])
  })

  it('takes no code of who has no second factor', async () => {
    const { status, error } = await createLate(await newUser(), { code: '123456' })
    expect([status, error.code]).toEqual([400, 'auth.wrongCode'])
  })

  it('tells whether the proof or an account is gone by the time the token is stored', async () => {
    const me = await newUser()
    const { recoveryCodes } = await turnMfaOn(me)
    const [code = '', unused] = recoveryCodes
    const { id } = await newAccount(me)
    const create = (proof: object, meanwhile: () => Promise<unknown>) =>
      serviceWith({ meanwhile }).call(createAccessToken, {
        as: me,
        json: { ...wanted, accountIds: [id], ...proof },
      })
    const useCode = () => ok(createAccessToken, { as: me, json: { ...wanted, code } })
    const setPassword = () => rows("UPDATE users SET password_hash = 'x' WHERE id = ?", me.id)
    const removeIt = () => ok(deleteAccount, { as: me, id })
    const answers = [
      await create({ code }, useCode),
      await create({ password: me.password }, setPassword),
      await create({ code: unused }, removeIt),
    ]
    expect(answers.map(({ status, error }) => [status, error.code, error.field])).toEqual([
      [400, 'auth.wrongCode', 'code'],
      [400, 'auth.wrongPassword', 'password'],
      [400, 'accessTokens.unknownAccount', 'accountIds'],
    ])
  })

  it('counts no right password where the request fails for another reason', async () => {
    const me = await newUser()
    for (let at = 0; at < 12; at++) {
      const { error } = await createLate(me, { password: me.password, scopes: ['users.write'] })
      expect(error.code).toBe('accessTokens.notHeld')
    }
    expect((await createLate(me, { password: me.password })).status).toBe(201)
  })

  it('tells the owner by mail', async () => {
    const me = await newUser()
    const service = serviceWithMail()
    await service.call(createAccessToken, { as: me, json: { ...wanted, password: 'wrong' } })
    expect(await service.letters()).toEqual([])
    const { body } = await service.call<{ token: string }>(createAccessToken, {
      as: me,
      json: wanted,
    })
    const [letter, ...others] = await service.letters()
    expect([letter?.to, letter?.subject, others]).toEqual([
      me.email,
      'A new access token for your Coffer account',
      [],
    ])
    expect(letter?.text).not.toContain(body.token)
    expect(letter?.text).not.toContain(wanted.name)
  })
})

describe('tokens end', () => {
  /** A user with two tokens that work, and one that has expired. */
  async function holder() {
    const me = await newUser()
    const tokens = [await tokenFor(me, ['profile.read']), await tokenFor(me, ['profile.read'])]
    const { id } = await giveToken(me, ['profile.read'])
    await rows('UPDATE personal_access_tokens SET expires_at = 1 WHERE id = ?', id)
    const other = await newUser()
    const others = { accessToken: await tokenFor(other, ['profile.read']) }
    const alive = async () => {
      expect((await call(getMe, { as: others })).status).toBe(200)
      const statuses = await Promise.all(
        tokens.map(async (accessToken) => (await call(getMe, { as: { accessToken } })).status),
      )
      return statuses.filter((status) => status === 200).length
    }
    return { me, alive }
  }

  it('with signing out everywhere, unless they are kept', async () => {
    const { me, alive } = await holder()
    const kept = await newUser()
    const token = { accessToken: await tokenFor(kept, ['profile.read']) }
    const query = { keepTokens: 'true' }
    expect(await ok(logoutAll, { as: kept, query: query as never })).toEqual({
      message: 'Signed out everywhere. 0 personal access tokens ended.',
      tokensEnded: 0,
    })
    expect((await call(getMe, { as: token })).status).toBe(200)
    expect((await call(getMe, { as: kept })).status).toBe(401)
    expect(await ok(logoutAll, { as: me })).toEqual({
      message: 'Signed out everywhere. 2 personal access tokens ended.',
      tokensEnded: 2,
    })
    expect(await alive()).toBe(0)
  })

  it('with a new password, unless they are kept', async () => {
    const { me, alive } = await holder()
    const [one, two] = ['a first new password', 'a second new password']
    const kept = { currentPassword: me.password, newPassword: one, keepTokens: true }
    expect((await ok(changePassword, { as: me, json: kept })).tokensEnded).toBe(0)
    expect(await alive()).toBe(2)
    const json = { currentPassword: one, newPassword: two }
    expect(await ok(changePassword, { as: me, json })).toEqual({
      message:
        'The password was changed; other sessions have ended. 2 personal access tokens ended.',
      tokensEnded: 2,
    })
    expect(await alive()).toBe(0)
  })

  it('with a password that is set by mail, always', async () => {
    const { me, alive } = await holder()
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email: me.email } })
    const token = codeIn((await service.letters())[0])
    const json = { token, password: 'a first new password' }
    const kept = { raw: { body: JSON.stringify({ ...json, keepTokens: true }) } }
    expect((await call(resetPassword, kept)).status).toBe(400)
    expect((await ok(resetPassword, { json })).tokensEnded).toBe(2)
    expect(await alive()).toBe(0)
  })

  it('with another e-mail address, always', async () => {
    const { me, alive } = await holder()
    const email = `moved-${crypto.randomUUID()}@coffer.test`
    const service = serviceWithMail()
    await service.call(changeEmail, { as: me, json: { email, password: me.password } })
    const letters = await service.letters()
    expect(await alive()).toBe(2)
    const token = codeIn(letters.find(({ to }) => to === email))
    expect(await ok(verifyEmail, { json: { token } })).toEqual({
      message: 'The new address is confirmed; sign in with it. 2 personal access tokens ended.',
    })
    expect(await alive()).toBe(0)
  })

  it('with a password that an administrator makes unusable', async () => {
    const { me, alive } = await holder()
    await ok(resetUserPassword, { as: await newAdmin(), id: me.id, json: { delivery: 'mail' } })
    expect(await alive()).toBe(0)
  })
})
