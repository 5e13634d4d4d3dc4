import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  updateIdentityProvider,
  exchangeProviderCode,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { journeysTo } from './journeys.ts'
import { oidcDouble } from './oidc-double.ts'

// Providers that say elsewhere, otherwise, or not at all that an address was verified.

let oidc: Awaited<ReturnType<typeof oidcDouble>>
beforeEach(async () => {
  oidc = await oidcDouble()
})
afterEach(() => vi.restoreAllMocks())

const { newRealm, travel, enter } = journeysTo(() => oidc)

/** What an ID token of Authelia leaves out. */
const BARE = { email: undefined, email_verified: undefined, name: undefined }

it('takes "true" as Amazon Cognito writes it', async () => {
  const { id, email } = await newRealm()
  oidc.conduct.wrong = { claims: { email_verified: 'true' } }
  expect((await enter(id)).body.user).toMatchObject({ email, emailVerified: true })
})

describe('a userinfo endpoint', () => {
  it('tells what the ID token does not', async () => {
    const { id, email } = await newRealm()
    oidc.conduct.wrong = {
      claims: BARE,
      userinfo: { email, email_verified: true, name: 'Ada of userinfo' },
    }
    expect((await enter(id)).body.user).toMatchObject({ email, name: 'Ada of userinfo' })
  })

  it.each(['email', 'email_verified'])('tells %s alone', async (claim) => {
    const { id, email } = await newRealm()
    oidc.conduct.wrong = {
      claims: { [claim]: undefined },
      userinfo: { [claim]: oidc.conduct.person[claim] },
    }
    expect((await enter(id)).body.user).toMatchObject({ email, emailVerified: true })
  })

  it('is not asked when the ID token says enough', async () => {
    const { id } = await newRealm()
    oidc.conduct.wrong = { userinfo: {} }
    expect((await enter(id)).status).toBe(200)
    expect(oidc.called).not.toContain('/userinfo')
  })

  it.each<[string, Record<string, unknown>]>([
    ['another subject', { sub: 'another' }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
  ])('is not believed of %s', async (_, changed) => {
    const { id, email } = await newRealm()
    oidc.conduct.wrong = { claims: BARE, userinfo: { email, email_verified: true, ...changed } }
    const { status, error } = await travel(id)
    expect([status, error.code]).toEqual([401, 'auth.providerRefused'])
    expect(await rows('SELECT 1 FROM sign_in_codes WHERE provider_id = ?', id)).toEqual([])
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['an address that it has not verified', { email_verified: false }, 'emailNotVerified'],
    ['an address of which it says nothing', {}, 'emailNotVerified'],
    ['none', { email: undefined, email_verified: true }, 'foreignDomain'],
    [
      'one of another domain',
      { email: 'ada@elsewhere.example', email_verified: true },
      'foreignDomain',
    ],
  ])('gives nobody %s', async (_, changed, code) => {
    const { id, email } = await newRealm()
    oidc.conduct.wrong = { claims: BARE, userinfo: { email, ...changed } }
    const { status, error } = await travel(id)
    expect([status, error.code]).toEqual([403, `auth.${code}`])
  })

  it('verifies the address that it names, and not another one of the ID token', async () => {
    const { id, email, domain } = await newRealm()
    oidc.conduct.wrong = {
      claims: { email: `chief@${domain}`, email_verified: undefined },
      userinfo: { email, email_verified: true },
    }
    expect((await enter(id)).body.user.email).toBe(email)
  })

  it('does not lend another address what the ID token says of its own', async () => {
    const { id, domain } = await newRealm({ roleClaim: 'groups' })
    oidc.conduct.wrong = { userinfo: { email: `chief@${domain}` } }
    const { status, error } = await travel(id)
    expect([status, error.code]).toEqual([403, 'auth.emailNotVerified'])
  })

  it('is called only where the service may call', async () => {
    const { id } = await newRealm()
    oidc.conduct.wrong = {
      claims: BARE,
      description: { userinfo_endpoint: 'https://169.254.169.254/latest' },
    }
    const { status, error } = await travel(id)
    expect([status, error.code]).toEqual([503, 'auth.providerUnusable'])
    expect(oidc.called).not.toContain('/latest')
  })
})

describe('a provider whose addresses are trusted', () => {
  it.each([undefined, false, 'no'])('brings people in by an address that is %j', async (said) => {
    const { id, email } = await newRealm({ trustsEmail: true })
    oidc.conduct.wrong = { claims: { email_verified: said } }
    expect((await enter(id)).body.user).toMatchObject({ email, emailVerified: true })
  })

  it('still speaks for its domain alone, and opens no account by an address', async () => {
    const { id, domain } = await newRealm({ trustsEmail: true })
    oidc.conduct.wrong = { claims: { email: 'ada@elsewhere.example', email_verified: undefined } }
    expect((await travel(id)).error.code).toBe('auth.foreignDomain')

    const user = await newUser()
    const email = `taken-${crypto.randomUUID()}@${domain}`
    await rows('UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2', email, user.id)
    oidc.conduct.wrong = { claims: { email, email_verified: undefined } }
    const { status, error } = await enter(id)
    expect([status, error.code]).toEqual([409, 'auth.linkRequired'])
  })

  it('leaves no code behind when it is trusted no longer', async () => {
    const { id, json } = await newRealm({ trustsEmail: true })
    oidc.conduct.wrong = { claims: { email_verified: undefined } }
    const code = (await travel(id)).body?.code ?? ''
    const as = await newAdmin()
    await ok(updateIdentityProvider, { as, id, json: { ...json, trustsEmail: false } })
    expect((await call(exchangeProviderCode, { json: { code } })).status).toBe(401)
    expect((await travel(id)).error.code).toBe('auth.emailNotVerified')
  })
})
