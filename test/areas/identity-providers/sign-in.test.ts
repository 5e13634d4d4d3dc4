import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getMe, logout, refreshToken } from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  deleteIdentityProvider,
  updateIdentityProvider,
  authorizeWithProvider,
  exchangeProviderCode,
  findProviders,
  returnFromProvider,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { createRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { type Misconduct, oidcDouble, PROVIDER_TOKEN } from './oidc-double.ts'
import { journeysTo } from './journeys.ts'
import { newProvider } from './providers.ts'

let oidc: Awaited<ReturnType<typeof oidcDouble>>
beforeEach(async () => {
  oidc = await oidcDouble()
})
afterEach(() => vi.restoreAllMocks())

const { newRealm, begin, back, travel, enter } = journeysTo(() => oidc)

describe('the providers of an e-mail address', () => {
  it('are found by its domain, whatever its spelling', async () => {
    const { id, name, domain } = await newProvider()
    const expected = { providers: [{ id, name }] }
    for (const email of [`ada@${domain}`, `ADA@${domain.toUpperCase()}`, `"a@b"@${domain}`]) {
      expect(await ok(findProviders, { query: { email } })).toEqual(expected)
    }
    for (const email of ['ada@elsewhere.example', `ada@sub.${domain}`, domain, '@', 'x@y@']) {
      expect(await ok(findProviders, { query: { email } })).toEqual({ providers: [] })
    }
    expect((await call(findProviders)).status).toBe(400)
  })

  it('are only those that are switched on', async () => {
    const { domain } = await newProvider({ enabled: false })
    const query = { email: `ada@${domain}` }
    expect(await ok(findProviders, { query })).toEqual({ providers: [] })
  })
})

describe('the way to the provider', () => {
  it('carries what ties the way back to it, and leaves the rest with the browser', async () => {
    const { id } = await newRealm()
    const { location, headers } = await begin(id)
    const url = new URL(location)
    expect(`${url.origin}${url.pathname}`).toBe(`${oidc.issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'coffer',
      redirect_uri: `http://coffer.test/auth/provider/${id}/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(headers.get('Set-Cookie')).toMatch(
      new RegExp(
        `^coffer_flow_[\\w-]{16}=[\\w-]{43}; Max-Age=600; Path=/auth/provider/${id}; HttpOnly; SameSite=Lax$`,
      ),
    )
    expect(headers.get('Cache-Control')).toBe('no-store')
    const stored = JSON.stringify(
      await rows('SELECT * FROM sign_in_flows WHERE provider_id = ?', id),
    )
    const [, cookie = ''] = /=([\w-]{43});/.exec(headers.get('Set-Cookie') ?? '') ?? []
    for (const secret of [
      cookie,
      ...['state', 'nonce'].map((name) => url.searchParams.get(name)),
    ]) {
      expect(stored).not.toContain(secret)
    }
  })

  it('exists for providers that are switched on only', async () => {
    const { id } = await newRealm({ enabled: false })
    for (const one of [id, someId('idp')]) {
      const { status, error } = await call(authorizeWithProvider, { id: one })
      expect([status, error.code]).toEqual([404, 'auth.unknownProvider'])
    }
  })

  it.each([
    'https://evil.example/',
    'http://coffer.test.evil.example/',
    'http://coffer.test@evil.example/',
    'http://user:pw@coffer.test/',
    '//evil.example/',
    '/signed-in',
    'javascript:alert(1)',
    'https://app.example.com.evil.example/',
  ])('leads nobody to %s in the end', async (redirectUri) => {
    const { id } = await newRealm()
    const { status, error } = await call(authorizeWithProvider, { id, query: { redirectUri } })
    expect([status, error.code, error.field]).toEqual([
      400,
      'auth.redirectNotAllowed',
      'redirectUri',
    ])
  })

  it.each<[string, Misconduct]>([
    ['names another issuer', { description: { issuer: 'https://evil.example' } }],
    ['spells itself otherwise', { description: { issuer: `https://LOGIN.example/` } }],
    [
      'sends browsers to an inner address',
      { description: { authorization_endpoint: 'https://10.0.0.1/' } },
    ],
    [
      'sends browsers into a script',
      { description: { authorization_endpoint: 'javascript:alert(1)' } },
    ],
  ])('ends where a provider %s', async (_, wrong) => {
    const { id } = await newRealm()
    oidc.conduct.wrong = wrong
    const { status, error } = await call(authorizeWithProvider, { id })
    expect([status, error.code]).toEqual([503, 'auth.providerUnusable'])
  })

  it('is limited', async () => {
    const { id } = await newRealm()
    const service = serviceWith({
      env: { LOGIN_LIMIT_CLIENT: '1', CLIENT_IP_HEADER: 'X-Client' },
    })
    const headers = { 'X-Client': crypto.randomUUID() }
    const statuses = [
      await service.call(authorizeWithProvider, { id, headers }),
      await service.call(authorizeWithProvider, { id, headers }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([302, 429])
  })
})

describe('the way back', () => {
  it('brings in a person whom the service does not know, once, and knows them ever after', async () => {
    const { id, email } = await newRealm()
    const first = await enter(id)
    expect([first.status, first.body.user]).toMatchObject([
      200,
      { email, name: 'Ada L.', emailVerified: true, roles: [{ id: 'rol_user' }] },
    ])
    expect(await ok(getMe, { as: first.body })).toMatchObject(first.body.user)
    const json = { refreshToken: first.body.refreshToken }
    expect((await call(refreshToken, { json })).status).toBe(200)

    const second = await enter(id)
    expect(second.body.user).toEqual(first.body.user)
    const log = await rows<{ type: string }>(
      "SELECT type FROM log_entries WHERE actor_id = ? AND type NOT LIKE 'session.refreshed' ORDER BY number",
      first.body.user.id,
    )
    expect(log.map(({ type }) => type)).toEqual(['user.provisioned', 'session.created'])
  })

  it('knows people by issuer and subject, not by what they are called', async () => {
    const { id, domain } = await newRealm()
    const first = await enter(id)
    oidc.conduct.person['email'] = `married@${domain}`
    oidc.conduct.person['name'] = 'Ada K.'
    expect((await enter(id)).body.user).toEqual(first.body.user)
  })

  it('knows people of different providers apart, also by the same subject', async () => {
    const { id } = await newRealm()
    const first = await enter(id)
    const { sub } = oidc.conduct.person
    oidc = await oidcDouble()
    const { id: other, email } = await newRealm()
    oidc.conduct.person['sub'] = sub
    const second = await enter(other)
    expect([second.status, second.body.user.email]).toEqual([200, email])
    expect(second.body.user.id).not.toBe(first.body.user.id)
  })

  it('keeps no token of the provider, and passes none on', async () => {
    const { id } = await newRealm()
    const returned = await travel(id)
    expect(Object.keys(returned.body ?? {})).toEqual(['code'])
    const json = { code: returned.body?.code ?? '' }
    const { status, text } = await call(exchangeProviderCode, { json })
    const tables = [
      'sign_in_flows',
      'sign_in_codes',
      'external_identities',
      'sessions',
      'log_entries',
    ]
    const stored = await Promise.all(tables.map((table) => rows(`SELECT * FROM ${table}`)))
    expect(status).toBe(200)
    expect([returned.text, text, JSON.stringify(stored)].join()).not.toContain(PROVIDER_TOKEN)
  })

  it('gives newcomers the role of the provider, and looks into the claims that it names', async () => {
    const role = await ok(createRole, {
      as: await newAdmin(),
      json: { name: `Role ${crypto.randomUUID()}`, permissions: ['profile.read'] },
    })
    const { id, email } = await newRealm({
      defaultRoleId: role.id,
      claimMapping: { email: 'upn', name: 'cn' },
    })
    const { sub } = oidc.conduct.person
    oidc.conduct.person = { sub, upn: email, cn: 'Countess', email_verified: true }
    const { body } = await enter(id)
    expect(body.user).toMatchObject({
      email,
      name: 'Countess',
      roles: [{ id: role.id, name: role.name }],
      permissions: ['profile.read'],
    })
  })

  it('leads to where the browser was promised', async () => {
    const { id } = await newRealm()
    const redirectUri = 'https://app.example.com/in?tab=1'
    const service = serviceWith({ env: { CORS_ORIGINS: 'https://app.example.com' } })
    const at = `http://coffer.test/auth/provider/${id}`
    const to = `${at}/authorize?redirectUri=${encodeURIComponent(redirectUri)}`
    const begun = await service.fetch(new Request(to))
    const query = new URLSearchParams(oidc.signIn(begun.headers.get('Location') ?? ''))
    const [cookie = ''] = (begun.headers.get('Set-Cookie') ?? '').split(';')
    const done = await service.fetch(
      new Request(`${at}/callback?${query.toString()}`, { headers: { Cookie: cookie } }),
    )
    const location = new URL(done.headers.get('Location') ?? '')
    const code = location.searchParams.get('code') ?? ''
    location.searchParams.delete('code')
    expect([done.status, location.href]).toEqual([302, redirectUri])
    expect(done.headers.get('Set-Cookie')).toContain('Max-Age=0')
    expect((await call(exchangeProviderCode, { json: { code } })).status).toBe(200)
  })

  it('costs three trips at most on each leg, and asks the provider once for what stays', async () => {
    const { id } = await newRealm()
    const { location, cookie, headers } = await begin(id)
    const returned = await back(id, oidc.signIn(location), cookie)
    const json = { code: returned.body?.code ?? '' }
    const swapped = await call(exchangeProviderCode, { json })
    const trips = [headers, returned.headers, swapped.headers].map((of) => costOf(of).trips)
    expect(trips).toEqual([2, 2, 2])
    await enter(id)
    expect(oidc.called.toSorted()).toEqual([
      '/.well-known/openid-configuration',
      '/keys',
      '/token',
      '/token',
    ])
  })

  it.each(['token_endpoint', 'jwks_uri'])('calls no inner address as %s', async (endpoint) => {
    const { id } = await newRealm()
    oidc.conduct.wrong = { description: { [endpoint]: 'https://169.254.169.254/latest' } }
    const { status, error } = await travel(id)
    expect([status, error.code]).toEqual([503, 'auth.providerUnusable'])
    expect(oidc.called).not.toContain('/latest')
  })

  it('works once, and in the browser that began it only', async () => {
    const { id } = await newRealm()
    const own = await begin(id)
    const other = await begin(id)
    const query = oidc.signIn(own.location)
    for (const [tried, cookie] of [
      [query, other.cookie],
      [query, ''],
      [query, own.cookie.replace(/=.*/, other.cookie.replace(/.*=/, '='))],
      [{ ...query, state: 'another' }, own.cookie],
      [{ code: query['code'] ?? '' }, own.cookie],
    ] as const) {
      const { status, error } = await back(id, tried, cookie)
      expect([status, error.code]).toEqual([400, 'auth.invalidFlow'])
    }
    expect((await back(id, query, own.cookie)).status).toBe(200)
    const again = await back(id, oidc.signIn(own.location), own.cookie)
    expect([again.status, again.error.code]).toEqual([400, 'auth.invalidFlow'])
  })

  it('works for one of two that come back with the same state at once', async () => {
    const { id } = await newRealm()
    const { location, cookie } = await begin(id)
    const query = oidc.signIn(location)
    const service = serviceWith({
      meanwhile: () => rows('DELETE FROM sign_in_flows WHERE provider_id = ?', id),
    })
    const asked = { id, query, headers: { Cookie: cookie } }
    const { status, error } = await service.call(returnFromProvider, asked)
    expect([status, error.code]).toEqual([400, 'auth.invalidFlow'])
    expect(await rows('SELECT 1 FROM sign_in_codes WHERE provider_id = ?', id)).toEqual([])
  })

  it('is over after ten minutes, and when it comes to another provider', async () => {
    const { id } = await newRealm()
    const { id: elsewhere } = await newRealm()
    const { location, cookie } = await begin(id)
    expect((await back(elsewhere, oidc.signIn(location), cookie)).status).toBe(400)
    const late = serviceWith({ ahead: 601_000 })
    const query = new URLSearchParams(oidc.signIn(location))
    const url = `http://coffer.test/auth/provider/${id}/callback?${query.toString()}`
    expect((await late.fetch(new Request(url, { headers: { Cookie: cookie } }))).status).toBe(400)
  })

  it('is refused when the provider says another issuer, or that it did not sign in', async () => {
    const { id } = await newRealm()
    for (const changed of [
      { iss: 'https://evil.example' },
      { error: 'access_denied', error_description: '<b>no</b>' },
    ]) {
      const { location, cookie } = await begin(id)
      const { status, error, text } = await back(
        id,
        { ...oidc.signIn(location), ...changed },
        cookie,
      )
      expect([status, error.code]).toEqual([401, 'auth.providerRefused'])
      expect(text).not.toContain('<b>')
    }
  })

  it('fetches the keys again for one that is new', async () => {
    const { id } = await newRealm()
    await enter(id)
    await oidc.rotate()
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
    try {
      expect((await enter(id)).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
    expect(oidc.called.filter((path) => path === '/keys')).toHaveLength(2)
  })
})

describe('the code', () => {
  it('works once, also when it comes ten times at once', async () => {
    const { id } = await newRealm()
    const { body } = await travel(id)
    const json = { code: body?.code ?? '' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(exchangeProviderCode, { json })),
    )
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    for (const { status, error } of answers.filter((one) => one.status !== 200)) {
      expect([status, error.code]).toEqual([401, 'auth.invalidCode'])
    }
    const made = await rows(
      'SELECT id FROM users WHERE email_key = ?',
      oidc.conduct.person['email'],
    )
    expect(made).toHaveLength(1)
  })

  it('alone opens a session, which lives and ends like any other, also without its provider', async () => {
    const { id } = await newRealm()
    const { body } = await enter(id)
    const sessions = () => rows('SELECT id FROM sessions WHERE user_id = ?', body.user.id)
    await travel(id)
    expect(await sessions()).toHaveLength(1)
    const other = await enter(id)
    expect(await sessions()).toHaveLength(2)
    expect((await call(deleteIdentityProvider, { as: await newAdmin(), id })).status).toBe(204)
    expect((await call(getMe, { as: body })).status).toBe(200)
    const late = serviceWith({ ahead: 30 * 24 * 60 * 60 * 1000 })
    const json = { refreshToken: body.refreshToken }
    expect((await late.call(refreshToken, { json })).status).toBe(401)
    await ok(logout, { as: other.body })
    expect((await call(getMe, { as: other.body })).status).toBe(401)
  })

  it('brings the same tokens again to who repeats the call with its key', async () => {
    const { id } = await newRealm()
    const { body } = await travel(id)
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const json = { code: body?.code ?? '' }
    const first = await call(exchangeProviderCode, { json, headers })
    const again = await call(exchangeProviderCode, { json, headers })
    expect([again.status, again.text]).toEqual([200, first.text])
  })

  it('is over after five minutes, and was never a made-up one', async () => {
    const { id } = await newRealm()
    const { body } = await travel(id)
    const json = { code: body?.code ?? '' }
    const late = serviceWith({ ahead: 301_000 })
    expect((await late.call(exchangeProviderCode, { json })).status).toBe(401)
    const madeUp = await call(exchangeProviderCode, { json: { code: 'sic_x' } })
    expect([madeUp.status, madeUp.error.code]).toEqual([401, 'auth.invalidCode'])
  })

  it('opens nobody whom the service knows otherwise', async () => {
    const { id, domain } = await newRealm()
    const user = await newUser()
    const email = `taken-${crypto.randomUUID()}@${domain}`
    await rows('UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2', email, user.id)
    oidc.conduct.person['email'] = email.toUpperCase()
    const { status, error } = await enter(id)
    expect([status, error.code]).toEqual([409, 'auth.linkRequired'])
    expect(await rows('SELECT * FROM external_identities WHERE user_id = ?', user.id)).toEqual([])
  })

  it('brings nobody in where the provider may not', async () => {
    const { id } = await newRealm({ autoProvision: false })
    const { status, error } = await enter(id)
    expect([status, error.code]).toEqual([403, 'auth.notProvisioned'])
  })

  it('opens no user that is disabled', async () => {
    const { id } = await newRealm()
    const { body } = await enter(id)
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", body.user.id)
    const { status, error } = await enter(id)
    expect([status, error.code]).toEqual([403, 'auth.userDisabled'])
  })

  it('is worth nothing once its provider was switched off or points elsewhere', async () => {
    for (const changed of [{ enabled: false }, { issuer: 'https://other.example' }]) {
      const { id, json } = await newRealm()
      const { body } = await travel(id)
      await ok(updateIdentityProvider, { as: await newAdmin(), id, json: { ...json, ...changed } })
      const { status } = await call(exchangeProviderCode, { json: { code: body?.code ?? '' } })
      expect(status).toBe(401)
    }
  })

  it.each([
    [
      'the provider is changed',
      'UPDATE identity_providers SET version = version + 1 WHERE id = ?1',
      409,
    ],
    ['the user is disabled', "UPDATE users SET status = 'disabled' WHERE id = ?2", 401],
    ['the user is unlinked', 'DELETE FROM external_identities WHERE user_id = ?2', 401],
  ])('fails when %s between reading and writing', async (_, sql, expected) => {
    const { id } = await newRealm()
    const { body } = await enter(id)
    const { body: next } = await travel(id)
    const values = sql.includes('?2') ? [id, body.user.id] : [id]
    const service = serviceWith({ meanwhile: () => rows(sql, ...values) })
    const json = { code: next?.code ?? '' }
    expect((await service.call(exchangeProviderCode, { json })).status).toBe(expected)
  })
})
