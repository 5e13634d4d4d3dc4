import { describe, expect, it } from 'vitest'
import { getRegistrationPolicy, register } from '../../../src/areas/identity/auth/auth.routes.ts'
import { createIdentityProvider } from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin } from '../../support/world.ts'

describe('the registration policy', () => {
  it.each(['open', 'invite', 'closed'])('tells that registration is %s', async (REGISTRATION) => {
    const service = serviceWith({ env: { REGISTRATION } })
    const { status, body } = await service.call(getRegistrationPolicy)
    expect([status, body]).toEqual([
      200,
      {
        mode: REGISTRATION,
        password: { minLength: 15, minLengthWithMfa: 8, maxLength: 128 },
        identityProviders: expect.any(Boolean),
      },
    ])
  })

  it('tells anybody, in one trip', async () => {
    const { status, headers } = await call(getRegistrationPolicy)
    expect(status).toBe(200)
    expect(headers.get('Server-Timing')).toContain('1 trips')
  })

  it('tells whether identity providers are there, and not which', async () => {
    const domain = `${crypto.randomUUID()}.example`
    await rows('UPDATE identity_providers SET enabled = 0')
    expect((await ok(getRegistrationPolicy)).identityProviders).toBe(false)
    const json = {
      name: domain,
      domain,
      issuer: 'https://login.example.com',
      clientId: 'coffer',
      clientSecret: 'a secret of the provider',
    }
    await ok(createIdentityProvider, { as: await newAdmin(), json })
    const { body, text } = await call(getRegistrationPolicy)
    expect(body.identityProviders).toBe(true)
    expect(text).not.toContain(domain)
  })

  it('names the lengths that registration goes by', async () => {
    const { password } = await ok(getRegistrationPolicy)
    const word = 'wicker lantern orbit'
    const statuses = []
    for (const length of [password.minLength - 1, password.minLength]) {
      const email = `policy-${crypto.randomUUID()}@coffer.test`
      const json = { email, password: word.slice(0, length), name: 'Ada' }
      statuses.push((await call(register, { json })).status)
    }
    expect(statuses).toEqual([400, 201])
  })
})
