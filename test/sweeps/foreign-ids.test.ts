import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { isAdminOnly } from '../../src/domain/permissions.ts'
import { describe as documentOf } from '../../src/http/openapi.ts'
import { allOperations, type Operation } from '../../src/http/registry.ts'
import { rows } from '../support/api.ts'
import { hostile, ID, leadsElsewhere, never, withoutOwner } from '../support/foreign-ids.ts'
import { costOf, type Sample, type Samples, samplesOf, sendSample } from '../support/samples.ts'
import { someOf } from '../support/turns.ts'
import { newUser, type TestUser } from '../support/world.ts'

// Somebody else's id must be nobody's: the same status, headers and body, for the same work.

const operations = allOperations()
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const paramsOf = ({ path }: Operation) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
/** Currencies stand in paths by their code, which is nobody's. */
const isOfId = (operation: Operation) => paramsOf(operation).some((name) => /(^id|Id)$/.test(name))
const withId = operations.filter(isOfId)
const byName = (some: Operation[]) =>
  some.map((operation) => [nameOf(operation), operation] as const)
const isOfAdmins = ({ access }: Operation) => access !== 'public' && isAdminOnly(access)

/** The owner of the samples, who is an administrator. */
let me: TestUser
let samples: Samples
/** Everybody else: all permissions that a user has. */
let stranger: TestUser

beforeAll(async () => {
  ;[{ me, samples }, stranger] = await Promise.all([samplesOf(), newUser()])
})

const sampleOf = ({ operationId }: Operation): Sample => samples[operationId] ?? {}

const OF_EACH_REQUEST = ['x-request-id', 'x-d1-bookmark', 'server-timing', 'date']

async function seen(as: TestUser, operation: Operation, sample: Sample) {
  const response = await sendSample(as, operation, { ...sample, as })
  const text = (await response.text()).replace(/"requestId":"\w+"/, '"requestId":""')
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !OF_EACH_REQUEST.includes(name)),
    text,
    trips: costOf(response.headers).trips,
  }
}

const logOf = async ({ id }: TestUser) =>
  (await rows('SELECT id FROM audit_log WHERE owner_id = ?', id)).length

describe('the id of somebody else is like one that never was', () => {
  it.each(byName(withId.filter(({ access }) => access !== 'public')))(
    'in %s',
    async (_, operation) => {
      const sample = sampleOf(operation)
      expect(Object.keys(sample.path ?? {}), 'has a sample').toEqual(paramsOf(operation))
      const before = await logOf(me)
      const theirs = await seen(stranger, operation, sample)
      const nobodys = await seen(stranger, operation, {
        ...sample,
        path: withoutOwner(sample.path ?? {}),
      })
      expect(theirs).toEqual(nobodys)
      expect(theirs.status, theirs.text).toBe(isOfAdmins(operation) ? 403 : 404)
      const unknown = await seen(me, operation, {
        ...sample,
        path: withoutOwner(sample.path ?? {}),
      })
      expect(unknown.status, unknown.text).toBe(404)
      expect(await logOf(me)).toBe(before)
    },
  )

  it('in the body of every operation that takes one', async () => {
    const naming = operations.filter(
      (operation) =>
        operation.access !== 'public' &&
        !isOfAdmins(operation) &&
        JSON.stringify(sampleOf(operation).json ?? {}).match(ID),
    )
    expect(naming.map(({ operationId }) => operationId)).toContain('createTransaction')
    const differing = await Promise.all(
      naming.map(async (operation) => {
        const sample = sampleOf(operation)
        const theirs = await seen(stranger, operation, sample)
        const nobodys = await seen(stranger, operation, {
          ...sample,
          json: withoutOwner(sample.json ?? {}),
        })
        const isRefused = theirs.status >= 400 && theirs.status < 500
        return isRefused && JSON.stringify(theirs) === JSON.stringify(nobodys)
          ? []
          : [nameOf(operation), theirs, nobodys]
      }),
    )
    expect(differing.flat()).toEqual([])
  })

  it('in every query that takes one', async () => {
    const mine = [...new Set(JSON.stringify(samples).match(ID))]
    const oneOfEach = [...new Map(mine.map((id) => [id.slice(0, 3), id])).values()]
    const queries = queriesById()
    expect(queries.length).toBeGreaterThan(3)
    const differing = await Promise.all(
      queries.flatMap(([operation, name]) =>
        oneOfEach.map(async (id) => {
          const theirs = await seen(stranger, operation, { query: `?${name}=${id}` })
          const nobodys = await seen(stranger, operation, { query: `?${name}=${never(id)}` })
          return JSON.stringify(theirs) === JSON.stringify(nobodys)
            ? []
            : [nameOf(operation), name, theirs, nobodys]
        }),
      ),
    )
    expect(differing.flat()).toEqual([])
  })
})

/** The queries that name something by its id, as the description knows them. */
function queriesById(): [Operation, string][] {
  const { paths } = JSON.parse(JSON.stringify(documentOf(createApp()))) as {
    paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>
  }
  return operations.flatMap((operation) =>
    (paths[operation.path]?.[operation.method]?.parameters ?? [])
      .filter(({ name, in: place }) => place === 'query' && /(^id|Id)$/.test(name))
      .map(({ name }): [Operation, string] => [operation, name]),
  )
}

it.each(byName(withId))('refuses what is no id in %s', async (_, operation) => {
  const sample = sampleOf(operation)
  const given = sample.path ?? { id: (samples['getIdentityProvider']?.path ?? {})['id'] ?? '' }
  const wrong = await Promise.all(
    paramsOf(operation).flatMap((param) =>
      someOf(hostile(given[param] ?? ''), 12).map(async (id) => {
        const path = { ...given, [param]: id }
        const { status } = await sendSample(me, operation, { ...sample, path })
        const asked = operation.path.replaceAll(
          /\{(\w+)\}/g,
          (_match, name: string) => path[name] ?? '',
        )
        const isFine = status >= 400 ? status < 500 : leadsElsewhere(operation, asked, operations)
        return isFine ? [] : [`${param} ${id.slice(0, 80)} gets ${status}`]
      }),
    ),
  )
  expect(wrong.flat()).toEqual([])
})
