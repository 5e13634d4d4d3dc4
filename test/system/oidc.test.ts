import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf, operationOf } from '../support/described.ts'
import { type Release, startService } from '../support/releases.ts'

// The release bundle against a certified implementation of the provider's side, with a browser's cookies.

const SECRET = 'a secret of the provider'
let answering: RequestListener = (_, response) => response.writeHead(503).end()
const server = createServer((request, response) => answering(request, response))
const logged: string[] = []
let service: Release
let issuer: string
let admin: string

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  issuer = `http://${host}`
  const onLog = (line: string) => logged.push(line)
  service = await startService({ variables: { OUTBOUND_ALLOW: host }, onLog })
  const inviteCode = await service.invite()
  const owner = { email: 'owner@coffer.test', password: 'only for this one test', name: 'Owner' }
  const registered = await send('/auth/register', { ...owner, inviteCode })
  admin = ((await registered.json()) as { accessToken: string }).accessToken
})

afterAll(async () => {
  await service?.stop()
  server.closeAllConnections()
  server.close()
})

const send = (path: string, json: object) =>
  fetch(service.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(admin ? { Authorization: `Bearer ${admin}` } : {}),
    },
    body: JSON.stringify(json),
  })

/** What the service answered otherwise than it is described. */
const faults: string[] = []

async function hold(operationId: string, response: Response): Promise<void> {
  faults.push(...(await faultsOf(operationOf(operationId), response.clone())))
}

/** The leg of the journey that an address of the service is. */
const legOf = (url: string) =>
  url.includes('/callback?') ? 'returnFromProvider' : 'authorizeWithProvider'

/** A browser that goes where it is sent, signs in as whom it is told, and agrees to everything. */
async function browse(start: string, login: string): Promise<Response> {
  const cookies = new Map<string, string>()
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    if (url.startsWith(service.url)) {
      await hold(legOf(url), response)
    }
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('Location')
    if (location !== null) {
      return visit(new URL(location, url).href)
    }
    if (new URL(url).pathname.startsWith('/interaction/')) {
      const isLogin = (await response.text()).includes('name="password"')
      return visit(url, isLogin ? { prompt: 'login', login, password: 'x' } : { prompt: 'consent' })
    }
    return response
  }
  return visit(start)
}

const newProvider = async (domain: string, more: object = {}, inIdToken = true) => {
  const response = await send('/admin/identity-providers', {
    name: domain,
    domain,
    issuer,
    clientId: 'coffer',
    clientSecret: SECRET,
    autoProvision: true,
    ...more,
  })
  const provider = (await response.json()) as { id: string }
  const client = {
    client_id: 'coffer',
    client_secret: SECRET,
    redirect_uris: [`${service.url}/auth/provider/${provider.id}/callback`],
  }
  const findAccount = (_: unknown, id: string) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: `${id}@${domain}`,
      email_verified: true,
      name: 'Ada L.',
      groups: ['chiefs'],
    }),
  })
  answering = new Provider(issuer, {
    clients: [client],
    findAccount,
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: !inIdToken,
  }).callback()
  return provider.id
}

it('signs people in by a provider that is not of our making', async () => {
  const id = await newProvider('example.com')
  const answer = await fetch(`${service.url}/auth/provider?email=ada@example.com`)
  expect(await answer.json()).toEqual({ providers: [{ id, name: 'example.com' }] })

  const users = []
  for (const _ of ['the first time', 'and again']) {
    const returned = await browse(`${service.url}/auth/provider/${id}/authorize`, 'ada')
    expect(returned.status, await returned.clone().text()).toBe(200)
    const { code } = (await returned.json()) as { code: string }
    const swapped = await send('/auth/provider/exchange', { code })
    await hold('exchangeProviderCode', swapped)
    const tokens = (await swapped.json()) as { accessToken: string; user: { id: string } }
    expect([swapped.status, tokens.user]).toMatchObject([
      200,
      { email: 'ada@example.com', name: 'Ada L.', emailVerified: true },
    ])
    const me = await fetch(`${service.url}/auth/me`, {
      headers: { Authorization: `Bearer ${tokens.accessToken}` },
    })
    expect(await me.json()).toMatchObject(tokens.user)
    users.push(tokens.user.id)
    expect((await send('/auth/provider/exchange', { code })).status).toBe(401)
  }
  expect(users[1]).toBe(users[0])
  expect(faults).toEqual([])
})

it('asks a provider that is not of our making at its userinfo endpoint, also for roles', async () => {
  const marked = { roleClaim: 'groups', roleMap: { chiefs: 'rol_admin' } }
  const id = await newProvider('userinfo.example', marked, false)
  const returned = await browse(`${service.url}/auth/provider/${id}/authorize`, 'grace')
  expect(returned.status, await returned.clone().text()).toBe(200)
  const swapped = await send('/auth/provider/exchange', await returned.json())
  expect(await swapped.json()).toMatchObject({
    user: { email: 'grace@userinfo.example', roles: [{ id: 'rol_user' }, { id: 'rol_admin' }] },
  })
})

it('finds nothing wrong with a provider that is not of our making', async () => {
  const list = await fetch(`${service.url}/admin/identity-providers`, {
    headers: { Authorization: `Bearer ${admin}` },
  })
  const [provider] = (await list.json()) as { id: string }[]
  const tested = await send(`/admin/identity-providers/${provider?.id}/test`, {})
  const { ok, checks, redirectUri } = (await tested.json()) as {
    ok: boolean
    checks: { ok: boolean }[]
    redirectUri: string
  }
  expect(checks.filter((one) => !one.ok)).toEqual([])
  expect([tested.status, ok]).toEqual([200, true])
  expect(redirectUri).toBe(`${service.url}/auth/provider/${provider?.id}/callback`)
})

it('keeps the client secret and the tokens out of its log', () => {
  expect(logged.join('\n')).toContain('returnFromProvider')
  expect(logged.join('\n')).not.toContain(SECRET)
  expect(logged.join('\n')).not.toMatch(/eyJ|sic_|rft_|code=/)
})
