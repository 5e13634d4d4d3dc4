import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import '../../src/app.ts'
import { fetchRaw, type Principal } from '../support/api.ts'
import { type BadRequest, badRequestsOf } from '../support/bad-requests.ts'
import { refuseLeaks } from '../support/canaries.ts'
import { type Described, described, faultsOf, operationOf } from '../support/described.ts'
import { leadsElsewhere, withoutOwner } from '../support/foreign-ids.ts'
import { serveOverHttp } from '../support/over-http.ts'
import type { Running } from '../support/running.ts'
import { type Sample, type Samples, samplesOf, sendSample } from '../support/samples.ts'
import { newUser, type TestUser } from '../support/world.ts'

// Every operation, asked over HTTP on the release bundle with good, bad and foreign input, against the
// description. What is asked well stands in test/support/samples.ts.

/** What the interface names. */
const INTERFACE = [
  'GET /account getUserAccounts',
  'POST /account createAccount',
  'GET /account/home-page getHomePage',
  'GET /account/{id} getAccountByID',
  'PUT /account/{id} updateAccount',
  'DELETE /account/{id} deleteAccount',
  'GET /account/{id}/details getAccountDetails',
  'PUT /account/{id}/share-group shareAccountToGroup',
  'GET /account-history getAccountHistory',
  'DELETE /account-history/{id} deleteAccountHistory',
  'PATCH /account-history/{id} updateAccountHistoryComment',
  'GET /admin/api-reference getAPIReference',
  'GET /admin/download-metrics',
  'GET /admin/growth-trends',
  'GET /admin/groups listAllGroups',
  'PUT /admin/groups/{id}/storage-class',
  'POST /admin/queue-tasks listAllQueueTasks',
  'POST /admin/share',
  'DELETE /admin/share',
  'GET /admin/identity-providers listIdentityProviders',
  'POST /admin/identity-providers createIdentityProvider',
  'PUT /admin/identity-providers/{id} updateIdentityProvider',
  'DELETE /admin/identity-providers/{id} deleteIdentityProvider',
  'GET /admin/permissions listPermissions',
  'GET /admin/roles listRoles',
  'POST /admin/roles createRole',
  'GET /admin/roles/{id} getRole',
  'PUT /admin/roles/{id} updateRole',
  'DELETE /admin/roles/{id} deleteRole',
  'POST /auth/v2/login',
  'POST /auth/refresh-token',
  'POST /auth/register',
  'GET /health',
  'GET /version',
]

/** In development builds only. */
const ABSENT = ['getAPIReference']

/** A journey by way of an identity provider: oidc.test.ts makes it and holds it against the description, too. */
const LEGS = ['authorizeWithProvider', 'returnFromProvider', 'exchangeProviderCode']

const present = described.filter(({ operationId }) => !ABSENT.includes(operationId))
const guarded = present.filter(({ isPublic }) => !isPublic)
const nameOf = ({ method, path }: Described) => `${method.toUpperCase()} ${path}`
const byName = (some: Described[]) => some.map((one) => [nameOf(one), one] as const)

interface World {
  me: TestUser
  samples: Samples
}

let service: Running
/** Whose things change, as all is asked for that can be. */
let asking: World
/** Whose things stay, as nothing that is asked for is done. */
let refused: World
let stranger: TestUser

beforeAll(async () => {
  service = await serveOverHttp()
  asking = await samplesOf()
  ;[refused, stranger] = await Promise.all([samplesOf(), newUser()])
})

afterAll(() => service?.stop())

afterEach(refuseLeaks)

const sampleOf = ({ operationId }: Described): Sample =>
  refused.samples[operationId] ?? { path: refused.samples['getIdentityProvider']?.path ?? {} }

it('has every operation that the interface names', () => {
  const names = new Set(
    described.flatMap((one) => [nameOf(one), `${nameOf(one)} ${one.operationId}`]),
  )
  const missing = INTERFACE.filter((name) => !names.has(name))
  expect(missing).toEqual([])
})

it('answers what it is asked well as it says that it does', { timeout: 60_000 }, async () => {
  const order = Object.keys(asking.samples)
  const unknown = described
    .map(({ operationId }) => operationId)
    .filter((operationId) => !order.includes(operationId) && !LEGS.includes(operationId))
  expect(unknown, 'have a sample').toEqual([])
  const found: string[] = []
  for (const operationId of order.filter((one) => !ABSENT.includes(one))) {
    const operation = operationOf(operationId)
    const response = await sendSample(asking.me, operation, asking.samples[operationId] ?? {})
    const isRefused = response.status >= 400 ? [`${operationId} is refused`] : []
    found.push(...isRefused, ...(await faultsOf(operation, response)))
  }
  expect(found).toEqual([])
})

it.each(ABSENT)('has no %s', async (operationId) => {
  const { path } = operationOf(operationId)
  expect((await fetchRaw(path, authorized(asking.me))).status).toBe(404)
})

describe.concurrent('refuses what is wrong', () => {
  it.each(byName(present))('in %s', async (_, operation) => {
    const sample = sampleOf(operation)
    const found = await Promise.all(
      badRequestsOf(operation, sample).map(async (bad) => {
        const response = await send(sample.as ?? refused.me, operation, bad)
        const path = pathOf(operation, bad)
        if (leadsElsewhere(operation, path, described)) {
          return response.status < 500 ? [] : [`${bad.what}: ${response.status}`]
        }
        const isRefused = bad.status
          ? response.status === bad.status
          : response.status >= 400 && response.status < 500
        const wrong = isRefused ? [] : [`gets ${response.status}`]
        return [...wrong, ...(await faultsOf(operation, response))].map(
          (fault) => `${bad.what}: ${fault}`,
        )
      }),
    )
    expect(found.flat()).toEqual([])
  })
})

describe.concurrent('asks who is there', () => {
  it.each(byName(guarded))('in %s', async (_, operation) => {
    const sample = sampleOf(operation)
    const found = await Promise.all(
      [{}, { accessToken: 'x' }].map(async (as) => {
        const response = await sendSample(refused.me, operation, { ...sample, as: as as Principal })
        return [response.status, ...(await faultsOf(operation, response))]
      }),
    )
    expect(found).toEqual([[401], [401]])
  })
})

describe.concurrent('takes the ids of somebody else for such that never were', () => {
  it.each(byName(guarded))('in %s', async (_, operation) => {
    const sample = { ...sampleOf(operation), as: stranger }
    const { path = {}, query = '', json = {} } = sample
    const nobodys = withoutOwner({ path, query, json })
    if (JSON.stringify(nobodys) === JSON.stringify({ path, query, json })) {
      return
    }
    const nameless = { ...sample, path: nobodys.path, query: nobodys.query }
    const never = sample.json ? { ...nameless, json: nobodys.json } : nameless
    const [theirs, unknown, mine] = await Promise.all(
      [sample, never, { ...never, as: sampleOf(operation).as ?? refused.me }].map(async (one) => {
        const response = await sendSample(refused.me, operation, one)
        const text = await response.clone().text()
        const faults = await faultsOf(operation, response)
        return { status: response.status, text: withoutRequestId(text), faults }
      }),
    )
    expect(theirs).toEqual(unknown)
    expect([theirs?.faults, mine?.faults]).toEqual([[], []])
    if (Object.keys(path).length > 0) {
      expect([403, 404]).toContain(theirs?.status)
      expect(mine?.status, mine?.text).toBe(404)
    }
  })
})

const error = { error: 'No.', code: 'area.reason', requestId: 'req_x' }

it.each([
  ['an undeclared status', Response.json(error, { status: 418 }), 'the status'],
  ['a failure', Response.json(error, { status: 500 }), 'the status'],
  ['another type', new Response('{}', { status: 200 }), 'the type is text/plain'],
  ['a missing field', Response.json({ accounts: [] }), '$ has no count'],
  ['a surplus field', Response.json({ accounts: [], count: 0, more: 1 }), '$ has more'],
  ['a wrong value', Response.json({ accounts: [], count: '0' }), '$.count is string'],
  ['a wrong item', Response.json({ accounts: [1], count: 1 }), '$.accounts[0] is number'],
  ['a number in an error', Response.json({ ...error, code: 1 }, { status: 401 }), '$.code is'],
  ['an error without its code', Response.json({ error: 'No.' }, { status: 401 }), '$ has no code'],
])('would tell %s', async (_, response, fault) => {
  const found = await faultsOf(operationOf('getUserAccounts'), response)
  expect(found[0]).toContain(fault)
})

const withoutRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '"requestId":""')

const authorized = ({ accessToken }: { accessToken: string }) => ({
  headers: { Authorization: `Bearer ${accessToken}` },
})

const pathOf = ({ path }: Described, given: { path: Record<string, string> }) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given.path[name] ?? 'none')

function send(as: Principal, operation: Described, bad: BadRequest): Promise<Response> {
  const { Authorization } = authorized(as).headers
  return fetchRaw(pathOf(operation, bad) + bad.query, {
    method: operation.method.toUpperCase(),
    headers: { Authorization, 'Content-Type': bad.contentType, ...bad.headers },
    ...(bad.body === undefined ? {} : { body: bad.body }),
  })
}
