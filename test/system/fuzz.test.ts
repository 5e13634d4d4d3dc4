import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import '../../src/app.ts'
import { fetchRaw } from '../support/api.ts'
import { refuseLeaks } from '../support/canaries.ts'
import { type Described, described, faultsOf, fieldsOf } from '../support/described.ts'
import { hostile, leadsElsewhere } from '../support/foreign-ids.ts'
import { serveOverHttp } from '../support/over-http.ts'
import { randomFrom } from '../support/random.ts'
import { rounds, SEED } from '../support/rounds.ts'
import type { Running } from '../support/running.ts'
import { type Sample, type Samples, samplesOf } from '../support/samples.ts'
import type { TestUser } from '../support/world.ts'

// Requests at random, right and wrong in several things at once: none fails the service or is answered as the
// description does not say.

const REQUESTS = rounds(250, 20_000)
const AT_ONCE = 8
const { chance, pick: oneOf } = randomFrom(SEED)

/** What fields and queries are given instead of what they should have. */
const VALUES: unknown[] = [
  ...['', ' ', '0', '-1', '1e9', '12.345', '99999999999999999999.99', 'x', 'null', 'EUR', 'ZZZ'],
  ...['2026-02-30', '0000-01-01', '9999-12-31', '2026-01-05', '2026-01-05T00:00:00Z', '😀'],
  ...['\u0000', '\ud800', 'a'.repeat(5000), '%', "' OR 1=1--", '__proto__', '../..', '\u202e'],
  ...[0, -1, 1, 0.5, 1e308, 2 ** 53, true, false, null],
  ...[[], {}, [null], [[]], { id: 'x' }, Array.from({ length: 600 }, () => 'x')],
]

/** Fields whose values no answer may repeat (test/support/canaries.ts). */
const SECRETS = /(assword|Secret|oken|ode)$/

/** Some value for a field; what is long is of a secret alone, so that no other field has it too. */
function valueFor(name: string): unknown {
  const value = oneOf(VALUES)
  const isLong = typeof value === 'string' && value.length > 10
  return isLong && SECRETS.test(name) ? `${value} ${crypto.randomUUID()}` : value
}

/** Ends sessions and users, so that all that follows would be refused alike. */
const ENDING =
  /^(refreshToken|logout|logoutAll|endSession|deleteOwnUser|changePassword|revokeUserSessions)$/

const fuzzed = described.filter(
  ({ operationId, path }) => !ENDING.test(operationId) && path !== '/admin/api-reference',
)

let service: Running
let me: TestUser
let samples: Samples

beforeAll(async () => {
  service = await serveOverHttp()
  ;({ me, samples } = await samplesOf())
})

afterAll(() => service?.stop())

afterEach(refuseLeaks)

/** A sample with some of its fields, queries and ids as they come. */
function anyRequest(operation: Described): [string, RequestInit] {
  const sample: Sample = samples[operation.operationId] ?? {}
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const own = sample.path?.[name] ?? 'none'
    return chance(0.2) ? oneOf(hostile(own)) : own
  })
  const query = new URLSearchParams(sample.query)
  for (const { name } of operation.parameters.filter((one) => one.in === 'query')) {
    if (chance(0.25)) {
      query.set(name, String(oneOf(VALUES)))
    }
  }
  const schema = operation.body?.['application/json']?.schema
  const body: Record<string, unknown> = { ...sample.json }
  for (const name of Object.keys(schema ? fieldsOf(schema) : {})) {
    if (chance(0.25)) {
      body[name] = valueFor(name)
    } else if (chance(0.05)) {
      delete body[name]
    }
  }
  const { accessToken } = sample.as ?? me
  return [
    `${path}?${query.toString()}`,
    {
      method: operation.method.toUpperCase(),
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      ...(schema ? { body: JSON.stringify(body) } : {}),
    },
  ]
}

it(`answers ${REQUESTS} requests at random as it says (seed ${SEED})`, async () => {
  const found: string[] = []
  const statuses = new Map<number, number>()
  let left = REQUESTS
  const client = async () => {
    while (left-- > 0) {
      const operation = oneOf(fuzzed)
      const [path, init] = anyRequest(operation)
      const response = await fetchRaw(path, init)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      const isElsewhere = leadsElsewhere(operation, path.split('?')[0] ?? '', described)
      if (!isElsewhere || response.status >= 500) {
        const faults = await faultsOf(operation, response)
        found.push(
          ...faults.map((fault) => `${path} ${JSON.stringify(init.body)?.slice(0, 500)}: ${fault}`),
        )
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  console.log(Object.fromEntries(statuses))
  expect(found.slice(0, 20)).toEqual([])
  expect(statuses.get(200), 'some are right').toBeGreaterThan(REQUESTS / 10)
})
