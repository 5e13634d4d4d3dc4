import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import '../../src/app.ts'
import { PERMISSION_KEYS } from '../../src/domain/permissions.ts'
import { allOperations, type Operation } from '../../src/http/registry.ts'
import { fetchRaw, type Principal, rows } from '../support/api.ts'
import { newUser, type TestUser } from '../support/world.ts'

// Every operation, as the registry knows it: a new route is swept on the day it appears.
const operations = allOperations()
const guarded = operations.filter(({ access }) => access !== 'public')

/** Routes that need no token, by nature or by the interface. Adding one is a decision: it stands here. */
const PUBLIC = [
  'GET /health',
  'GET /health/ready',
  'GET /version',
  'GET /.well-known/jwks.json',
  'GET /auth/provider',
  'GET /auth/provider/{id}/authorize',
  'GET /auth/provider/{id}/callback',
  'POST /auth/provider/exchange',
  'GET /auth/registration-policy',
  'POST /auth/register',
  'POST /auth/v2/login',
  'POST /auth/v2/login/mfa',
  'POST /auth/refresh-token',
  'POST /auth/email/verify',
  'POST /auth/password/forgot',
  'POST /auth/password/reset',
]

/** Those that end the session which they come with. */
const ENDING = ['logout', 'logoutAll']

const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`

/** A request that is wrong in every way but its path: what is refused first shows. */
async function ask(operation: Operation, as: Partial<Principal>, body = '{"surplus":1}') {
  const hasBody = ['post', 'put', 'patch'].includes(operation.method)
  const response = await fetchRaw(operation.path.replace(/\{\w+\}/g, 'nothing'), {
    method: operation.method.toUpperCase(),
    headers: {
      ...(as.accessToken ? { Authorization: `Bearer ${as.accessToken}` } : {}),
      'Content-Type': 'application/json',
    },
    ...(hasBody ? { body } : {}),
  })
  return response.status
}

/** A user with one role, which holds exactly these permissions. */
async function userHolding(permissions: readonly string[]): Promise<TestUser> {
  const user = await newUser()
  const role = `rol_${user.id.slice(4)}`
  await env.DB.batch([
    env.DB.prepare('DELETE FROM user_roles WHERE user_id = ?').bind(user.id),
    env.DB.prepare(
      'INSERT INTO roles (id, name, name_key, version, created_at, updated_at) VALUES (?1, ?1, ?1, 1, 0, 0)',
    ).bind(role),
    env.DB.prepare('INSERT INTO user_roles (user_id, role_id) VALUES (?, ?)').bind(user.id, role),
    ...permissions.map((permission) =>
      env.DB.prepare('INSERT INTO role_permissions (role_id, permission) VALUES (?, ?)').bind(
        role,
        permission,
      ),
    ),
  ])
  return user
}

it('leaves open exactly the routes that are meant to be', () => {
  const open = operations.filter(({ access }) => access === 'public').map(nameOf)
  expect(open.toSorted()).toEqual(PUBLIC.toSorted())
})

it('gives every permission of the catalogue a route, and every route a permission of it', () => {
  const used = new Set(guarded.map(({ access }) => access))
  expect([...used].toSorted()).toEqual(PERMISSION_KEYS.toSorted())
})

describe('whoever has no valid session', () => {
  let disabled: TestUser
  let signedOut: TestUser
  let expired: TestUser
  beforeAll(async () => {
    ;[disabled, signedOut, expired] = await Promise.all([newUser(), newUser(), newUser()])
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", disabled.id)
    await rows('UPDATE sessions SET revoked_at = 1 WHERE user_id = ?', signedOut.id)
    await rows('UPDATE sessions SET idle_expires_at = 1 WHERE user_id = ?', expired.id)
  })

  it.each(guarded.map((operation) => [nameOf(operation), operation] as const))(
    'gets 401 from %s, whatever else is wrong with the request',
    async (_, operation) => {
      const forged = `${disabled.accessToken.slice(0, -2)}AA`
      const principals = [
        {},
        { accessToken: 'x' },
        { accessToken: forged },
        disabled,
        signedOut,
        expired,
      ]
      const statuses = await Promise.all(principals.map((as) => ask(operation, as)))
      const malformed = await ask(operation, signedOut, '{')
      expect([...statuses, malformed]).toEqual([401, 401, 401, 401, 401, 401, 401])
    },
  )
})

describe('a permission', () => {
  it.each(PERMISSION_KEYS)('%s opens exactly the routes that name it', async (permission) => {
    const holder = await userHolding([permission])
    const lacking = await userHolding(PERMISSION_KEYS.filter((key) => key !== permission))
    for (const operation of guarded.filter(({ operationId }) => !ENDING.includes(operationId))) {
      const isOpen = operation.access === permission
      const [held, lacked] = await Promise.all([ask(operation, holder), ask(operation, lacking)])
      const where = `${nameOf(operation)} with ${permission} alone, then with all others`
      expect([held === 403, lacked === 403], where).toEqual([!isOpen, isOpen])
      expect([held, lacked], where).not.toContain(401)
      expect(Math.max(held, lacked), where).toBeLessThan(500)
    }
  })
})
