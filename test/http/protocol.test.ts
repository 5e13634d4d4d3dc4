import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { getMe, login, register } from '../../src/areas/identity/auth/auth.routes.ts'
import { listTags } from '../../src/areas/money/tags/tags.routes.ts'
import { createRole, getRole, updateRole } from '../../src/areas/identity/roles/roles.routes.ts'
import { type ErrorBody, ok } from '../support/api.ts'
import { call, fetchRaw } from '../support/loopback.ts'
import { serviceWith } from '../support/service.ts'
import { newAdmin, newUser } from '../support/world.ts'

const bearer = ({ accessToken }: { accessToken: string }) => ({
  Authorization: `Bearer ${accessToken}`,
})

const request = (path: string, init?: RequestInit) => new Request(`http://coffer.test${path}`, init)

describe('paths and methods', () => {
  it.each([
    '/nothing',
    '/auth',
    '/auth/me/',
    '//auth/me',
    '/AUTH/ME',
    '/auth/me/x',
    '/.env',
    '/Xwell-known/jwks.json',
  ])('there is nothing at %s', async (path) => {
    const response = await fetchRaw(path, { headers: bearer(await newUser()) })
    const { requestId, ...error } = await response.json<ErrorBody>()
    expect(response.status).toBe(404)
    expect(error).toEqual({
      error:
        'There is no such path. Compare it with the paths in the API description, /openapi.json.',
      code: 'request.unknownRoute',
    })
    expect(requestId).toBe(response.headers.get('X-Request-Id'))
  })

  it.each([
    ['POST', '/auth/me', 'GET, HEAD'],
    ['GET', '/auth/v2/login', 'POST'],
    ['HEAD', '/auth/v2/login', 'POST'],
    ['PATCH', '/admin/roles/rol_x', 'GET, HEAD, PUT, DELETE'],
    ['DELETE', '/admin/roles', 'GET, HEAD, POST'],
    ['OPTIONS', '/auth/me', 'GET, HEAD'],
    ['PROPFIND', '/health', 'GET, HEAD'],
    ['POST', '/.well-known/jwks.json', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['POST', '/swagger/index.html', 'GET, HEAD'],
    ['DELETE', '/swagger/doc.json', 'GET, HEAD'],
  ])('%s %s is answered with the methods that there are', async (method, path, allowed) => {
    const response = await fetchRaw(path, { method })
    expect([response.status, response.headers.get('Allow')]).toEqual([405, allowed])
    if (method !== 'HEAD') {
      expect((await response.json<ErrorBody>()).code).toBe('request.methodNotAllowed')
    }
  })

  it('takes the method from the request line alone', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE', ...bearer(await newAdmin()) }
    expect((await fetchRaw('/admin/roles/rol_user?_method=DELETE', { headers })).status).toBe(400)
    expect((await fetchRaw('/admin/roles/rol_user', { headers })).status).toBe(200)
  })

  it('answers HEAD like GET, without the body', async () => {
    const headers = bearer(await newUser())
    const [get, head] = [
      await fetchRaw('/auth/me', { headers }),
      await fetchRaw('/auth/me', { method: 'HEAD', headers }),
    ]
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const name of ['ETag', 'Content-Type', 'Cache-Control']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
    expect((await fetchRaw('/auth/me', { method: 'HEAD' })).status).toBe(401)
    const known = { ...headers, 'If-None-Match': get.headers.get('ETag') ?? '' }
    expect((await fetchRaw('/auth/me', { method: 'HEAD', headers: known })).status).toBe(304)
  })
})

describe('headers', () => {
  it('keep browsers from guessing, framing, caching and telling', async () => {
    const me = await newUser()
    const failing = serviceWith({ env: { REGISTRATION: 'maybe' } })
    const answers = [
      await fetchRaw('/health'),
      await fetchRaw('/auth/me', { headers: bearer(me) }),
      await fetchRaw('/auth/me'),
      await fetchRaw('/nothing'),
      await fetchRaw('/health', { method: 'POST' }),
      await failing.fetch(request('/health/ready')),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 405, 500])
    for (const { headers } of answers) {
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('X-Frame-Options')).toBe('SAMEORIGIN')
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains')
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('Content-Type')).toMatch(/^application\/json/)
      expect(headers.has('X-Powered-By')).toBe(false)
    }
  })

  it('name every request anew, whatever the caller calls it', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { headers } = await fetchRaw('/health', { headers: { 'X-Request-Id': 'mine' } })
        return headers.get('X-Request-Id')
      }),
    )
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) {
      expect(id).toMatch(/^req_[0-9a-z]{26}$/)
    }
  })

  it('carry a bookmark, and start at the one that is sent only where the operator allows it', async () => {
    const me = await newUser()
    const first = await call(getMe, { as: me })
    const bookmark = first.headers.get('X-D1-Bookmark') ?? ''
    expect(bookmark).toMatch(/^[0-9a-f-]{50,200}$/)
    const starts: string[] = []
    const withSession = (start: string) => {
      starts.push(start)
      return env.DB.withSession(start)
    }
    const service = serviceWith({ env: { DB: { withSession } as D1Database } })
    const headers = { 'X-D1-Bookmark': bookmark }
    expect((await service.call(getMe, { as: me, headers })).body).toEqual(first.body)
    expect(starts).toEqual(['first-primary'])
    const withReplicas = serviceWith({
      env: { DB: { withSession } as D1Database, READ_REPLICAS: 'on' },
    })
    expect((await withReplicas.call(listTags, { as: me, headers })).status).toBe(200)
    expect(starts.slice(1)).toEqual([bookmark])
  })

  it.each(['first-unconstrained', '0', '', 'x'.repeat(4000), "' OR 1=1--"])(
    'that hold no bookmark are passed over: %s',
    async (bookmark) => {
      const headers = { 'X-D1-Bookmark': bookmark }
      expect((await call(getMe, { as: await newUser(), headers })).status).toBe(200)
      const withReplicas = serviceWith({ env: { READ_REPLICAS: 'on' } })
      const answer = await withReplicas.call(listTags, { as: await newUser(), headers })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('X-D1-Bookmark')).toMatch(/^[0-9a-f-]{50,200}$/)
    },
  )

  it('may name a moment that the database never had', async () => {
    const headers = {
      'X-D1-Bookmark': `${'f'.repeat(8)}-${'f'.repeat(8)}-00000000-${'0'.repeat(32)}`,
    }
    const withReplicas = serviceWith({ env: { READ_REPLICAS: 'on' } })
    const { status } = await withReplicas.call(listTags, { as: await newUser(), headers })
    expect(status).toBe(200)
  })
})

describe('calls from the pages of other origins', () => {
  const Origin = 'https://app.example'
  const preflight = {
    method: 'OPTIONS',
    headers: {
      Origin,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization,content-type,if-match',
    },
  }
  const corsHeaders = (response: Response) =>
    [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))

  it('are not allowed unless an operator says so', async () => {
    const plain = await fetchRaw('/health', { headers: { Origin } })
    expect([plain.status, corsHeaders(plain)]).toEqual([200, []])
    const asked = await fetchRaw('/health', preflight)
    expect([asked.status, corsHeaders(asked)]).toEqual([405, []])
  })

  it.each([
    'http://localhost:5173',
    'http://127.0.0.1:3000',
    'https://localhost',
    'http://[::1]:8080',
  ])('are allowed to %s in development', async (local) => {
    const plain = await fetchRaw('/health', { headers: { Origin: local } })
    expect(plain.headers.get('Access-Control-Allow-Origin')).toBe(local)
    const asked = await fetchRaw('/health', {
      ...preflight,
      headers: { ...preflight.headers, Origin: local },
    })
    expect([asked.status, asked.headers.get('Access-Control-Allow-Origin')]).toEqual([204, local])
  })

  it.each(['http://localhost.example', 'http://localhost:5173.example', 'http://evil-localhost'])(
    'are not allowed to %s, which is elsewhere',
    async (foreign) => {
      const plain = await fetchRaw('/health', { headers: { Origin: foreign } })
      expect(corsHeaders(plain)).toEqual([])
    },
  )

  it('are allowed to the origins that the operator names', async () => {
    const { fetch } = serviceWith({ env: { CORS_ORIGINS: ` https://other.example, ${Origin}` } })
    const plain = await fetch(request('/health', { headers: { Origin } }))
    expect(plain.headers.get('Access-Control-Allow-Origin')).toBe(Origin)
    const exposed = plain.headers.get('Access-Control-Expose-Headers')?.split(',')
    expect(exposed).toEqual(
      expect.arrayContaining([
        'Accept-Ranges',
        'Content-Disposition',
        'Content-Range',
        'ETag',
        'Idempotency-Replayed',
        'Link',
        'Retry-After',
        'X-D1-Bookmark',
        'X-Request-Id',
      ]),
    )
    expect(plain.headers.has('Access-Control-Allow-Credentials')).toBe(false)
    expect(plain.headers.get('Vary')).toContain('Origin')
    const asked = await fetch(request('/admin/roles/rol_x', preflight))
    expect(asked.status).toBe(204)
    expect(asked.headers.get('Access-Control-Allow-Methods')).toContain('PUT')
    expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('if-match')
    const refused = await fetch(request('/auth/me', { headers: { Origin } }))
    expect(refused.status).toBe(401)
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe(Origin)
  })

  it.each(['https://evil.example', 'null', `${Origin}.evil.example`, 'http://app.example', ''])(
    'are not allowed to %s',
    async (other) => {
      const { fetch } = serviceWith({ env: { CORS_ORIGINS: Origin } })
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { ...preflight.headers, Origin: other }
        const response = await fetch(request('/health', { method, headers }))
        expect(response.headers.has('Access-Control-Allow-Origin')).toBe(false)
      }
    },
  )
})

describe('versions', () => {
  it('of an answer are strong tags, one for each state', async () => {
    const as = await newAdmin()
    const json = { name: `Role ${crypto.randomUUID()}`, permissions: [] }
    const created = await call<{ id: string }>(createRole, { as, json })
    const id = created.body.id
    const tags = [created.headers.get('ETag')]
    for (const description of ['one', 'two']) {
      const { headers } = await call(updateRole, { as, id, json: { description } })
      tags.push(headers.get('ETag'))
    }
    expect(new Set(tags).size).toBe(3)
    tags.forEach((tag, at) => expect(tag).toMatch(new RegExp(`^"${at + 1}-[\\w-]{16}"$`)))
    expect((await call(getRole, { as, id })).headers.get('ETag')).toBe(tags.at(-1))
  })

  it('that the caller knows are not sent again', async () => {
    const as = await newUser()
    const { headers } = await call(getMe, { as })
    const etag = headers.get('ETag') ?? ''
    const ask = async (ifNoneMatch: string) =>
      (await call(getMe, { as, headers: { 'If-None-Match': ifNoneMatch } })).status
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      expect(await ask(known), known).toBe(304)
    }
    for (const unknown of ['"x"', etag.replaceAll('"', ''), etag.replace('1-', '2-'), '']) {
      expect(await ask(unknown), unknown).toBe(200)
    }
    const stranger = await call(getMe, { headers: { 'If-None-Match': etag } })
    expect(stranger.status).toBe(401)
  })
})

describe('failures', () => {
  it('that nobody foresaw are told in one fixed sentence', async () => {
    const { fetch } = serviceWith({
      routes: (app) =>
        app.get('/test/failure', () => {
          throw new Error('SELECT password_hash FROM users; a secret')
        }),
    })
    const response = await fetch(request('/test/failure'))
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      error: 'The service failed. Try again later.',
      code: 'service.failed',
      requestId: response.headers.get('X-Request-Id'),
    })
  })

  it.each([
    ['APP_SECRET', { APP_SECRET: 'short' }],
    ['JWT_KEYS', { JWT_KEYS: 'no keys' }],
    ['REGISTRATION', { REGISTRATION: 'sometimes' }],
    ['PASSWORD_COST', { PASSWORD_COST: '-99' }],
    ['LOGIN_LIMIT_ACCOUNT', { LOGIN_LIMIT_ACCOUNT: '-1' }],
    ['USER_LIMIT_DATABASE_MS', { USER_LIMIT_DATABASE_MS: '-1' }],
    ['READ_REPLICAS', { READ_REPLICAS: 'yes' }],
  ])('of a wrong setting stop every request and name nothing: %s', async (_, wrong) => {
    const service = serviceWith({ env: wrong })
    const { status, text } = await service.call(login, { json: { email: 'x', password: 'x' } })
    expect(status).toBe(500)
    expect(text).toContain('The service is not configured correctly.')
    for (const detail of [...Object.entries(wrong).flat(), env.APP_SECRET].filter(Boolean)) {
      expect(text).not.toContain(detail)
    }
  })

  it('of the database are told as such, with word of when to come back', async () => {
    const { id } = await newUser()
    for (const cause of [
      'D1 DB is overloaded. Requests queued for too long.',
      'Network connection lost.',
    ]) {
      const service = serviceWith({
        aroundTrips: () => Promise.reject(new Error(`${cause} ${id}`)),
      })
      const json = { email: `${crypto.randomUUID()}@coffer.test`, password: 'x' }
      const { status, error, headers } = await service.call<unknown>(login, { json })
      expect([status, error.code]).toEqual([503, 'service.unavailable'])
      expect(error.error).toBe('The database or file storage is busy. Try again in a moment.')
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    }
  })

  it('of the database that nobody foresaw tell nothing of it', async () => {
    const message = 'D1_ERROR: no such column: password_hash at offset 12: SQLITE_ERROR'
    const service = serviceWith({ aroundTrips: () => Promise.reject(new Error(message)) })
    const json = { email: 'ada@coffer.test', password: 'seven green bottles', name: 'Ada' }
    const { status, error } = await service.call<unknown>(register, { json })
    expect([status, error.error, error.code]).toEqual([
      500,
      'The service failed. Try again later.',
      'service.failed',
    ])
  })

  it('never answer a signed-in caller before the database could say that he still is', async () => {
    const as = await newUser()
    expect(await ok(getMe, { as })).toBeDefined()
    const service = serviceWith({ aroundTrips: () => Promise.reject(new Error('overloaded')) })
    expect((await service.call(getMe, { as })).status).toBe(503)
    const json = { name: 1 }
    expect((await service.call(createRole, { as, json })).status).toBe(503)
  })
})
