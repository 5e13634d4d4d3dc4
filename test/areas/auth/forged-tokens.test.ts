import { describe, expect, it } from 'vitest'
import { getMe } from '../../../src/areas/identity/auth/auth.routes.ts'
import { fetchRaw, ok } from '../../support/api.ts'
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

it('says the same of every token that it refuses', async () => {
  const me = await newUser()
  const { header, claims } = partsOf(me)
  const answers = await Promise.all(
    [
      await signed(header, { ...claims, exp: now() - HOUR }),
      await signed(header, { ...claims, sid: 'ses_none' }),
      unsigned(header, claims),
      'x',
    ].map(async (token) => JSON.parse((await attempt(`Bearer ${token}`)).text)),
  )
  for (const { requestId, ...said } of answers) {
    expect(requestId).toMatch(/^req_/)
    expect(said).toEqual({ error: 'Sign in to do this.', code: 'auth.required' })
  }
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
