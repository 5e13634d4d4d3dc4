import { beforeAll, expect, it } from 'vitest'
import {
  isSessionOnly,
  type Permission,
  PERMISSION_KEYS,
  widenedBy,
} from '../../src/domain/permissions.ts'
import { permissionsOfScopes } from '../../src/domain/scopes.ts'
import type { OperationEntry } from '../../src/http/registry.ts'
import { newPersonalToken } from '../../src/platform/secrets/owned-tokens.ts'
import { partsOf, signed, strangeKey } from '../areas/auth/tokens.ts'
import { fetchRaw, type Principal, rows } from '../support/api.ts'
import { pathOfNobody } from '../support/foreign-ids.ts'
import { accessTokensOf, type Holder, holdersOf } from '../support/holders.ts'
import { areas, isWhole, nameOf, operations } from '../support/operations.ts'
import { contextWith } from '../support/service.ts'
import { someOf } from '../support/rotation.ts'
import { newAdmin, newUser } from '../support/world.ts'

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

type Guarded = OperationEntry & { access: Permission }

const isGuarded = (operation: OperationEntry): operation is Guarded => operation.access !== 'public'
const guarded = operations.filter(isGuarded)

it('leaves open exactly the routes that are meant to be', () => {
  const isVisited = (name: string) => isWhole || operations.some((one) => nameOf(one) === name)
  const open = operations.filter(({ access }) => access === 'public').map(nameOf)
  expect(open.toSorted()).toEqual(PUBLIC.filter(isVisited).toSorted())
})

it.runIf(isWhole)(
  'gives every permission routes to open or to widen, and every route a permission',
  () => {
    const used = new Set<string>(guarded.map(({ access }) => access))
    const widening = PERMISSION_KEYS.filter((key) => widenedBy(key) !== undefined)
    expect(widening).toEqual(['auditLogTexts.read'])
    expect([...used, ...widening].toSorted()).toEqual(PERMISSION_KEYS.toSorted())
    expect(widening.filter((key) => !used.has(widenedBy(key) ?? ''))).toEqual([])
  },
)

type Who = Partial<Principal>

/** A request that is wrong in every way but its path: what is refused first shows. */
async function ask(operation: OperationEntry, as: Who, body = '{"surplus":1}'): Promise<number> {
  const hasBody = operation.method !== 'get'
  const response = await fetchRaw(pathOfNobody(operation.operationId), {
    method: operation.method.toUpperCase(),
    headers: {
      ...(as.accessToken ? { Authorization: `Bearer ${as.accessToken}` } : {}),
      'Content-Type': 'application/json',
    },
    ...(hasBody ? { body } : {}),
  })
  return response.status
}

/** Whoever has no valid credential, though they may have had one. */
let strangers: Record<string, Who>
let signedOut: Who
/** Who may do nothing, and an access token of theirs with every scope. */
let powerless: Holder
let tokenOfPowerless: Principal
/** An administrator's access token with the shorthand for seeing what is the own. */
let reader: Principal
/** By permission: a user that holds all the others, and such an access token of an administrator. */
const lacking = new Map<Permission, { user: Holder; token: Principal }>()
/** By operation, as some end the session or the user that comes in: a user with its permission alone, and such a token. */
const holding = new Map<OperationEntry, { user: Holder; token: Principal }>()

beforeAll(async () => {
  const [disabled, deleted, expired, good, leaver, admin] = await Promise.all([
    ...[newUser(), newUser(), newUser(), newUser(), newUser()],
    newAdmin(),
  ] as const)
  await rows("UPDATE users SET status = 'disabled' WHERE id = ?", disabled.id)
  await rows("UPDATE users SET status = 'deleted', deletion_due_at = 9e12 WHERE id = ?", deleted.id)
  await rows('UPDATE sessions SET revoked_at = 1 WHERE user_id = ?', leaver.id)
  await rows('UPDATE sessions SET idle_expires_at = 1 WHERE user_id = ?', expired.id)
  signedOut = leaver
  const { header, claims } = partsOf(good)
  const [outdated, ofDisabled, ofDeleted] = await accessTokensOf([
    { user: good, scopes: PERMISSION_KEYS, expiresAt: 1 },
    { user: disabled, scopes: PERMISSION_KEYS },
    { user: deleted, scopes: PERMISSION_KEYS },
  ])
  strangers = {
    anonymous: {},
    garbage: { accessToken: 'x' },
    'a forged token': {
      accessToken: await signed(header, claims, (await strangeKey()).privateKey),
    },
    'an expired token': { accessToken: await signed(header, { ...claims, exp: 1 }) },
    'a disabled user': disabled,
    'a deleted user': deleted,
    'a user who signed out': signedOut,
    'an expired session': expired,
    'an access token that nobody made': {
      accessToken: newPersonalToken(contextWith(), good.id).text,
    },
    'an expired access token': outdated ?? {},
    'the access token of a disabled user': ofDisabled ?? {},
    'the access token of a deleted user': ofDeleted ?? {},
  }
  const allBut = (permission: Permission) => PERMISSION_KEYS.filter((key) => key !== permission)
  const [nobody, ...users] = await holdersOf([
    [],
    ...PERMISSION_KEYS.map(allBut),
    ...guarded.map(({ access }) => [access]),
    // For the tokens: signing out everywhere ends those of its user.
    ...guarded.map(({ access }) => [access]),
  ])
  powerless = nobody as Holder
  const some = users.slice(0, PERMISSION_KEYS.length)
  const single = users.slice(PERMISSION_KEYS.length)
  const tokens = await accessTokensOf([
    { user: powerless, scopes: PERMISSION_KEYS },
    { user: admin, scopes: ['read'] },
    ...PERMISSION_KEYS.map((permission) => ({ user: admin, scopes: allBut(permission) })),
    ...guarded.map(({ access }, at) => ({
      user: single[guarded.length + at] as Holder,
      scopes: [access],
    })),
  ])
  ;[tokenOfPowerless, reader] = tokens.splice(0, 2) as [Principal, Principal]
  PERMISSION_KEYS.forEach((permission, at) => {
    lacking.set(permission, { user: some[at] as Holder, token: tokens[at] as Principal })
  })
  guarded.forEach((operation, at) => {
    const token = tokens[PERMISSION_KEYS.length + at] as Principal
    holding.set(operation, { user: single[at] as Holder, token })
  })
})

const outcomeOf = (status: number): number | 'open' =>
  status >= 200 && status < 500 && ![401, 403].includes(status) ? 'open' : status

/** Who asks an operation, and what they must be told. */
function expectedOf(operation: Guarded): [string, Who, 401 | 403 | 'open'][] {
  const { access } = operation
  const others = lacking.get(access)
  const own = holding.get(operation)
  const isRead = permissionsOfScopes(['read']).includes(access)
  return [
    ...Object.entries(strangers).map(([who, as]): [string, Who, 401] => [who, as, 401]),
    ['a user who may do nothing', powerless, 403],
    ['a user who may do all but this', others?.user ?? {}, 403],
    ['an access token for all but this', others?.token ?? {}, 403],
    ['an access token for more than its user', tokenOfPowerless, 403],
    ['an access token for reading', reader, isRead ? 'open' : 403],
    ['a user who may do this alone', own?.user ?? {}, 'open'],
    ['an access token for this alone', own?.token ?? {}, isSessionOnly(access) ? 403 : 'open'],
  ]
}

// What holds a permission alone comes in, what holds all others does not. As a role opens what any of its
// permissions opens, this tells it for every role that there can be.
it.each(areas)('opens each operation of %s to its own permission alone', async (_, ofArea) => {
  const wrong: string[] = []
  for (const operation of ofArea.filter(isGuarded)) {
    const found = await Promise.all(
      expectedOf(operation).map(async ([who, as, expected]) => {
        const outcome = outcomeOf(await ask(operation, as))
        return outcome === expected ? [] : [`${who} gets ${outcome} instead of ${expected}`]
      }),
    )
    const unreadable = await ask(operation, signedOut, '{')
    const early = unreadable === 401 ? [] : [`an unreadable body gets ${unreadable} before 401`]
    wrong.push(...[...found.flat(), ...early].map((fault) => `${nameOf(operation)}: ${fault}`))
  }
  expect(wrong).toEqual([])
})

it.each(areas)('has no other spelling that leads around the gate of %s', async (_, ofArea) => {
  const overrides = { 'X-HTTP-Method-Override': 'GET', 'X-Original-URL': '/health' }
  const wrong: string[] = []
  for (const operation of ofArea.filter(isGuarded)) {
    const path = operation.path.replace(/\{\w+\}/g, 'x')
    const methods = [
      operation.method.toUpperCase(),
      operation.method === 'get' ? 'HEAD' : 'OPTIONS',
    ]
    for (const spelling of [path, ...someOf(spellingsOf(path), 5, nameOf(operation))]) {
      for (const method of methods) {
        const { status } = await fetchRaw(spelling, { method, headers: overrides })
        if (![401, 404, 405].includes(status)) {
          wrong.push(`${nameOf(operation)}: ${method} ${spelling} gets ${status}`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
})

function spellingsOf(path: string): string[] {
  const [, first = ''] = path.split('/')
  const encoded = first.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return [
    ...[`${path}/`, `/${path}`, `/.${path}`, `/x/..${path}`, `${path}/.`, `${path};x=1`],
    ...[`${path}%2f`, `${path}%00`, `${path}.json`, `${path}?access_token=x`, `${path}#x`],
    path.toUpperCase(),
    `/${path.slice(1).replaceAll('/', '%2f')}`,
    `/${path.slice(1).replaceAll('/', '\\')}`,
    path.replace(first, encoded),
  ]
}
