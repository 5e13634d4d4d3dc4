import { describe, expect, it } from 'vitest'
import { getMe } from '../../../src/areas/identity/auth/auth.routes.ts'
import { listRoles } from '../../../src/areas/identity/roles/roles.routes.ts'
import { call, fetchRaw, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { forgers } from './forgers.ts'
import { ownJwk, partsOf, signed, strangeKey, unsigned } from './tokens.ts'

const now = () => Math.floor(Date.now() / 1000)
const HOUR = 3600

const attempt = async (authorization: string, path = '/auth/me') => {
  const headers = new Headers()
  headers.append('Authorization', authorization)
  const response = await fetchRaw(path, { headers })
  return { status: response.status, text: await response.text() }
}

/** Routes of a user and of an administrator: whoever is not let in learns the same from both. */
const routes = ['/auth/me', '/admin/roles']

describe.each(routes)('GET %s', (path) => {
  const counted: number[] = []

  it.each(Object.entries(forgers))('lets nobody in with %s', async (_, forge) => {
    const me = await newAdmin()
    const good = `Bearer ${me.accessToken}`
    expect((await attempt(good, path)).status).toBe(200)
    const forged = Object.entries(await forge(me, partsOf(me)))
    const answers = await Promise.all(
      forged.map(async ([name, token]) => [name, (await attempt(`Bearer ${token}`, path)).status]),
    )
    expect(answers).toEqual(forged.map(([name]) => [name, 401]))
    expect((await attempt(good, path)).status).toBe(200)
    counted.push(forged.length)
  })

  it('was tried with some hundred of them', () => {
    expect(counted.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(240)
  })
})

it('takes a token from the Authorization header alone, as Bearer, and once', async () => {
  const { accessToken } = await newUser()
  const refused = [
    accessToken,
    `Basic ${accessToken}`,
    `Basic ${btoa(`user:${accessToken}`)}`,
    `Token ${accessToken}`,
    `Bearer`,
    `Bearer Bearer ${accessToken}`,
    `Bearer  ${accessToken}`,
    `Bearer\t${accessToken}`,
    `Bearer ${accessToken}, Bearer ${accessToken}`,
    `Bearer ${accessToken},`,
    `Bearer=${accessToken}`,
  ]
  for (const authorization of refused) {
    expect((await attempt(authorization)).status, authorization).toBe(401)
  }
  for (const path of ['access_token', 'token', 'Authorization'].map((name) => `?${name}=`)) {
    expect((await fetchRaw(`/auth/me${path}${accessToken}`)).status).toBe(401)
  }
  for (const name of ['Cookie', 'X-Authorization', 'Proxy-Authorization', 'X-Access-Token']) {
    const headers = { [name]: `Bearer ${accessToken}` }
    expect((await fetchRaw('/auth/me', { headers })).status).toBe(401)
  }
  const twice = new Headers({ Authorization: `Bearer ${accessToken}` })
  twice.append('Authorization', `Bearer ${accessToken}`)
  expect((await fetchRaw('/auth/me', { headers: twice })).status).toBe(401)
  expect((await attempt(`Bearer ${accessToken}`)).status).toBe(200)
  expect((await attempt(`bearer ${accessToken}`)).status).toBe(200)
})

it('ignores the claim `cel`, which is reserved', async () => {
  const { header, claims } = partsOf(await newUser())
  for (const cel of ['cel_1', '', 1, null, ['x'], { x: 1 }]) {
    const token = await signed(header, { ...claims, cel })
    expect((await attempt(`Bearer ${token}`)).status, JSON.stringify(cel)).toBe(200)
  }
})

it('says the same of every token that it refuses, but for one of ours that has run out', async () => {
  const me = await newUser()
  const { header, claims } = partsOf(me)
  await rows('UPDATE sessions SET revoked_at = 1 WHERE user_id = ?', me.id)
  const answers = await Promise.all(
    [
      await signed(header, { ...claims, exp: now() - HOUR }),
      await signed(header, claims),
      await signed(header, { ...claims, sid: 'ses_none' }),
      unsigned(header, claims),
      'x',
    ].map(async (token) => JSON.parse((await attempt(`Bearer ${token}`)).text)),
  )
  for (const { requestId, ...said } of answers) {
    expect(requestId).toMatch(/^req_/)
    expect(said).toEqual({
      error: 'The access token is not valid, or its session has ended. Sign in again.',
      code: 'auth.tokenInvalid',
    })
  }
  // As a stranger cannot sign one, this tells of no session: also not that this one has ended.
  const late = serviceWith({ ahead: 16 * 60_000 })
  for (const as of [me, await newUser()]) {
    const { status, error } = await late.call(getMe, { as })
    expect([status, error.code]).toEqual([401, 'auth.tokenExpired'])
  }
})

it('challenges as RFC 6750 says: no error without a token, else what is wrong with it', async () => {
  const [me, service] = [await newUser(), serviceWith({ ahead: 16 * 60_000 })]
  const header = async (asked: Promise<{ headers: Headers }>) =>
    (await asked).headers.get('WWW-Authenticate')
  expect(await header(call(getMe))).toBe('Bearer')
  expect(await header(fetchRaw('/auth/me', { headers: { Authorization: 'Basic eDp5' } }))).toBe(
    'Bearer',
  )
  expect(await header(call(getMe, { as: { accessToken: 'x' } }))).toBe(
    'Bearer error="invalid_token", error_description="The access token is not valid, or its session has ended. Sign in again."',
  )
  expect(await header(service.call(getMe, { as: me }))).toBe(
    'Bearer error="invalid_token", error_description="The access token has expired. Get a new one with POST /auth/refresh-token."',
  )
  const refused = await call(listRoles, { as: me })
  expect([refused.status, refused.error.error]).toEqual([
    403,
    'This needs the permission roles.read. You do not have it, or your access token has no scope for it.',
  ])
  expect(refused.headers.get('WWW-Authenticate')).toBe(
    `Bearer error="insufficient_scope", error_description="${refused.error.error}"`,
  )
})

it('lets an access token in for fifteen minutes', async () => {
  const me = await newUser()
  const minutes = (ahead: number) => serviceWith({ ahead: ahead * 60_000 }).call(getMe, { as: me })
  expect((await minutes(14.9)).status).toBe(200)
  expect((await minutes(15.1)).status).toBe(401)
})

it('bears with clocks of other machines that are a little apart', async () => {
  const me = await newUser()
  const seconds = (ahead: number) => serviceWith({ ahead: ahead * 1000 }).call(getMe, { as: me })
  expect((await seconds(-30)).status).toBe(200)
  expect((await seconds(-HOUR)).status).toBe(401)
})

it('verifies with every key of the set, so that keys can be exchanged', async () => {
  const me = await newUser()
  const { privateJwk } = await strangeKey()
  const next = { ...privateJwk, kid: 'next' }
  const { d: _, ...retired } = ownJwk()
  const both = serviceWith({ env: { JWT_KEYS: JSON.stringify({ keys: [next, retired] }) } })
  expect((await both.call(getMe, { as: me })).status).toBe(200)
  const without = serviceWith({ env: { JWT_KEYS: JSON.stringify({ keys: [next] }) } })
  expect((await without.call(getMe, { as: me })).status).toBe(401)
  expect(await ok(getMe, { as: me })).toMatchObject({ id: me.id })
})
