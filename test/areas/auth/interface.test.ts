import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getMe,
  login as loginRoute,
  logout,
  refreshToken as refreshTokenRoute,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { getHealth, getVersion } from '../../../src/areas/operations/service/service.routes.ts'
import { describe as documentOf } from '../../../src/http/openapi.ts'
import { allOperations } from '../../../src/http/registry.ts'
import { call, fetchRaw, rows } from '../../support/api.ts'
import { pathOfNobody } from '../../support/foreign-ids.ts'
import { someId } from '../../support/of-file.ts'
import { failingService, refusal } from '../../support/interface.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { partsOf } from './tokens.ts'

interface Described {
  operationId: string
  security?: Record<string, string[]>[]
  responses: Record<string, unknown>
  'x-access': string
}

const document = JSON.parse(JSON.stringify(documentOf(createApp()))) as {
  info: { version: string }
  paths: Record<string, Record<string, Described>>
  components: { securitySchemes: Record<string, object> }
}
const operations = allOperations().map(({ operationId, method, path, access }) => ({
  name: `${method.toUpperCase()} ${path}`,
  method: method.toUpperCase(),
  path: pathOfNobody(operationId),
  access,
  described: document.paths[path]?.[method],
}))
const guarded = operations.filter(({ access }) => access !== 'public')

const statusOf = async ({ method, path }: { method: string; path: string }, token?: string) => {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return (await fetchRaw(path, { method, headers })).status
}

describe('interface 4.6', () => {
  it('POST /auth/v2/login, public: obtains an access token', async () => {
    const { email, password } = await newUser()
    const { status, body } = await call(loginRoute, { json: { email, password } })
    expect([status, body]).toMatchObject([200, { accessToken: expect.any(String) }])
  })

  it('POST /auth/refresh-token, public: refreshes the access token', async () => {
    const { accessToken, refreshToken } = await newUser()
    const { status, body } = await call(refreshTokenRoute, { json: { refreshToken } })
    expect(status).toBe(200)
    expect(body.accessToken).not.toBe(accessToken)
    expect((await call(getMe, { as: body })).status).toBe(200)
  })
})

// Clause 7, sharing an account to a group, comes with the groups.
describe('interface 5, authentication', () => {
  it('1. almost every route requires a JWT bearer token in the header: Authorization: Bearer <ACCESS_TOKEN>', async () => {
    const { accessToken } = await newAdmin()
    expect(accessToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    const without = await Promise.all(guarded.map((operation) => statusOf(operation)))
    expect(new Set(without)).toEqual(new Set([401]))
    const reads = guarded.filter(({ method }) => method === 'GET')
    const withToken = await Promise.all(reads.map((operation) => statusOf(operation, accessToken)))
    expect(withToken.filter((status) => status === 401 || status === 403)).toEqual([])
    expect(guarded.length / operations.length).toBeGreaterThan(0.7)
  })

  it('2. the token is obtained with POST /auth/v2/login and refreshed with POST /auth/refresh-token', async () => {
    const { email, password } = await newUser()
    const signedIn = await call(loginRoute, { json: { email, password } })
    const tokens = signedIn.body as { accessToken: string; refreshToken: string }
    expect((await call(getMe, { as: tokens })).status).toBe(200)
    const { refreshToken } = tokens
    const refreshed = await call(refreshTokenRoute, { json: { refreshToken } })
    expect((await call(getMe, { as: refreshed.body })).status).toBe(200)
    expect([loginRoute.entry.operationId, refreshTokenRoute.entry.operationId]).toEqual([
      'login',
      'refreshToken',
    ])
  })

  it('3. the scheme is named BearerAuth, but on the one route that says Bearer and the one that declares none', () => {
    const jwt = expect.objectContaining({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    expect(document.components.securitySchemes).toEqual({ BearerAuth: jwt, Bearer: jwt })
    const odd: Record<string, unknown> = {
      'PUT /admin/groups/{id}/storage-class': [{ Bearer: [] }],
      'GET /admin/download-metrics': [],
    }
    for (const { name, described } of guarded) {
      expect(described?.security, name).toEqual(odd[name] ?? [{ BearerAuth: [] }])
    }
  })

  it('4. login, register, refresh-token, health and version need no token', async () => {
    const named = [
      'POST /auth/v2/login',
      'POST /auth/register',
      'POST /auth/refresh-token',
      'GET /health',
      'GET /version',
    ]
    for (const name of named) {
      const operation = operations.find((one) => one.name === name)
      expect([name, operation?.described?.security]).toEqual([name, []])
      expect([name, operation && (await statusOf(operation))]).not.toEqual([name, 401])
    }
    expect([(await call(getHealth)).status, (await call(getVersion)).status]).toEqual([200, 200])
  })

  it('5. a missing or invalid token gives 401 on the routes that list 401', async () => {
    const listing = operations.filter(({ described }) => described?.responses['401'])
    expect(guarded.filter((operation) => !listing.includes(operation))).toEqual([])
    const asked = listing.filter(({ access }) => access !== 'public')
    for (const token of [undefined, '', 'x', 'a.b.c']) {
      const statuses = await Promise.all(asked.map((operation) => statusOf(operation, token)))
      expect(new Set(statuses), String(token)).toEqual(new Set([401]))
    }
    const { status, headers } = await call(getMe)
    expect([status, headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
  })

  it('6. admin routes need an admin user, and give 403 otherwise', async () => {
    const [user, admin] = await Promise.all([newUser(), newAdmin()])
    const ofAdmins = operations.filter(({ path }) => path.startsWith('/admin/'))
    expect(ofAdmins.length).toBeGreaterThan(12)
    const refused = await Promise.all(ofAdmins.map((one) => statusOf(one, user.accessToken)))
    expect(new Set(refused)).toEqual(new Set([403]))
    const reads = ofAdmins.filter(({ method }) => method === 'GET')
    const opened = await Promise.all(reads.map((one) => statusOf(one, admin.accessToken)))
    expect(opened).not.toContain(403)
    expect(opened).not.toContain(401)
  })

  it('8. a token lives for 15 minutes and says who, which session and for whom, and nothing more', async () => {
    const me = await newUser()
    const { header, claims } = partsOf(me)
    expect(header).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) })
    expect(claims).toEqual({
      iss: 'coffer',
      aud: 'coffer-api',
      sub: me.id,
      sid: expect.stringMatching(/^ses_/),
      jti: expect.stringMatching(/^jti_/),
      iat: expect.any(Number),
      exp: Number(claims['iat']) + 15 * 60,
    })
    const later = (minutes: number) => serviceWith({ ahead: minutes * 60_000 })
    expect((await later(14.5).call(getMe, { as: me })).status).toBe(200)
    expect((await later(15.5).call(getMe, { as: me })).status).toBe(401)
  })

  it('9. each route that is not public says which permission it requires, and requires it', async () => {
    const nobody = await newUser()
    await rows('DELETE FROM user_roles WHERE user_id = ?', nobody.id)
    for (const { name, access, described } of guarded) {
      expect([name, described?.['x-access']]).toEqual([name, access])
    }
    for (const one of guarded) {
      expect([one.name, await statusOf(one, nobody.accessToken)]).toEqual([one.name, 403])
    }
  })
})

describe('interface 7, errors', () => {
  it('400: bad request', async () => {
    const answer = await call(loginRoute, { raw: { body: '{}' } })
    expect(refusal(answer)).toBe('400 request.invalid')
  })

  it('401: unauthorized', async () => {
    expect(refusal(await call(getMe))).toBe('401 auth.required')
    const json = { email: 'nobody@coffer.test', password: 'not the right password' }
    expect(refusal(await call(loginRoute, { json }))).toBe('401 auth.invalidCredentials')
  })

  it('404: not found', async () => {
    const answer = await call(getAccountByID, { as: await newUser(), id: someId('acc') })
    expect(refusal(answer)).toMatch(/^404 /)
  })

  it('500: internal server error, which tells nothing of its cause', async () => {
    const answer = await failingService().call(logout, { as: await newUser() })
    expect(refusal(answer)).toBe('500 service.failed')
    expect(answer.text).not.toContain('disk')
  })
})

describe('interface 9, versioning', () => {
  it('the interface version is 1.0', async () => {
    expect(document.info.version).toBe('1.0')
    expect((await call(getVersion)).body).toMatchObject({ interfaceVersion: '1.0' })
  })

  it('paths carry no global version prefix, and the login route carries a version segment', () => {
    const paths = Object.keys(document.paths)
    expect(paths.filter((path) => /^\/(api\/)?v\d/.test(path))).toEqual([])
    expect(paths).toContain('/auth/v2/login')
  })
})
