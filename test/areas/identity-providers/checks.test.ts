import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testIdentityProvider } from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { call, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, type TestUser } from '../../support/world.ts'
import { newHolder } from '../roles/holders.ts'
import { type Misconduct, oidcDouble } from './oidc-double.ts'
import { logOf, newProvider, SECRET } from './providers.ts'

let oidc: Awaited<ReturnType<typeof oidcDouble>>
let admin: TestUser
beforeEach(async () => {
  oidc = await oidcDouble()
  admin = await newAdmin()
})
afterEach(() => vi.restoreAllMocks())

interface Tested {
  ok: boolean
  checks: { name: string; ok: boolean; detail: string }[]
  redirectUri: string
}

/** Asked over https, as browsers of a deployment do. */
async function test(id: string, origin = 'https://coffer.test'): Promise<Tested> {
  const url = `${origin}/admin/identity-providers/${id}/test`
  const headers = { Authorization: `Bearer ${admin.accessToken}` }
  const response = await serviceWith({}).fetch(new Request(url, { method: 'POST', headers }))
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(text).not.toContain(SECRET)
  return JSON.parse(text) as Tested
}

const failedIn = ({ checks }: Tested) => checks.filter((one) => !one.ok).map(({ name }) => name)

const NAMES = [
  'discovery',
  'endpoints',
  'codeFlow',
  'pkce',
  'clientAuthentication',
  'keys',
  'redirect',
]
const DEPENDENT = NAMES.slice(1, -1)

describe('a test of a provider', () => {
  it('says of a good one that it is, and what to register there', async () => {
    const { id } = await newProvider({ issuer: oidc.issuer })
    const { ok: isOk, checks, redirectUri } = await test(id)
    expect(checks.filter((one) => !one.ok)).toEqual([])
    expect([isOk, checks.map(({ name }) => name)]).toEqual([true, NAMES])
    expect(redirectUri).toBe(`https://coffer.test/auth/provider/${id}/callback`)
    expect(oidc.called).toEqual(['/.well-known/openid-configuration', '/keys'])
    const [, entry] = await logOf(id)
    expect([entry?.type, entry?.actor_id, JSON.parse(entry?.content ?? '')]).toEqual([
      'identityProvider.tested',
      admin.id,
      { failed: [] },
    ])
  })

  it('costs two trips, asks nobody to sign in, and asks the provider anew every time', async () => {
    const { id } = await newProvider({ issuer: oidc.issuer })
    const { headers } = await call(testIdentityProvider, { as: admin, id })
    expect(costOf(headers).trips).toBe(2)
    oidc.conduct.wrong = { description: { issuer: 'https://other.example' } }
    expect(failedIn(await test(id))).toEqual(['discovery', ...DEPENDENT])
    oidc.conduct.wrong = {}
    expect((await test(id)).ok).toBe(true)
    expect(oidc.called).toHaveLength(5)
    expect(await rows('SELECT * FROM sign_in_flows WHERE provider_id = ?', id)).toEqual([])
  })

  it.each<[string, Misconduct, string[]]>([
    [
      'another issuer',
      { description: { issuer: 'https://evil.example' } },
      ['discovery', ...DEPENDENT],
    ],
    ['no issuer', { description: { issuer: undefined } }, ['discovery', ...DEPENDENT]],
    [
      'an inner token endpoint',
      { description: { token_endpoint: 'https://169.254.169.254/latest' } },
      ['endpoints'],
    ],
    [
      'an authorization endpoint without TLS',
      { description: { authorization_endpoint: 'http://login.example.com/' } },
      ['endpoints'],
    ],
    ['no place for keys', { description: { jwks_uri: undefined } }, ['endpoints', 'keys']],
    ['inner keys', { description: { jwks_uri: 'https://10.0.0.1/keys' } }, ['endpoints', 'keys']],
    [
      'an inner userinfo endpoint',
      { description: { userinfo_endpoint: 'https://10.0.0.1/me' } },
      ['endpoints'],
    ],
    ['an endpoint that is a list', { description: { token_endpoint: ['x'] } }, ['endpoints']],
    [
      'the implicit flow',
      { description: { response_types_supported: ['id_token'] } },
      ['codeFlow'],
    ],
    ['no flow', { description: { response_types_supported: 7 } }, ['codeFlow']],
    ['no code grant', { description: { grant_types_supported: ['implicit'] } }, ['codeFlow']],
    ['plain PKCE', { description: { code_challenge_methods_supported: ['plain'] } }, ['pkce']],
    ['no PKCE', { description: { code_challenge_methods_supported: undefined } }, ['pkce']],
    [
      'keys of clients',
      { description: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } },
      ['clientAuthentication'],
    ],
    ['no key', { keys: [] }, ['keys']],
    ['what is no list of keys', { keys: 'none' }, ['keys']],
    [
      'what are no keys',
      { keys: [null, 1, 'x', {}, { kty: 'EC', crv: 'P-256', alg: 'ES256' }] },
      ['keys'],
    ],
    [
      'no algorithm but a shared secret',
      { description: { id_token_signing_alg_values_supported: ['HS256', 'none'] } },
      ['keys'],
    ],
    [
      'keys for other algorithms only',
      { description: { id_token_signing_alg_values_supported: ['RS256'] } },
      ['keys'],
    ],
  ])('finds %s', async (_, wrong, failed) => {
    const { id } = await newProvider({ issuer: oidc.issuer })
    oidc.conduct.wrong = wrong
    const found = await test(id)
    expect([found.ok, failedIn(found)]).toEqual([false, failed])
    expect(JSON.stringify(found)).not.toMatch(/evil|169\.254|10\.0\.0|login\.example/)
    expect(oidc.called).not.toContain('/latest')
    const [, entry] = await logOf(id)
    expect(JSON.parse(entry?.content ?? '')).toEqual({ failed })
  })

  it.each([
    ['RSA of 2048 bits', 2048, {}, true],
    ['RSA of 1024 bits', 1024, {}, false],
    ['RSA for encryption', 2048, { use: 'enc' }, false],
    ['RSA for signing only', 2048, { key_ops: ['sign'] }, false],
  ])('judges a key: %s', async (_, modulusLength, more, isGood) => {
    const algorithm = {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength,
      publicExponent: new Uint8Array([1, 0, 1]),
    }
    const pair = (await crypto.subtle.generateKey(algorithm, true, [
      'sign',
      'verify',
    ])) as CryptoKeyPair
    const { n, e, kty } = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as JsonWebKey
    // Where it names no algorithm, it is RS256.
    const description = { id_token_signing_alg_values_supported: undefined }
    oidc.conduct.wrong = { description, keys: [{ n, e, kty, ...more }] }
    const { id } = await newProvider({ issuer: oidc.issuer })
    expect((await test(id)).ok).toBe(isGood)
  })

  it('answers also when the provider does not', async () => {
    const { id } = await newProvider({ issuer: `https://nobody-${crypto.randomUUID()}.example` })
    const found = await test(id)
    expect([found.ok, failedIn(found)]).toEqual([false, ['discovery', ...DEPENDENT]])
    await rows("UPDATE identity_providers SET issuer = 'https://10.0.0.1' WHERE id = ?", id)
    const inner = await test(id)
    expect(inner.checks[0]?.detail).toBe('The issuer is no address that this service calls.')
    expect(oidc.called.filter((path) => path !== '/.well-known/openid-configuration')).toEqual([])
  })

  it('tells who asks by plain http that providers will not send browsers there', async () => {
    const { id } = await newProvider({ issuer: oidc.issuer })
    expect(failedIn(await test(id, 'http://coffer.test'))).toEqual(['redirect'])
    expect(failedIn(await test(id, 'http://localhost:8888'))).toEqual([])
  })

  it('is for who may write providers, and of one that there is', async () => {
    const { id } = await newProvider({ issuer: oidc.issuer })
    const reader = await newHolder(['identityProviders.read'])
    expect((await call(testIdentityProvider, { as: reader, id })).status).toBe(403)
    expect((await call(testIdentityProvider, { id })).status).toBe(401)
    const missing = await call(testIdentityProvider, { as: admin, id: someId('idp') })
    expect([missing.status, missing.error.code]).toEqual([404, 'identityProviders.notFound'])
    expect(oidc.called).toEqual([])
  })
})
