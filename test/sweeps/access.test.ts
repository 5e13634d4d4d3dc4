import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import '../../src/app.ts'
import { coreOf, newId } from '../../src/domain/ids.ts'
import {
  isSessionOnly,
  type Permission,
  PERMISSION_KEYS,
  permissionsOfScopes,
} from '../../src/domain/permissions.ts'
import { allOperations, type Operation } from '../../src/http/registry.ts'
import { newPersonalToken } from '../../src/platform/personal-tokens.ts'
import { signAccessToken } from '../../src/platform/tokens.ts'
import { partsOf, signed, strangeKey } from '../areas/auth/tokens.ts'
import { fetchRaw, type Principal, rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'
import { someOf } from '../support/turns.ts'
import { newAdmin, newUser } from '../support/world.ts'

// Every operation, as the registry knows it: a new route is swept on the day it appears.
const operations = allOperations()

/** Routes that need no token, by nature or by the interface. Adding one is a decision: it stands here. */
const PUBLIC = [
  'GET /health',
  'GET /health/ready',
  'GET /version',
  'GET /service-info',
  'GET /.well-known/jwks.json',
  'GET /auth/provider',
  'GET /auth/provider/{id}/authorize',
  'GET /auth/provider/{id}/callback',
  'POST /auth/provider/exchange',
  'GET /auth/registration-policy',
  'POST /invite-code/validate',
  'POST /auth/register',
  'POST /auth/v2/login',
  'POST /auth/v2/login/mfa',
  'POST /auth/refresh-token',
  'POST /auth/email/verify',
  'POST /auth/password/forgot',
  'POST /auth/password/reset',
  'GET /download/{token}',
]

const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const isGuarded = (operation: Operation): operation is Operation & { access: Permission } =>
  operation.access !== 'public'
const guarded = operations.filter(isGuarded)
const byName = guarded.map((operation) => [nameOf(operation), operation] as const)

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

interface Holder extends Principal {
  id: string
}

/**
 * A user with one role, which holds exactly these permissions. Laid down by hand: to register one for each
 * operation takes longer than all that is asked of it.
 */
async function userHolding(permissions: readonly string[]): Promise<Holder> {
  const id = newId('usr', Date.now(), crypto.getRandomValues(new Uint8Array(10)))
  const [sessionId, role] = [`ses_${coreOf(id)}`, `rol_${coreOf(id)}`]
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
        VALUES (?1, ?1, ?1, 'Ada', 'EUR', 'en', 'UTC', 0, 0)`,
    ).bind(id),
    env.DB.prepare(
      `INSERT INTO sessions (id, user_id, created_at, last_used_at, idle_expires_at, absolute_expires_at)
        VALUES (?, ?, 0, 0, 4e12, 4e12)`,
    ).bind(sessionId, id),
    env.DB.prepare(
      'INSERT INTO roles (id, name, name_key, version, created_at, updated_at) VALUES (?1, ?1, ?1, 1, 0, 0)',
    ).bind(role),
    env.DB.prepare('INSERT INTO user_roles (user_id, role_id) VALUES (?, ?)').bind(id, role),
    env.DB.prepare(
      'INSERT INTO role_permissions (role_id, permission) SELECT ?, value FROM json_each(?)',
    ).bind(role, JSON.stringify(permissions)),
  ])
  return { id, accessToken: await signAccessToken(contextWith(), { userId: id, sessionId }) }
}

/** A personal access token of the user, with exactly these scopes. */
async function tokenOf(
  user: Holder,
  scopes: readonly string[],
  expiresAt: number | null = null,
): Promise<Principal> {
  const { text, hash, prefix } = newPersonalToken(contextWith(), user.id)
  await rows(
    `INSERT INTO personal_access_tokens (id, user_id, name, token_hash, token_prefix, scopes, expires_at,
      version, created_at, updated_at) VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6, 1, 0, 0)`,
    `pat_${crypto.randomUUID()}`,
    user.id,
    hash,
    prefix,
    JSON.stringify(scopes),
    expiresAt,
  )
  return { accessToken: text }
}

const allBut = (permission: Permission) => PERMISSION_KEYS.filter((key) => key !== permission)

it('leaves open exactly the routes that are meant to be', () => {
  const open = operations.filter(({ access }) => access === 'public').map(nameOf)
  expect(open.toSorted()).toEqual(PUBLIC.toSorted())
})

it('gives every permission of the catalogue a route, and every route a permission of it', () => {
  const used = new Set(guarded.map(({ access }) => access))
  expect([...used].toSorted()).toEqual(PERMISSION_KEYS.toSorted())
})

/** Whoever has no valid credential, though they may have had one. */
const strangers: Record<string, Partial<Principal>> = {
  anonymous: {},
  garbage: { accessToken: 'x' },
}
/** By permission: a user that holds all the others, and such a token of an administrator. */
const lacking = new Map<Permission, { user: Holder; token: Principal }>()
let powerless: Holder
/** An administrator's token with the shorthand for seeing what is the own. */
let reader: Principal

beforeAll(async () => {
  const [disabled, deleted, signedOut, expired, good] = await Promise.all([
    newUser(),
    newUser(),
    newUser(),
    newUser(),
    newUser(),
  ])
  await rows("UPDATE users SET status = 'disabled' WHERE id = ?", disabled.id)
  await rows("UPDATE users SET status = 'deleted', deletion_due_at = 9e12 WHERE id = ?", deleted.id)
  await rows('UPDATE sessions SET revoked_at = 1 WHERE user_id = ?', signedOut.id)
  await rows('UPDATE sessions SET idle_expires_at = 1 WHERE user_id = ?', expired.id)
  const { header, claims } = partsOf(good)
  const [madeUp] = [newPersonalToken(contextWith(), good.id)]
  Object.assign(strangers, {
    'a forged token': {
      accessToken: await signed(header, claims, (await strangeKey()).privateKey),
    },
    'an expired token': { accessToken: await signed(header, { ...claims, exp: 1 }) },
    'a disabled user': disabled,
    'a deleted user': deleted,
    'a user who signed out': signedOut,
    'an expired session': expired,
    'an access token that nobody made': { accessToken: madeUp.text },
    'an expired access token': await tokenOf(good, PERMISSION_KEYS, 1),
    'the access token of a disabled user': await tokenOf(disabled, PERMISSION_KEYS),
    'the access token of a deleted user': await tokenOf(deleted, PERMISSION_KEYS),
  })
  powerless = await userHolding([])
  const admin = await newAdmin()
  reader = await tokenOf(admin, ['read'])
  await Promise.all(
    PERMISSION_KEYS.map(async (permission) => {
      const token = await tokenOf(admin, allBut(permission))
      lacking.set(permission, { user: await userHolding(allBut(permission)), token })
    }),
  )
})

// What holds a permission alone comes in, what holds all others does not. As a role opens what any of its
// permissions opens, this tells it for every role that there can be.
it.each(byName)('%s opens to its own permission and to nothing else', async (_, operation) => {
  const { access } = operation
  const isRead = permissionsOfScopes(['read']).includes(access)
  // Each of its own, as some operations end the session or the user that comes in.
  const holder = await userHolding([access])
  const cells: [string, Partial<Principal> | undefined, 401 | 403 | 'open'][] = [
    ...Object.entries(strangers).map(([who, as]) => [who, as, 401] as [string, Principal, 401]),
    ['a user who may do nothing', powerless, 403],
    ['a user who may do all but this', lacking.get(access)?.user, 403],
    ['an access token for all but this', lacking.get(access)?.token, 403],
    ['an access token for more than its user', await tokenOf(powerless, PERMISSION_KEYS), 403],
    ['an access token for reading', reader, isRead ? 'open' : 403],
    ['a user who may do this alone', holder, 'open'],
    [
      'an access token for this alone',
      await tokenOf(holder, [access]),
      isSessionOnly(access) ? 403 : 'open',
    ],
  ]
  const found = await Promise.all(
    cells.map(async ([who, as]) => {
      const status = await ask(operation, as ?? {})
      return [who, status >= 200 && status < 500 && ![401, 403].includes(status) ? 'open' : status]
    }),
  )
  expect(found).toEqual(cells.map(([who, , status]) => [who, status]))
  expect(await ask(operation, strangers['a user who signed out'] ?? {}, '{')).toBe(401)
})

it.each(byName)('%s has no other spelling that leads around its gate', async (_, operation) => {
  const path = operation.path.replace(/\{\w+\}/g, 'x')
  const [, first = ''] = path.split('/')
  const spellings = [
    ...[`${path}/`, `/${path}`, `/.${path}`, `/x/..${path}`, `${path}/.`, `${path};x=1`],
    ...[`${path}%2f`, `${path}%00`, `${path}.json`, `${path}?access_token=x`, `${path}#x`],
    ...[
      path.toUpperCase(),
      `/${path.slice(1).replaceAll('/', '%2f')}`,
      `/${path.slice(1).replaceAll('/', '\\')}`,
    ],
    path.replace(
      first,
      first.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ),
  ]
  const methods = [operation.method.toUpperCase(), operation.method === 'get' ? 'HEAD' : 'OPTIONS']
  const overrides = { 'X-HTTP-Method-Override': 'GET', 'X-Original-URL': '/health' }
  const statuses = await Promise.all(
    methods.flatMap((method) =>
      [path, ...someOf(spellings, 5)].map(async (one) => {
        const { status } = await fetchRaw(one, { method, headers: overrides })
        return [401, 404, 405].includes(status) ? [] : [`${method} ${one} gets ${status}`]
      }),
    ),
  )
  expect(statuses.flat()).toEqual([])
})
