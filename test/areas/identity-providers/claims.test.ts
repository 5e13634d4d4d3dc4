import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rows } from '../../support/api.ts'
import { journeysTo } from './journeys.ts'
import { type Misconduct, oidcDouble } from './oidc-double.ts'
import { SECRET } from './providers.ts'

let oidc: Awaited<ReturnType<typeof oidcDouble>>
beforeEach(async () => {
  oidc = await oidcDouble()
})
afterEach(() => vi.restoreAllMocks())

const { newRealm, travel, enter } = journeysTo(() => oidc)

describe('the way back', () => {
  it.each<[string, Misconduct]>([
    ['for another audience', { claims: { aud: 'another' } }],
    ['for others, too', { claims: { aud: ['coffer', 'another'], azp: 'coffer' } }],
    ['from another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a blank subject', { claims: { sub: ' \u00a0' } }],
    ['with a subject of 256 characters', { claims: { sub: 'x'.repeat(256) } }],
    ['with a subject that ends early', { claims: { sub: 'ada\u0000' } }],
    ['issued to another party', { claims: { azp: 'another' } }],
    ['issued to nobody', { claims: { azp: null } }],
    ['issued in an hour', { claims: { iat: Math.floor(Date.now() / 1000) + 3600 } }],
    ['issued in two minutes', { claims: { iat: Math.floor(Date.now() / 1000) + 120 } }],
    ['that is over', { claims: { exp: 1 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['signed with another key', { forged: true }],
    ['without a signature', { unsigned: true }],
    [
      'without a signature, though the provider says that it may',
      {
        unsigned: true,
        description: { id_token_signing_alg_values_supported: ['none', 'ES256'] },
      },
    ],
    ['under an algorithm that the provider does not name', { header: { alg: 'RS256' } }],
    [
      'under a shared secret',
      {
        header: { alg: 'HS256' },
        description: { id_token_signing_alg_values_supported: ['HS256', 'ES256'] },
      },
    ],
    ['under a key that nobody knows', { header: { kid: 'unknown' } }],
    ['that was not given out', { tokenStatus: 400 }],
  ])('takes no token %s', async (_, wrong) => {
    const { id, email } = await newRealm()
    oidc.conduct.wrong = wrong
    const { status, error, text } = await travel(id)
    expect([status, error.code]).toEqual([401, 'auth.providerRefused'])
    expect(text).not.toContain(SECRET)
    expect(await rows('SELECT * FROM sign_in_codes WHERE email = ?', email)).toEqual([])
    expect(await rows('SELECT * FROM sign_in_flows WHERE provider_id = ?', id)).toEqual([])
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['an address that was not verified', { email_verified: false }, 'emailNotVerified'],
    ['an address of which nothing is said', { email_verified: undefined }, 'emailNotVerified'],
    ['an address that is "false"', { email_verified: 'false' }, 'emailNotVerified'],
    ['an address that is 1', { email_verified: 1 }, 'emailNotVerified'],
    ['an address of another domain', { email: 'ada@elsewhere.example' }, 'foreignDomain'],
    ['no address', { email: undefined }, 'foreignDomain'],
    ['a list of addresses', { email: ['ada@elsewhere.example'] }, 'foreignDomain'],
  ])('takes nobody with %s', async (_, claims, code) => {
    const { id } = await newRealm()
    oidc.conduct.wrong = { claims }
    const { status, error } = await travel(id)
    expect([status, error.code]).toEqual([403, `auth.${code}`])
  })

  it('bears with a clock that is a little ahead, and with being named as the party', async () => {
    const { id } = await newRealm()
    const iat = Math.floor(Date.now() / 1000) + 30
    oidc.conduct.wrong = { claims: { iat, azp: 'coffer' } }
    expect((await enter(id)).status).toBe(200)
  })

  it('takes an address as everybody else spells it, so that nobody has it twice', async () => {
    const { id, email, domain } = await newRealm()
    const first = await enter(id)
    expect(first.body.user.email).toBe(email)
    const spellings = [
      domain.replace('.', '\u3002'),
      domain.toUpperCase(),
      domain.replace('d', 'ｄ'),
    ]
    for (const [at, host] of spellings.entries()) {
      oidc.conduct.wrong = {
        claims: { sub: `other ${at}`, email: `${email.split('@')[0]}@${host}` },
      }
      const { status, error } = await enter(id)
      expect([status, error.code], host).toEqual([409, 'auth.linkRequired'])
    }
    oidc.conduct.wrong = { claims: { sub: 'one more', email: `else@${spellings[0]}` } }
    expect((await enter(id)).body.user.email).toBe(`else@${domain}`)
  })

  it.each(['', 'a da', 'ａda', 'adа', 'a\u200bda', 'ada\u0001', '.ada', 'a..da', '"a da"', 'a@b'])(
    'takes nobody as %j of its domain',
    async (local) => {
      const { id, domain } = await newRealm()
      oidc.conduct.wrong = { claims: { email: `${local}@${domain}` } }
      const { status, error } = await travel(id)
      expect([status, error.code]).toEqual([403, 'auth.unusableEmail'])
    },
  )

  it('takes no address below the domain, nor one that only ends like it', async () => {
    const { id, domain } = await newRealm()
    for (const host of [`sub.${domain}`, `x${domain}`, `${domain}.`, `${domain}\u0000`]) {
      oidc.conduct.wrong = { claims: { email: `ada@${host}` } }
      expect((await travel(id)).status, host).toBe(403)
    }
  })
})
