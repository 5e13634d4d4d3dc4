import { describe, expect, it } from 'vitest'
import {
  login as loginRoute,
  loginMfa,
  forgotPassword,
  resetPassword,
  changePassword,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  getUser,
  setUserRoles,
  updateUser,
  resetUserMfa,
  resetUserPassword,
  revokeUserSessions,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { updateRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { isSessionOnly, permissionsOfRole } from '../../../src/domain/permissions.ts'
import type { Scope } from '../../../src/domain/scopes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { signIn, turnMfaOn } from '../auth/authenticator.ts'
import { codeIn, serviceWithMail } from '../auth/mails.ts'
import { giveRole, newHolder, newRole } from '../roles/holders.ts'
import { freshEmail, logOf, rowOf, statusOf } from './people.ts'

const MINUTE = 60_000
const fresh = () => `another fine password ${crypto.randomUUID()}`
const login = ({ email, password }: { email: string; password: string }) =>
  call(loginRoute, { json: { email, password } })
const reset = (token: string, password = fresh()) =>
  call(resetPassword, { json: { token, password } })

/** All that the role `user` permits and a token can have. */
const permissionsOfUser = permissionsOfRole('user', []).filter(
  (one) => !isSessionOnly(one),
) as Scope[]

const RESETS = [resetUserPassword, resetUserMfa] as const
const bodyOf = (route: unknown) =>
  route === resetUserPassword ? { json: { delivery: 'reveal' as const } } : {}

describe('resetting a password', () => {
  it.each(['mail', 'reveal'] as const)(
    'by %s makes the old one unusable and ends what is open',
    async (delivery) => {
      const as = await newAdmin()
      const user = await newUser()
      await turnMfaOn(user)
      const { email, password } = user
      const challenge = await ok(loginRoute, { json: { email, password } })
      const service = serviceWithMail()
      await service.call(forgotPassword, { json: { email } })
      const earlier = codeIn((await service.letters())[0])
      const answer = await service.call(resetUserPassword, {
        as,
        id: user.id,
        json: { delivery },
      })
      expect([answer.status, answer.headers.get('Server-Timing')]).toEqual([
        200,
        expect.stringContaining('2 trips'),
      ])
      expect(await statusOf(user)).toBe(401)
      expect((await login(user)).status).toBe(401)
      expect((await reset(earlier)).error.code).toBe('auth.invalidToken')
      expect(await rows('SELECT * FROM mfa_challenges WHERE user_id = ?', user.id)).toEqual([])
      expect('mfaToken' in challenge).toBe(true)
      expect(await ok(getUser, { as, id: user.id })).toMatchObject({
        hasPassword: false,
        mfaEnabled: true,
      })
    },
  )

  it('by mail sends a code that is good for an hour, and shows it to nobody else', async () => {
    const as = await newAdmin()
    const user = await newUser()
    const service = serviceWithMail()
    const asked = { as, id: user.id, json: { delivery: 'mail' } }
    const { body, text } = await service.call<{ expiresAt: string }>(resetUserPassword, asked)
    const [letter, ...others] = await service.letters()
    expect(letter).toMatchObject({ to: user.email, subject: 'Choose a new password for Coffer' })
    expect(others).toEqual([])
    const token = codeIn(letter)
    expect(body).toEqual({ token: null, expiresAt: expect.any(String) })
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(59 * MINUTE)
    expect(text + JSON.stringify(await logOf(user.id))).not.toContain(token)
    const json = { token, password: fresh() }
    const late = serviceWith({ ahead: 60 * MINUTE })
    expect((await late.call(resetPassword, { json })).status).toBe(400)
    expect((await reset(token)).status).toBe(200)
    expect((await reset(token)).status).toBe(400)
  })

  it('by revealing answers a code once that is good for a day, and mails nothing', async () => {
    const as = await newAdmin()
    const user = await newUser()
    const service = serviceWithMail()
    const asked = { as, id: user.id, json: { delivery: 'reveal' } }
    const { body } = await service.call<{ token: string }>(resetUserPassword, asked)
    expect(await service.letters()).toEqual([])
    expect(body.token).toMatch(/^pwr_[\w-]{43}$/)
    const stored = JSON.stringify([
      await rows('SELECT * FROM one_time_tokens WHERE user_id = ?', user.id),
      await rows('SELECT sealed_answer FROM idempotency_keys'),
      await logOf(user.id),
    ])
    expect(stored).not.toContain(body.token.slice(4))
    const password = fresh()
    const json = { token: body.token, password }
    const late = serviceWith({ ahead: 24 * 60 * MINUTE })
    expect((await late.call(resetPassword, { json })).status).toBe(400)
    expect((await call(resetPassword, { json })).status).toBe(200)
    expect((await login({ ...user, password })).status).toBe(200)
  })

  it('reveals a code that is worthless once its user is permitted more', async () => {
    const [helper, admin] = [await newHolder(['users.write']), await newAdmin()]
    const [raised, same, widened] = [await newUser(), await newUser(), await newUser()]
    const role = await newRole([], admin)
    await giveRole(widened.id, role.id)
    const reveal = async ({ id }: TestUser) => {
      const json = { delivery: 'reveal' as const }
      return (await ok(resetUserPassword, { as: helper, id, json })).token ?? ''
    }
    const codes = [await reveal(raised), await reveal(same), await reveal(widened)] as const
    const roleIds = ['rol_user', 'rol_admin']
    await ok(setUserRoles, { as: admin, id: raised.id, json: { roleIds } })
    await ok(updateRole, { as: admin, id: role.id, json: { permissions: ['roles.read'] } })
    const statuses = []
    for (const code of codes) {
      statuses.push((await reset(code)).status)
    }
    expect(statuses).toEqual([400, 200, 400])
  })

  it.each([
    [
      'administers users no more',
      "DELETE FROM user_roles WHERE user_id = ? AND role_id <> 'rol_user'",
    ],
    [
      'is permitted less than the user',
      "DELETE FROM user_roles WHERE user_id = ? AND role_id = 'rol_user'",
    ],
    ['is disabled', "UPDATE users SET status = 'disabled' WHERE id = ?"],
  ])('reveals a code that is worthless once whoever saw it %s', async (_, change) => {
    const [helper, user] = [await newHolder(['users.write']), await newUser()]
    const json = { delivery: 'reveal' as const }
    const reveal = async () =>
      (await ok(resetUserPassword, { as: helper, id: user.id, json })).token ?? ''
    const early = await reveal()
    const meanwhile = () => rows(change, helper.id)
    const raced = await serviceWith({ meanwhile }).call(resetPassword, {
      json: { token: early, password: fresh() },
    })
    expect([raced.status, raced.error.code]).toEqual([400, 'auth.invalidToken'])
    expect((await reset(early)).status).toBe(400)
    expect((await rowOf(user.id)).password_hash).toBeNull()
  })

  it('does not let a code through a promotion in the same moment', async () => {
    const admin = await newAdmin()
    const { id } = await newUser()
    const json = { delivery: 'reveal' as const }
    const { token } = await ok(resetUserPassword, { as: admin, id, json })
    const roleIds = ['rol_user', 'rol_admin']
    const service = serviceWith({
      meanwhile: () => ok(setUserRoles, { as: admin, id, json: { roleIds } }),
    })
    const asked = { json: { token, password: fresh() } }
    expect((await service.call(resetPassword, asked)).status).toBe(400)
  })

  it('reveals none to a personal access token, which could live on through it', async () => {
    const admin = await newAdmin()
    const { id } = await newUser()
    const as = await giveToken(admin, ['users.write', ...permissionsOfUser])
    const ask = (delivery: 'mail' | 'reveal') =>
      call(resetUserPassword, { as, id, json: { delivery } })
    const { status, error } = await ask('reveal')
    expect([status, error.code, error.field]).toEqual([403, 'users.revealNeedsPerson', 'delivery'])
    expect((await ask('mail')).status).toBe(200)
  })

  it('answers a repeated request with the same code', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const asked = { as, id, json: { delivery: 'reveal' as const }, headers }
    const [first, second] = [
      await call(resetUserPassword, asked),
      await call(resetUserPassword, asked),
    ]
    expect(second.text).toBe(first.text)
    expect((await reset(second.body.token ?? '')).status).toBe(200)
  })

  it('lets a user whose code is too old ask for another one', async () => {
    const as = await newAdmin()
    const user = await newUser()
    await ok(resetUserPassword, { as, id: user.id, json: { delivery: 'mail' } })
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email: user.email } })
    expect((await reset(codeIn((await service.letters())[0]))).status).toBe(200)
  })

  it('leaves no way in to a sign-in or a change with the old one that is under way', async () => {
    const as = await newAdmin()
    const user = await newUser()
    const meanwhile = () => ok(resetUserPassword, { as, id: user.id, json: { delivery: 'reveal' } })
    const { email, password } = user
    const slow = await serviceWith({ meanwhile }).call(loginRoute, { json: { email, password } })
    expect(slow.status).toBe(401)
    const other = await newUser()
    const change = await serviceWith({
      meanwhile: () => ok(resetUserPassword, { as, id: other.id, json: { delivery: 'reveal' } }),
    }).call(changePassword, {
      as: other,
      json: { currentPassword: other.password, newPassword: fresh() },
    })
    expect(change.status).toBe(401)
    expect((await rowOf(other.id)).password_hash).toBeNull()
  })

  it('mails no code to an address that was changed meanwhile', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    const meanwhile = () => ok(updateUser, { as, id, json: { email: freshEmail() } })
    const { status, error } = await serviceWith({ meanwhile }).call(resetUserPassword, {
      as,
      id,
      json: { delivery: 'mail' },
    })
    expect([status, error]).toMatchObject([409, { code: 'request.conflict' }])
  })

  it('gives a code to a disabled user that works once it is enabled', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    await ok(updateUser, { as, id, json: { status: 'disabled' } })
    const json = { delivery: 'reveal' as const }
    const { token } = await ok(resetUserPassword, { as, id, json })
    expect((await reset(token ?? '')).status).toBe(400)
    await ok(updateUser, { as, id, json: { status: 'active' } })
    expect((await reset(token ?? '')).status).toBe(200)
  })

  it.each([
    ['no delivery', {}, 'delivery'],
    ['another delivery', { delivery: 'pigeon' }, 'delivery'],
    ['a password', { delivery: 'mail', password: 'x' }, 'password'],
  ])('refuses %s', async (_, json, field) => {
    const { id } = await newUser()
    const raw = { body: JSON.stringify(json) }
    const answer = await call(resetUserPassword, { as: await newAdmin(), id, raw })
    expect([answer.status, answer.error.field]).toEqual([400, field])
  })
})

describe('resetting the second factor', () => {
  /** A user with a second factor and a password that is good enough only beside it. */
  async function userWithShortPassword(): Promise<TestUser> {
    const user = await newUser()
    await turnMfaOn(user)
    const newPassword = 'kz8 wq2v'
    const { password: currentPassword } = user
    await ok(changePassword, { as: user, json: { currentPassword, newPassword } })
    return { ...user, password: newPassword }
  }

  it('removes it with all its codes, ends what is open, and tells the user', async () => {
    const as = await newAdmin()
    const user = await newUser()
    const { recoveryCodes } = await turnMfaOn(user)
    const challenge = await ok(loginRoute, { json: pick(user) })
    const service = serviceWithMail()
    const before = await ok(getUser, { as, id: user.id })
    const { status, body } = await service.call<{ updatedAt: string }>(resetUserMfa, {
      as,
      id: user.id,
    })
    expect(status).toBe(200)
    const { version } = before
    expect(body).toEqual({
      ...before,
      mfaEnabled: false,
      version: version + 1,
      updatedAt: body.updatedAt,
    })
    expect(await ok(getUser, { as, id: user.id })).toEqual(body)
    expect(await statusOf(user)).toBe(401)
    const json = {
      mfaToken: 'mfaToken' in challenge ? challenge.mfaToken : '',
      code: recoveryCodes[0] ?? '',
    }
    expect((await call(loginMfa, { json })).status).toBe(401)
    for (const table of ['mfa_factors', 'mfa_recovery_codes', 'mfa_challenges']) {
      expect(await rows(`SELECT * FROM ${table} WHERE user_id = ?`, user.id)).toEqual([])
    }
    expect(await service.letters()).toMatchObject([
      { to: user.email, subject: 'Your second factor for Coffer was removed' },
    ])
    expect((await logOf(user.id)).map(({ type }) => type)).toEqual(['user.mfaReset'])
    await turnMfaOn({ ...user, ...(await signIn(user)) })
  })

  it('makes a password unusable that is too short without it, and mails a code for another', async () => {
    const as = await newAdmin()
    const user = await userWithShortPassword()
    const service = serviceWithMail()
    const { body } = await service.call(resetUserMfa, { as, id: user.id })
    expect(body).toMatchObject({ mfaEnabled: false, hasPassword: false })
    expect(await ok(getUser, { as, id: user.id })).toEqual(body)
    expect((await login(user)).status).toBe(401)
    const letters = await service.letters()
    expect(letters.map(({ subject }) => subject).toSorted()).toEqual([
      'Choose a new password for Coffer',
      'Your second factor for Coffer was removed',
    ])
    const token = codeIn(letters.find(({ text }) => text.includes('pwr_')))
    expect((await reset(token, 'kz8 wq2v')).error.code).toBe('auth.passwordTooShort')
    const password = fresh()
    expect((await reset(token, password)).status).toBe(200)
    await signIn({ ...user, password })
  })

  it('is refused when it is off, and done once', async () => {
    const as = await newAdmin()
    const [user, guarded] = [await newUser(), await newUser()]
    const { status, error } = await call(resetUserMfa, { as, id: user.id })
    expect([status, error.code]).toEqual([409, 'users.mfaOff'])
    await turnMfaOn(guarded)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(resetUserMfa, { as, id: guarded.id })),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(9)
  })
})

describe('one’s own credentials', () => {
  it.each(RESETS)('are not reset without proof of who one is: $operationId', async (route) => {
    const as = await newAdmin()
    const { status, error } = await call(route, { as, id: as.id, ...bodyOf(route) })
    expect([status, error.code]).toEqual([409, 'users.ownUser'])
    expect(await statusOf(as)).toBe(200)
  })
})

describe('revoking sessions', () => {
  it('signs a user out everywhere, deletes its access tokens, and leaves the password', async () => {
    const as = await newAdmin()
    const [user, other] = [await newUser(), await newUser()]
    const phone = await signIn(user)
    const token = await giveToken(user, ['read'])
    const kept = await giveToken(other, ['read'])
    const { status, headers } = await call(revokeUserSessions, { as, id: user.id })
    expect([status, headers.get('Server-Timing')]).toEqual([
      200,
      expect.stringContaining('2 trips'),
    ])
    for (const principal of [user, phone, token]) {
      expect(await statusOf(principal)).toBe(401)
    }
    expect([await statusOf(other), await statusOf(kept)]).toEqual([200, 200])
    expect(await rows('SELECT * FROM personal_access_tokens WHERE user_id = ?', user.id)).toEqual(
      [],
    )
    await signIn(user)
    expect((await logOf(user.id)).map(({ type }) => type)).toEqual(['user.sessionsRevoked'])
  })

  it('works on oneself, like signing out everywhere', async () => {
    const as = await newAdmin()
    expect((await call(revokeUserSessions, { as, id: as.id })).status).toBe(200)
    expect(await statusOf(as)).toBe(401)
  })

  it.each([...RESETS, revokeUserSessions])('is 404 for nobody: $operationId', async (route) => {
    const as = await newAdmin()
    const { status, error } = await call(route, { as, id: someId('usr'), ...bodyOf(route) })
    expect([status, error.code]).toEqual([404, 'users.notFound'])
  })
})

const pick = ({ email, password }: TestUser) => ({ email, password })
