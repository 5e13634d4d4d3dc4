import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  getJwks,
  getMe,
  login,
  refreshToken as refreshTokenRoute,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { call, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { ownJwk, fromBase64Url, partsOf, strangeKey } from './tokens.ts'

type Tokens = { accessToken: string; refreshToken: string }

const freshJwk = async (kid: string) => ({ ...(await strangeKey()).privateJwk, kid })

const serviceWithKeys = (...keys: object[]) =>
  serviceWith({ env: { JWT_KEYS: JSON.stringify({ keys }) } })

const importPublic = (jwk: object) =>
  crypto.subtle.importKey('jwk', jwk as JsonWebKey, 'Ed25519', false, ['verify'])

const signIn = async (service: ReturnType<typeof serviceWith>, { email, password }: TestUser) =>
  (await service.call<Tokens>(login, { json: { email, password } })).body

describe('the published keys', () => {
  it('are public halves only, and may be kept for five minutes', async () => {
    const { status, body, headers, text } = await call(getJwks)
    const { x, kid } = ownJwk()
    expect(status).toBe(200)
    expect(body.keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }])
    expect(text).not.toContain('"d"')
    expect(text).not.toContain((ownJwk() as { d?: string }).d ?? env.JWT_KEYS)
    expect(headers.get('Cache-Control')).toBe('public, max-age=300')
  })

  it('verify the tokens of the service', async () => {
    const { accessToken } = await newUser()
    const { keys } = await ok(getJwks)
    const [head = '', claims = '', signature = ''] = accessToken.split('.')
    const jwk = keys.find(({ kid }) => kid === partsOf({ accessToken }).header['kid'])
    const key = await importPublic(jwk ?? {})
    const isSigned = await crypto.subtle.verify(
      'Ed25519',
      key,
      fromBase64Url(signature),
      new TextEncoder().encode(`${head}.${claims}`),
    )
    expect(isSigned).toBe(true)
  })

  it('name the retired keys after the one that signs', async () => {
    const service = serviceWithKeys(await freshJwk('next'), ownJwk())
    const { body } = await service.call<{ keys: { kid: string }[] }>(getJwks)
    expect(body.keys.map(({ kid }) => kid)).toEqual(['next', ownJwk().kid])
  })
})

describe('a new first key', () => {
  it('signs what comes after it; what was signed before stays good', async () => {
    const me = await newUser()
    const after = serviceWithKeys(await freshJwk('next'), ownJwk())
    expect((await after.call(getMe, { as: me })).status).toBe(200)
    const fresh = await signIn(after, me)
    expect(partsOf(fresh).header).toMatchObject({ kid: 'next' })
    expect((await after.call(getMe, { as: fresh })).status).toBe(200)
    const { refreshToken } = me
    const next = await after.call<Tokens>(refreshTokenRoute, { json: { refreshToken } })
    expect(partsOf(next.body).header).toMatchObject({ kid: 'next' })
  })

  it('ends the tokens of a key that was taken out, also of those it has met before', async () => {
    const me = await newUser()
    const nextKey = await freshJwk('next')
    const during = serviceWithKeys(nextKey, ownJwk())
    const fresh = await signIn(during, me)
    expect((await during.call(getMe, { as: me })).status).toBe(200)
    const after = serviceWithKeys(nextKey)
    expect((await after.call(getMe, { as: me })).status).toBe(401)
    expect((await after.call(getMe, { as: fresh })).status).toBe(200)
    const renewed = await after.call(refreshTokenRoute, { json: { refreshToken: me.refreshToken } })
    expect(renewed.status).toBe(200)
  })

  it('is not mistaken for another one of its name', async () => {
    const me = await newUser()
    const twin = serviceWithKeys(await freshJwk(ownJwk().kid))
    expect((await twin.call(getMe, { as: me })).status).toBe(401)
  })
})
