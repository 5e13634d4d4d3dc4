import type { z } from '@hono/zod-openapi'
import { expect } from 'vitest'
import type { TokenResponse } from '../../../src/areas/identity/auth/auth.contract.ts'
import {
  authorizeWithProvider,
  exchangeProviderCode,
  returnFromProvider,
} from '../../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { type Answer, call } from '../../support/api.ts'
import type { oidcDouble } from './oidc-double.ts'
import { newProvider, type ProviderInput, wanted } from './providers.ts'

/** Ways to a provider and back. */
export function journeysTo(provider: () => Awaited<ReturnType<typeof oidcDouble>>) {
  /** A provider that brings people in, and one of them. */
  async function newRealm(changed: Partial<ProviderInput> = {}) {
    const json = wanted({ issuer: provider().issuer, autoProvision: true, ...changed })
    const realm = await newProvider(json)
    const email = `ada-${crypto.randomUUID()}@${realm.domain}`
    provider().conduct.person = {
      sub: crypto.randomUUID(),
      email,
      email_verified: true,
      name: 'Ada L.',
    }
    return { ...realm, email, json }
  }

  async function begin(id: string, query: Record<string, string> = {}) {
    const { status, headers, text } = await call(authorizeWithProvider, { id, query })
    expect(status, text).toBe(302)
    const location = headers.get('Location') ?? ''
    const cookie = (headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
    return { location, cookie, headers }
  }

  const back = (id: string, query: Record<string, string>, cookie: string) =>
    call(returnFromProvider, { id, query, headers: { Cookie: cookie } })

  /** The way to the provider and back again. */
  async function travel(id: string) {
    const { location, cookie } = await begin(id)
    return back(id, provider().signIn(location), cookie)
  }

  /** All the way, of somebody whom no second factor is asked of. */
  async function enter(id: string) {
    const { status, body, text } = await travel(id)
    expect(status, text).toBe(200)
    const answer = await call(exchangeProviderCode, { json: { code: body?.code ?? '' } })
    return answer as Answer<z.infer<typeof TokenResponse>>
  }

  return { newRealm, begin, back, travel, enter }
}
