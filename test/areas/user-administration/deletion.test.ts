import { describe, expect, it } from 'vitest'
import {
  login as loginRoute,
  loginMfa,
  refreshToken as refreshTokenRoute,
  verifyEmail,
  forgotPassword,
  resetPassword,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { exchangeProviderCode } from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { updateSettings } from '../../../src/areas/identity/settings/settings.routes.ts'
import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  restoreUser,
  updateUser,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { sha256Text } from '../../../src/platform/secrets/crypto.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { turnMfaOn } from '../auth/authenticator.ts'
import { serviceWithMail } from '../auth/mails.ts'
import { newCode } from '../identity-providers/providers.ts'
import { logOf, rowOf, statusOf } from './people.ts'

const DAY = 24 * 60 * 60 * 1000

describe('deleting a user', () => {
  it('ends every session at once, and says when everything will be erased', async () => {
    const as = await newAdmin()
    const user = await newUser()
    const before = await ok(getUser, { as, id: user.id })
    const { body, headers } = await call(deleteUser, { as, id: user.id })
    expect(body).toEqual({
      ...before,
      status: 'deleted',
      deletionDueAt: new Date(Date.parse(body.updatedAt) + 30 * DAY).toISOString(),
      version: 2,
      updatedAt: body.updatedAt,
    })
    expect(headers.get('Server-Timing')).toContain('2 trips')
    expect(await ok(getUser, { as, id: user.id })).toEqual(body)
    expect(await statusOf(user)).toBe(401)
    const query = { search: user.email, status: 'deleted' }
    expect((await ok(listUsers, { as, query })).count).toBe(1)
  })

  it('gives the time of grace that administrators have set', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    await ok(updateSettings, { as, json: { deletionGraceDays: 3 } })
    const { deletionDueAt, updatedAt } = await ok(deleteUser, { as, id })
    await ok(updateSettings, { as, json: { deletionGraceDays: null } })
    expect(Date.parse(deletionDueAt ?? '') - Date.parse(updatedAt)).toBe(3 * DAY)
  })

  it('keeps the address taken', async () => {
    const as = await newAdmin()
    const { id, email } = await newUser()
    await ok(deleteUser, { as, id })
    const { status, error } = await call(createUser, { as, json: { email, name: 'Next' } })
    expect([status, error.code]).toEqual([409, 'users.emailTaken'])
  })

  it('is done once, and not undone by a change of the state', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    const { deletionDueAt } = await ok(deleteUser, { as, id })
    const later = await serviceWith({ ahead: DAY / 2 ** 7 }).call(deleteUser, { as, id })
    expect([later.status, later.error]).toMatchObject([409, { code: 'users.deleted' }])
    for (const status of ['active', 'disabled'] as const) {
      const { error } = await call(updateUser, { as, id, json: { status } })
      expect([error.code, error.field]).toEqual(['users.deleted', 'status'])
    }
    const renamed = await ok(updateUser, { as, id, json: { name: 'Still there' } })
    expect(renamed).toMatchObject({ status: 'deleted', deletionDueAt })
  })

  it('refuses another version than the one that is there', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    const headers = { 'If-Match': '"7-x"' }
    expect((await call(deleteUser, { as, id, headers })).error.code).toBe('request.stale')
    const meanwhile = () => ok(updateUser, { as, id, json: {} })
    const raced = await serviceWith({ meanwhile }).call(deleteUser, { as, id })
    expect([raced.status, raced.error]).toMatchObject([409, { code: 'request.conflict' }])
    expect((await rowOf(id)).status).toBe('active')
  })

  it('is 404 for nobody', async () => {
    const as = await newAdmin()
    for (const route of [deleteUser, restoreUser] as const) {
      expect((await call(route, { as, id: someId('usr') })).error.code).toBe('users.notFound')
    }
  })
})

describe('restoring a user', () => {
  it('makes a deleted one active again, who then signs in as before', async () => {
    const as = await newAdmin()
    const user = await newUser()
    await ok(deleteUser, { as, id: user.id })
    const restored = await ok(restoreUser, { as, id: user.id })
    expect(restored).toMatchObject({ status: 'active', deletionDueAt: null, version: 3 })
    expect(await statusOf(user)).toBe(401)
    const { email, password } = user
    expect((await call(loginRoute, { json: { email, password } })).status).toBe(200)
    expect((await logOf(user.id)).map(({ type }) => type)).toEqual([
      'user.deleted',
      'user.restored',
    ])
    const [, entry] = await logOf(user.id)
    expect(JSON.parse(entry?.content ?? '')).toEqual({
      before: { status: 'deleted', deletionDueAt: expect.any(Number) },
      after: { status: 'active', deletionDueAt: null },
    })
  })

  it('takes the date from one who asked for it and is in meanwhile, and leaves the state', async () => {
    const as = await newAdmin()
    const [active, disabled] = [await newUser(), await newUser()]
    await ok(updateUser, { as, id: disabled.id, json: { status: 'disabled' } })
    await rows('UPDATE users SET deletion_due_at = 9e12 WHERE id IN (?, ?)', active.id, disabled.id)
    expect(await ok(getUser, { as, id: active.id })).toMatchObject({
      status: 'active',
      deletionDueAt: new Date(9e12).toISOString(),
    })
    expect(await ok(restoreUser, { as, id: active.id })).toMatchObject({
      status: 'active',
      deletionDueAt: null,
    })
    expect((await ok(restoreUser, { as, id: disabled.id })).status).toBe('disabled')
    expect(await statusOf(active)).toBe(200)
  })

  it('is refused where there is nothing to take back', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    const { status, error } = await call(restoreUser, { as, id })
    expect([status, error.code]).toEqual([409, 'users.notDeleted'])
  })

  it('is refused when the time is up', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    await rows(
      "UPDATE users SET status = 'deleted', deletion_due_at = ? WHERE id = ?",
      Date.now(),
      id,
    )
    const { status, error } = await call(restoreUser, { as, id })
    expect([status, error.code]).toEqual([409, 'users.beingErased'])
  })

  it('finds nobody in the row that erasure may leave', async () => {
    const as = await newAdmin()
    const { id, email } = await newUser()
    await rows("UPDATE users SET status = 'deleted', deletion_due_at = NULL WHERE id = ?", id)
    for (const route of [getUser, deleteUser, restoreUser] as const) {
      expect((await call(route, { as, id })).error.code).toBe('users.notFound')
    }
    expect((await ok(listUsers, { as, query: { search: email } })).count).toBe(0)
  })

  it('happens once, however many ask for it', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    await ok(deleteUser, { as, id })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(restoreUser, { as, id })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await logOf(id)).filter(({ type }) => type === 'user.restored')).toHaveLength(1)
  })
})

const TAKEN_OUT = {
  disabled: (as: TestUser, id: string) => ok(updateUser, { as, id, json: { status: 'disabled' } }),
  deleted: (as: TestUser, id: string) => ok(deleteUser, { as, id }),
}

describe.each(Object.entries(TAKEN_OUT))('a %s user', (_, takeOut) => {
  it('gets in by no door', async () => {
    const admin = await newAdmin()
    const [user, careful] = [await newUser(), await newUser()]
    const { recoveryCodes } = await turnMfaOn(careful)
    const codes = {
      passwordReset: `pwr_${user.id}`,
      emailVerification: `emv_${user.id}`,
      emailChange: `emc_${user.id}`,
    }
    for (const [purpose, code] of Object.entries(codes)) {
      await rows(
        'INSERT INTO one_time_tokens (token_hash, purpose, user_id, email, created_at, expires_at) VALUES (?, ?, ?, ?, 0, 9e15)',
        sha256Text(code),
        purpose,
        user.id,
        purpose === 'emailChange' ? `moved-${user.email}` : null,
      )
    }
    const token = await giveToken(user, ['read'])
    const { json: providerCode, issuer, subject } = await newCode(user.email)
    await rows(
      'INSERT INTO external_identities (id, user_id, issuer, subject, created_at) VALUES (?1, ?1, ?2, ?3, 0)',
      user.id,
      issuer,
      subject,
    )
    const { email, password } = careful
    const challenge = await ok(loginRoute, { json: { email, password } })
    const mfaToken = 'mfaToken' in challenge ? challenge.mfaToken : ''

    await takeOut(admin, user.id)
    await takeOut(admin, careful.id)

    const [code = ''] = recoveryCodes
    const { refreshToken } = user
    const fresh = `a fine password ${crypto.randomUUID()}`
    const service = serviceWithMail()
    const doors = {
      session: call(listUsers, { as: user }),
      'access token': call(listUsers, { as: token }),
      password: call(loginRoute, { json: { email: user.email, password: user.password } }),
      'refresh token': call(refreshTokenRoute, { json: { refreshToken } }),
      'second factor': call(loginMfa, { json: { mfaToken, code } }),
      'password beside a second factor': call(loginRoute, { json: { email, password } }),
      'identity provider': call(exchangeProviderCode, { json: providerCode }),
      'reset code': call(resetPassword, {
        json: { token: codes.passwordReset, password: fresh },
      }),
      'confirmation code': call(verifyEmail, { json: { token: codes.emailVerification } }),
      'code for another address': call(verifyEmail, { json: { token: codes.emailChange } }),
      'forgotten password': service.call(forgotPassword, { json: { email: user.email } }),
    }
    const statuses: Record<string, number> = {}
    for (const [door, answer] of Object.entries(doors)) {
      statuses[door] = (await answer).status
    }
    expect(statuses).toEqual({
      session: 401,
      'access token': 401,
      password: 401,
      'refresh token': 401,
      'second factor': 401,
      'password beside a second factor': 401,
      'identity provider': 403,
      'reset code': 400,
      'confirmation code': 400,
      'code for another address': 400,
      // The same answer as for anybody; but no mail goes out.
      'forgotten password': 200,
    })
    expect(await service.letters()).toEqual([])
    const open = await rows(
      'SELECT id FROM sessions WHERE user_id IN (?, ?) AND revoked_at IS NULL',
      user.id,
      careful.id,
    )
    expect(open).toEqual([])
  })
})
