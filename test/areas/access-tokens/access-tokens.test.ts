import { describe, expect, it } from 'vitest'
import {
  createAccessToken,
  deleteAccessToken,
  getAccessToken,
  listAccessTokens,
  listScopes,
  updateAccessToken,
} from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { getMe, logout } from '../../../src/areas/identity/auth/auth.routes.ts'
import { createRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { revokeUserSessions } from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { getAccountByID, updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { SCOPES } from '../../../src/domain/scopes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { giveToken, tokenFor } from './tokens.ts'

const HOUR = 60 * 60 * 1000
const inAnHour = () => new Date(Date.now() + HOUR).toISOString()

describe('creating one', () => {
  it('shows its text once, and keeps a hash of it', async () => {
    const me = await newUser()
    const { token, ...created } = await ok(createAccessToken, {
      as: me,
      json: { name: 'Spreadsheet', scopes: ['transactions.write', 'read'], expiresAt: inAnHour() },
    })
    expect(token).toMatch(/^pat_[0-9a-z]{26}_[\w-]{43}$/)
    expect(created.scopes).toEqual(['read', 'transactions.write'])
    expect(created).toMatchObject({ name: 'Spreadsheet', accountIds: null, lastUsedAt: null })
    expect(created.tokenPrefix).toBe(`pat_…_${token.slice(31, 35)}`)
    const shown = await call(getAccessToken, { as: me, id: created.id })
    expect(shown.body).toEqual(created)
    const list = await call(listAccessTokens, { as: me })
    expect(list.body).toEqual({ tokens: [created], count: 1, nextCursor: null })
    expect(list.text + shown.text).not.toContain(token.slice(31))
    const stored = JSON.stringify(await rows('SELECT * FROM personal_access_tokens'))
    expect(stored).not.toContain(token.slice(35))
  })

  it('refuses a scope that the owner does not hold', async () => {
    const { status, error } = await call(createAccessToken, {
      as: await newUser(),
      json: { name: 'Too much', scopes: ['roles.read'] },
    })
    expect([status, error.code, error.field]).toEqual([403, 'accessTokens.notHeld', 'scopes'])
  })

  it.each(['tokens.write', 'sessions.write', 'mfa.write', 'profile.write', 'profile.delete'])(
    'has no scope %s, which needs a person',
    async (scope) => {
      const { status, error } = await call(createAccessToken, {
        as: await newAdmin(),
        raw: { body: JSON.stringify({ name: 'Person', scopes: [scope] }) },
      })
      expect([status, error.field]).toEqual([400, 'scopes.0'])
    },
  )

  it.each([
    ['no scope', { scopes: [] }, 'scopes'],
    ['a made-up scope', { scopes: ['all'] }, 'scopes.0'],
    ['no name', { name: '' }, 'name'],
    ['no account', { accountIds: [] }, 'accountIds'],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['a day as its end', { expiresAt: '2030-01-01' }, 'expiresAt'],
    ['a day that does not exist', { expiresAt: '2030-02-30T00:00:00Z' }, 'expiresAt'],
    ['an unknown field', { extra: 1 }, 'extra'],
  ])('refuses %s', async (_, wrong, field) => {
    const { status, error } = await call(createAccessToken, {
      as: await newUser(),
      raw: { body: JSON.stringify({ name: 'x', scopes: ['read'], ...wrong }) },
    })
    expect([status, error.field]).toEqual([400, field])
  })

  it('says where the scopes are listed', async () => {
    const { error } = await call(createAccessToken, {
      as: await newUser(),
      raw: { body: JSON.stringify({ name: 'x', scopes: ['all'] }) },
    })
    expect(error.error).toBe('scopes.0 must be one of the scopes that GET /auth/scope lists.')
  })

  it('refuses an account that the owner does not see, like one that never was', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const foreign = await newAccount(other)
    const answers = await Promise.all(
      [foreign.id, 'acc_00000000000000000000000000'].map((id) =>
        call(createAccessToken, {
          as: me,
          json: { name: 'x', scopes: ['read'], accountIds: [id] },
        }),
      ),
    )
    expect(answers.map(({ status, error }) => [status, error.code, error.error])).toEqual(
      Array.from({ length: 2 }, () => [
        400,
        'accessTokens.unknownAccount',
        'This account does not exist, or you cannot see it.',
      ]),
    )
  })

  it('stops at a hundred, however parallel', async () => {
    const me = await newUser()
    await rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 98)
        INSERT INTO personal_access_tokens (id, user_id, name, token_hash, token_prefix, scopes, created_at, updated_at)
        SELECT ?1 || i, ?1, 'x', ?1 || i, 'x', '["read"]', 0, 0 FROM n`,
      me.id,
    )
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        call(createAccessToken, { as: me, json: { name: 'x', scopes: ['read'] } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.error.code).toBe('accessTokens.tooMany')
  })

  it('answers a repeated request with the same token', async () => {
    const me = await newUser()
    const asked = {
      as: me,
      json: { name: 'x', scopes: ['read' as const] },
      headers: { 'Idempotency-Key': 'one' },
    }
    const [first, second] = [
      await call(createAccessToken, asked),
      await call(createAccessToken, asked),
    ]
    expect(second.body.token).toBe(first.body.token)
    expect((await ok(listAccessTokens, { as: me })).count).toBe(1)
  })
})

describe('the scopes', () => {
  it('tells which of them the caller may pass on', async () => {
    const { scopes } = await ok(listScopes, { as: await newUser() })
    const held = Object.fromEntries(scopes.map((scope) => [scope.key, scope.held]))
    expect(held).toMatchObject({ read: true, 'accounts.write': true, 'roles.read': false })
    expect(held).not.toHaveProperty('profile.write')
  })
})

describe('changing one', () => {
  it('renames and narrows', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const { id } = await giveToken(me, ['read', 'transactions.write'])
    const end = inAnHour()
    const narrowed = await ok(updateAccessToken, {
      as: me,
      id,
      json: {
        name: 'Less',
        scopes: ['accounts.read'],
        accountIds: [one.id, two.id],
        expiresAt: end,
      },
    })
    expect(narrowed).toMatchObject({
      name: 'Less',
      scopes: ['accounts.read'],
      accountIds: [one.id, two.id],
      expiresAt: end,
      version: 2,
    })
    const less = await ok(updateAccessToken, { as: me, id, json: { accountIds: [two.id] } })
    expect(less.accountIds).toEqual([two.id])
    expect(await ok(getAccessToken, { as: me, id })).toEqual(less)
  })

  it.each([
    ['scopes', { scopes: ['accounts.read', 'accounts.write'] }],
    ['scopes', { scopes: ['read'] }],
    ['accountIds', { accountIds: ['acc_other'] }],
    ['expiresAt', { expiresAt: new Date(Date.now() + 2 * HOUR).toISOString() }],
  ] as const)('never widens its %s', async (field, wider) => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id } = await ok(createAccessToken, {
      as: me,
      json: {
        name: 'x',
        scopes: ['accounts.read'],
        accountIds: [account.id],
        expiresAt: inAnHour(),
      },
    })
    const before = await ok(getAccessToken, { as: me, id })
    const { status, error } = await call(updateAccessToken, {
      as: me,
      id,
      raw: { body: JSON.stringify(wider) },
    })
    expect([status, error.code, error.field]).toEqual([400, 'accessTokens.wider', field])
    expect(await ok(getAccessToken, { as: me, id })).toEqual(before)
  })

  it('works on the next request of the token', async () => {
    const me = await newUser()
    const token = await giveToken(me, ['profile.read', 'accounts.read'])
    expect((await call(getMe, { as: token })).status).toBe(200)
    await ok(updateAccessToken, { as: me, id: token.id, json: { scopes: ['accounts.read'] } })
    expect((await call(getMe, { as: token })).status).toBe(403)
  })

  it('stops a command of the token that has read before', async () => {
    const me = await newUser()
    const { id, name } = await newAccount(me)
    const token = await giveToken(me, ['accounts.read', 'accounts.write'])
    const narrow = () =>
      ok(updateAccessToken, { as: me, id: token.id, json: { scopes: ['accounts.read'] } })
    const service = serviceWith({ meanwhile: narrow })
    const { status } = await service.call(updateAccount, { as: token, id, json: { name: 'Other' } })
    expect([status, (await ok(getAccountByID, { as: me, id })).name]).toEqual([403, name])
  })

  it('honours If-Match', async () => {
    const me = await newUser()
    const { id } = await giveToken(me, ['read'])
    const { headers } = await call(getAccessToken, { as: me, id })
    const etag = { 'If-Match': headers.get('ETag') ?? '' }
    await ok(updateAccessToken, { as: me, id, json: { name: 'y' }, headers: etag })
    const stale = [
      await call(updateAccessToken, { as: me, id, json: { name: 'z' }, headers: etag }),
      await call(deleteAccessToken, { as: me, id, headers: etag }),
    ]
    expect(stale.map(({ status }) => status)).toEqual([412, 412])
  })
})

describe('an end', () => {
  it('comes by revoking, at once', async () => {
    const me = await newUser()
    const token = await giveToken(me, ['read'])
    await ok(deleteAccessToken, { as: me, id: token.id })
    expect((await call(getMe, { as: token })).status).toBe(401)
    expect((await call(deleteAccessToken, { as: me, id: token.id })).status).toBe(404)
  })

  it('comes when its time is over', async () => {
    const me = await newUser()
    const { token } = await ok(createAccessToken, {
      as: me,
      json: { name: 'x', scopes: ['read'], expiresAt: inAnHour() },
    })
    const later = serviceWith({ ahead: HOUR })
    expect((await call(getMe, { as: { accessToken: token } })).status).toBe(200)
    expect((await later.call(getMe, { as: { accessToken: token } })).status).toBe(401)
  })

  it.each(['disabled', 'deleted'])('comes with an owner who is %s', async (state) => {
    const me = await newUser()
    const token = await giveToken(me, ['read'])
    await rows('UPDATE users SET status = ? WHERE id = ?', state, me.id)
    expect((await call(getMe, { as: token })).status).toBe(401)
  })

  it('does not come with the session that made it', async () => {
    const me = await newUser()
    const token = await giveToken(me, ['read'])
    await ok(logout, { as: me })
    expect((await call(getMe, { as: token })).status).toBe(200)
  })
})

describe('using one', () => {
  it('tells who calls, with what of the owner’s permissions the scopes leave', async () => {
    const me = await newAdmin()
    const { id, ...token } = await giveToken(me, ['read', 'roles.read'])
    const answer = await ok(getMe, { as: token })
    expect(answer).toMatchObject({
      id: me.id,
      token: { id, scopes: ['read', 'roles.read'], accountIds: null, expiresAt: null },
    })
    expect(answer.permissions).toContain('roles.read')
    expect(answer.permissions).toContain('accounts.read')
    expect(answer.permissions).not.toContain('accounts.write')
    expect(answer.permissions).not.toContain('users.read')
    expect((await ok(getMe, { as: me })).token).toBeNull()
  })

  it('never gives more than the owner has at that moment', async () => {
    const me = await newAdmin()
    const token = await giveToken(me, ['read', 'roles.write'])
    const asked = () =>
      call(createRole, {
        as: token,
        json: { name: `Role ${crypto.randomUUID()}`, permissions: ['roles.write'] },
      })
    expect((await asked()).status).toBe(201)
    await rows("DELETE FROM user_roles WHERE user_id = ? AND role_id = 'rol_admin'", me.id)
    expect((await asked()).status).toBe(403)
  })

  it('grants through it only what its scopes hold, not what its owner holds', async () => {
    const token = await giveToken(await newAdmin(), ['roles.write'])
    const { status, error } = await call(createRole, {
      as: token,
      json: { name: `Role ${crypto.randomUUID()}`, permissions: ['users.write'] },
    })
    expect([status, error.code]).toEqual([403, 'roles.permissionNotHeld'])
  })

  it('is noted to ten minutes, in the trip that checks it', async () => {
    const begun = Date.now()
    const me = await newUser()
    const token = await giveToken(me, ['read'])
    const lastUsed = async () => (await ok(getAccessToken, { as: me, id: token.id })).lastUsedAt
    const { headers } = await call(getMe, { as: token })
    expect(headers.get('Server-Timing')).toContain('1 trips')
    const first = await lastUsed()
    expect(Date.parse(first ?? '')).toBeGreaterThanOrEqual(begun)
    await call(getMe, { as: token })
    expect(await lastUsed()).toBe(first)
    await serviceWith({ ahead: 11 * 60_000 }).call(getMe, { as: token })
    expect(Date.parse((await lastUsed()) ?? '')).toBeGreaterThan(begun + 10 * 60_000)
  })

  it('shows in the log whose token did what', async () => {
    const me = await newUser()
    const token = await giveToken(me, ['accounts.write'])
    const account = await newAccount(token)
    const log = await rows(
      'SELECT actor_type, actor_id, token_id FROM log_entries WHERE resource_id = ?',
      account.id,
    )
    expect(log).toEqual([{ actor_type: 'token', actor_id: me.id, token_id: token.id }])
  })

  it('shows in the log also where it ended itself', async () => {
    const me = await newAdmin()
    const token = await giveToken(me, SCOPES)
    await ok(revokeUserSessions, { as: token, id: me.id })
    expect((await call(getMe, { as: token })).status).toBe(401)
    const log = await rows(
      "SELECT actor_type, token_id FROM log_entries WHERE resource_id = ? AND type = 'user.sessionsRevoked'",
      me.id,
    )
    expect(log).toEqual([{ actor_type: 'token', token_id: token.id }])
  })

  it('does not get answers that were kept for its owner', async () => {
    const me = await newUser()
    const token = await giveToken(me, ['accounts.write'])
    const headers = { 'Idempotency-Key': 'shared' }
    const create = (as: Principal) =>
      serviceWith({}).call(
        { method: 'post', path: '/account', responses: { 201: {}, 409: {} } },
        { as, json: { name: 'Twice', type: 'cash', currency: 'EUR' }, headers },
      )
    expect((await create(me)).status).toBe(201)
    const { status, error } = await create(token)
    expect([status, error.code]).toEqual([409, 'accounts.nameTaken'])
  })
})

it('shows and changes nobody else’s: theirs is like one that never was', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const { id } = await giveToken(other, ['read'])
  const routes = [
    [getAccessToken, {}],
    [updateAccessToken, { json: { name: 'Mine' } }],
    [deleteAccessToken, {}],
  ] as const
  for (const [route, more] of routes) {
    const answers = await Promise.all(
      [id, 'tok_00000000000000000000000000'].map((one) =>
        serviceWith({}).call(route, { as: me, id: one, ...more }),
      ),
    )
    const seen = answers.map(({ status, error }) => [status, error.code, error.error])
    expect(seen).toEqual(
      Array.from({ length: 2 }, () => [
        404,
        'accessTokens.notFound',
        'This personal access token does not exist.',
      ]),
    )
  }
  expect((await ok(listAccessTokens, { as: me })).count).toBe(0)
})

it('is refused in every form but its own', async () => {
  const me = await newUser()
  const [mine, other] = [await tokenFor(me, ['read']), await newUser()]
  const [, user = '', secret = ''] = /^pat_(.{26})_(.*)$/.exec(mine) ?? []
  const forged = [
    `pat_${user}_${secret.slice(0, -1)}`,
    `pat_${user}_${secret}A`,
    `pat_${user}_${secret.toLowerCase()}`,
    `pat_${user.toUpperCase()}_${secret}`,
    `pat_${other.id.slice(4)}_${secret}`,
    `pat_${user}_${'A'.repeat(43)}`,
    `pat_${secret}`,
    `PAT_${user}_${secret}`,
    `pat_${user}`,
    `usr_${user}_${secret}`,
    `${mine}=`,
    `${mine}.${mine}`,
  ]
  for (const accessToken of forged) {
    const { status, error } = await call(getMe, { as: { accessToken } })
    expect([status, error.code], accessToken).toEqual([401, 'auth.tokenInvalid'])
  }
  expect((await call(getMe, { as: { accessToken: mine } })).status).toBe(200)
})
