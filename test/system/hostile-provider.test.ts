import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf, operationOf } from '../support/described.ts'
import { HOST, type Release, startService } from '../support/releases.ts'
import { isProof, limit } from '../support/rounds.ts'

// The release against a provider that answers what no provider should, byte by byte.

type Answering = (response: ServerResponse, good: string) => void

/** Which of its addresses answers badly, and how. */
interface Case {
  at: 'discovery' | 'token' | 'keys'
  answer: Answering
}

const json =
  (body: string | Buffer, headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body)

const everywhere: Record<string, Answering> = {
  hangs: () => undefined,
  drips: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 500)
    response.on('close', () => clearInterval(timer))
  },
  'hangs up': (response, good) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': good.length })
    response.write(good.slice(0, 5), () => response.destroy())
  },
  'sends 10 MB': (response, good) => json(good + ' '.repeat(10_000_000))(response, good),
  'sends 10 MB in 10 KB': (response, good) =>
    json(gzipSync(good + ' '.repeat(10_000_000)), { 'Content-Encoding': 'gzip' })(response, good),
  redirects: (response) => response.writeHead(302, { Location: '/elsewhere' }).end(),
  'sends a page': (response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>{}</html>'),
  fails: (response, good) =>
    response.writeHead(500, { 'Content-Type': 'application/json' }).end(good),
  'says nothing': json(''),
  'sends null': json('null'),
  'sends a list': json('[]'),
  'sends half': (response, good) => json(good.slice(0, -1))(response, good),
  'nests deeply': json('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)),
  'sends what is no UTF-8': json(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const others = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }
const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const text = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

const sets: Record<string, unknown> = {
  'no key': { keys: [] },
  'keys that are none': { keys: [null, 7, 'x', {}] },
  'a set that is none': { keys: 'all' },
  'the key for something else': { keys: [{ ...jwk, use: 'enc' }] },
  "another's key under this name": {
    keys: [{ ...others.publicKey.export({ format: 'jwk' }), kid: 'one' }],
  },
  'a shared secret under this name': {
    keys: [{ kty: 'oct', kid: 'one', k: Buffer.from(pem).toString('base64url') }],
  },
}

/** Tokens by what is wrong with them; the claims are right. */
const forged: Record<string, (claims: object) => string> = {
  'without a signature': (claims) => `${text({ alg: 'none', kid: 'one' })}.${text(claims)}.`,
  'under the public key as a secret': (claims) => {
    const message = `${text({ alg: 'HS256', kid: 'one' })}.${text(claims)}`
    return `${message}.${createHmac('sha256', pem).update(message).digest('base64url')}`
  },
  'with a key of its own': (claims) => {
    const inside = { ...others.publicKey.export({ format: 'jwk' }), kid: 'one' }
    return signed({ alg: 'RS256', kid: 'one', jwk: inside }, claims, others.privateKey)
  },
  'with what must be understood': (claims) =>
    signed({ alg: 'RS256', kid: 'one', crit: ['b64'], b64: false }, claims, keys.privateKey),
  'signed otherwise than it says': (claims) =>
    signed({ alg: 'PS256', kid: 'one' }, claims, keys.privateKey),
  'with a part too many': (claims) =>
    `${signed({ alg: 'RS256', kid: 'one' }, claims, keys.privateKey)}.x`,
}

function signed(header: object, claims: object, key: typeof keys.privateKey): string {
  const message = `${text(header)}.${text(claims)}`
  return `${message}.${sign('sha256', Buffer.from(message), key).toString('base64url')}`
}

interface Conduct {
  wrong?: Case
  token?: (claims: object) => string
  nonce: string
}

const conducts = new Map<string, Conduct>()
const called: string[] = []

const server = createServer(answer)

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  called.push(url)
  const [, name = '', ...rest] = url.split('/')
  const conduct = conducts.get(name)
  const issuer = `${origin}/${name}`
  const at = rest.join('/')
  const [which, good]: [Case['at'], object] =
    at === 'token'
      ? ['token', tokens(issuer, conduct)]
      : at === 'keys'
        ? ['keys', { keys: [jwk] }]
        : ['discovery', description(issuer)]
  const body = JSON.stringify(good)
  if (conduct?.wrong?.at === which) {
    conduct.wrong.answer(response, body)
  } else {
    json(body)(response, body)
  }
}

const description = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
})

function tokens(issuer: string, conduct?: Conduct) {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    ...{ iss: issuer, aud: 'coffer', sub: 'ada', nonce: conduct?.nonce, iat: now, exp: now + 60 },
    ...{ email: `ada@${domainOf(issuer)}`, email_verified: true },
  }
  const make =
    conduct?.token ??
    ((right: object) => signed({ alg: 'RS256', kid: 'one' }, right, keys.privateKey))
  return { access_token: 'x', token_type: 'Bearer', id_token: make(claims) }
}

const domainOf = (issuer: string) => `${issuer.split('/').at(-1)}.example`

/** Makes the time limit of the service, which is ten seconds, end after a quarter of that. */
const HASTE = `const limit = AbortSignal.timeout; AbortSignal.timeout = (ms) => limit.call(AbortSignal, ms / 4)`
const hastened = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HASTE)}`,
}

let service: Release
let origin: string
let admin = ''

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  origin = `http://${host}`
  service = await startService({
    variables: {
      ...{ OUTBOUND_ALLOW: host, LOGIN_LIMIT_CLIENT: '1000' },
      ...(HOST === 'node' && !isProof ? hastened : {}),
    },
  })
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

const send = (path: string, body: object) =>
  fetch(service.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(admin ? { Authorization: `Bearer ${admin}` } : {}),
    },
    body: JSON.stringify(body),
  })

let serial = 0

/** A way to a provider of its own and back; gives what the last leg that there is was answered. */
async function travel(conduct: Omit<Conduct, 'nonce'>): Promise<Response> {
  const name = `case-${++serial}`
  const issuer = `${origin}/${name}`
  const told = { ...conduct, nonce: '' }
  conducts.set(name, told)
  const created = await send('/admin/identity-providers', {
    ...{ name, issuer, domain: domainOf(issuer), clientId: 'coffer', clientSecret: 'secret' },
    autoProvision: true,
  })
  const { id } = (await created.json()) as { id: string }
  const begun = await fetch(`${service.url}/auth/provider/${id}/authorize`, { redirect: 'manual' })
  if (begun.status !== 302) {
    return held('authorizeWithProvider', begun)
  }
  const asked = new URL(begun.headers.get('Location') ?? '').searchParams
  told.nonce = asked.get('nonce') ?? ''
  const query = new URLSearchParams({
    state: asked.get('state') ?? '',
    code: createHash('sha1').digest('hex'),
  })
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const returned = await fetch(`${service.url}/auth/provider/${id}/callback?${query.toString()}`, {
    headers: { Cookie: cookie },
    redirect: 'manual',
  })
  return held('returnFromProvider', returned)
}

async function held(operationId: string, response: Response): Promise<Response> {
  // 503 is what it is to be here, and no operation is to have it anywhere else.
  if (response.status !== 503) {
    expect(await faultsOf(operationOf(operationId), response.clone())).toEqual([])
  }
  return response
}

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

it('lets in whom an upright one confirms', async () => {
  const response = await travel({})
  expect(response.status, await response.clone().text()).toBe(200)
  expect(await codeOf(response)).toMatch(/^sic_/)
})

const REFUSED = ['auth.providerRefused', 'auth.providerUnusable', 'outbound.failed']

const places = ['discovery', 'token', 'keys'] as const

// Each waits for the time limit: together they take no longer than one.
it.concurrent.each(places)(
  'lets nobody in by one whose %s is broken in any way, and waits for none',
  async (at) => {
    const tries = Object.entries(everywhere).map(async ([how, bad]) => {
      const begun = Date.now()
      const response = await travel({ wrong: { at, answer: bad } })
      const code = await codeOf(response)
      return {
        how,
        code,
        isRefused: REFUSED.includes(code),
        isSoon: Date.now() - begun < limit(30_000),
      }
    })
    const found = await Promise.all(tries)
    expect(found.filter(({ isRefused, isSoon }) => !isRefused || !isSoon)).toEqual([])
    expect(called).not.toContain('/elsewhere')
  },
)

it.each(Object.entries(sets))('lets nobody in by one that publishes %s', async (_, set) => {
  const body = JSON.stringify(set)
  const response = await travel({ wrong: { at: 'keys', answer: json(body) } })
  expect([response.status, await codeOf(response)]).toEqual([401, 'auth.providerRefused'])
})

it.each(Object.entries(forged))('takes no token %s', async (_, token) => {
  for (const set of [{ keys: [jwk] }, sets['a shared secret under this name']]) {
    const answerKeys = json(JSON.stringify(set))
    const response = await travel({ token, wrong: { at: 'keys', answer: answerKeys } })
    expect([response.status, await codeOf(response)]).toEqual([401, 'auth.providerRefused'])
  }
})

it('has its wits about it afterwards', async () => {
  expect((await travel({})).status).toBe(200)
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
})
