import { beforeAll, describe, expect, it } from 'vitest'
import { isAdminOnly } from '../../src/domain/permissions.ts'
import type { OperationEntry } from '../../src/http/registry.ts'
import { type Principal, rows } from '../support/api.ts'
import { faultsOfRead, operationOf, queriesOf, textOf } from '../support/described.ts'
import { ID, never, withoutOwner } from '../support/foreign-ids.ts'
import { areas, isWhole, nameOf, operations, paramsOf } from '../support/operations.ts'
import { someOf } from '../support/rotation.ts'
import { costOf, type Sample, sendSample } from '../support/samples.ts'
import { type SampledUser, newSampledUser } from '../support/sampled-user.ts'
import { newUser, type TestUser } from '../support/world.ts'

// Somebody else's id must be nobody's: the same status, headers and body, for the same work.

const isGuarded = ({ access }: OperationEntry) => access !== 'public'
/** Currencies stand in paths by their code, which is nobody's. */
const isOfId = (name: string) => /(^id|Id)$/.test(name)
const isOfAdmins = ({ access }: OperationEntry) => access !== 'public' && isAdminOnly(access)

let sampled: SampledUser
/** Everybody else: all permissions that a user has. */
let stranger: TestUser

beforeAll(async () => {
  ;[sampled, stranger] = await Promise.all([newSampledUser(), newUser()])
})

const OF_EACH_REQUEST = ['x-request-id', 'x-d1-bookmark', 'server-timing', 'date']

interface Seen {
  status: number
  headers: [string, string][]
  text: string
  trips: number
  /** In what it differs from its description. */
  faults: string[]
}

async function seen(as: Principal, operation: OperationEntry, sample: Sample): Promise<Seen> {
  const response = await sendSample(as, operation, { ...sample, as })
  const { status, headers } = response
  const text = await textOf(response)
  return {
    status,
    headers: [...headers].filter(([name]) => !OF_EACH_REQUEST.includes(name)),
    text: text.replace(/"requestId":"\w+"/, '"requestId":""'),
    trips: costOf(headers).trips,
    faults: faultsOfRead(operationOf(operation.operationId), response, text),
  }
}

/** Says how what somebody else is told differs from what is told about nobody's. */
const differing = (theirs: Seen, nobodys: Seen): string[] =>
  (Object.keys(theirs) as (keyof Seen)[])
    .map((key) => [key, JSON.stringify(theirs[key]), JSON.stringify(nobodys[key])] as const)
    .filter(([, one, other]) => one !== other)
    .map(([key, one, other]) => `its ${key} is ${one} and not ${other}`)

const hasId = (value: unknown) => JSON.stringify(value ?? {}).match(ID) !== null

/** A sample with ids that nobody ever had: in its path, in its body, and wherever it has any. */
function withIdsOfNobody(sample: Sample): Sample[] {
  const { path = {}, query = '', json } = sample
  return [
    ...(hasId(path) ? [{ ...sample, path: withoutOwner(path) }] : []),
    ...(hasId(json) ? [{ ...sample, json: withoutOwner(json ?? {}) }] : []),
    {
      ...{ ...sample, path: withoutOwner(path), query: withoutOwner(query) },
      ...(json ? { json: withoutOwner(json) } : {}),
    },
  ]
}

/** What the answer to somebody else must be, as a status or its first digit. */
function expectedOf(operation: OperationEntry, { path, json }: Sample): RegExp {
  if (isOfAdmins(operation)) {
    return /^403$/
  }
  return hasId(path) ? /^404$/ : hasId(json) ? /^4/ : /^[24]/
}

async function faultsForStranger(operation: OperationEntry, sample: Sample): Promise<string[]> {
  const theirs = await seen(stranger, operation, sample)
  const ofNobody = await Promise.all(
    withIdsOfNobody(sample).map((one) => seen(stranger, operation, one)),
  )
  const isExpected = expectedOf(operation, sample).test(String(theirs.status))
  return [
    ...ofNobody.flatMap((one) => differing(theirs, one)),
    ...theirs.faults,
    ...(isExpected ? [] : [`somebody else gets ${theirs.status} ${theirs.text}`]),
  ]
}

async function faultsForOwner(operation: OperationEntry, sample: Sample): Promise<string[]> {
  const unknown = withIdsOfNobody(sample).filter(({ path }) => path !== sample.path)
  const owner = sampled.senderOf(operation)
  const answers = await Promise.all(unknown.map((one) => seen(owner, operation, one)))
  return answers.flatMap(({ status, text, faults }) => [
    ...faults,
    ...(status === 404 ? [] : [`its owner gets ${status} ${text}`]),
  ])
}

const faultsOfSample = (operation: OperationEntry, { path = {} }: Sample): string[] =>
  paramsOf(operation).every((name) => !isOfId(name) || hasId(path[name]))
    ? []
    : ['its sample in test/support/samples.ts has no id for each id in its path']

const sizeOfLog = async () =>
  (await rows('SELECT id FROM log_entries WHERE owner_id = ?', sampled.me.id)).length

async function faultsOfIds(operation: OperationEntry, sample: Sample): Promise<string[]> {
  const before = await sizeOfLog()
  return [
    ...(await faultsForStranger(operation, sample)),
    ...(hasId(sample.path) ? await faultsForOwner(operation, sample) : []),
    ...((await sizeOfLog()) === before ? [] : ['the log of the owner tells of it']),
  ]
}

/** How many kinds of ids `npm test` sends in each query, besides the one that the parameter is called after. */
const KINDS_TRIED = 8

/** Asks for an id of the samples of each kind, and for one like it. */
async function faultsOfQuery(operation: OperationEntry, name: string): Promise<string[]> {
  const mine = [...new Set(JSON.stringify(sampled.samples).match(ID))]
  const oneOfEach = [...new Map(mine.map((id) => [id.slice(0, 3), id])).values()]
  const isOfName = (id: string) => name.startsWith(id.slice(0, 3))
  const others = oneOfEach.filter((id) => !isOfName(id))
  const { path = {} } = sampled.sampleOf(operation)
  const of = { path }
  const faults = await Promise.all(
    [
      ...oneOfEach.filter(isOfName),
      ...someOf(others, KINDS_TRIED, `${operation.operationId} ${name}`),
    ].map(async (id) => {
      const theirs = await seen(stranger, operation, { ...of, query: `?${name}=${id}` })
      const nobodys = await seen(stranger, operation, { ...of, query: `?${name}=${never(id)}` })
      return [...differing(theirs, nobodys), ...theirs.faults]
    }),
  )
  return faults.flat()
}

describe('takes the ids of somebody else for ids that never were', () => {
  it.each(areas)('in the path and the body of %s', async (_, ofArea) => {
    const wrong: string[] = []
    for (const operation of ofArea.filter(isGuarded)) {
      const { as: _as, ...sample } = sampled.sampleOf(operation)
      const faults = [
        ...faultsOfSample(operation, sample),
        ...(hasId(sample) ? await faultsOfIds(operation, sample) : []),
      ]
      wrong.push(...faults.map((fault) => `${nameOf(operation)}: ${fault}`))
    }
    expect(wrong).toEqual([])
  })

  it.each(areas)('in the query of %s', async (_, ofArea) => {
    const wrong: string[] = []
    for (const operation of ofArea) {
      for (const name of queriesOf(operation.operationId).filter(isOfId)) {
        const faults = await faultsOfQuery(operation, name)
        wrong.push(...faults.map((fault) => `${nameOf(operation)}, ${name}: ${fault}`))
      }
    }
    expect(wrong).toEqual([])
  })
})

it('answers as described when the owner names ids in a body or a query that never were', async () => {
  const faults: string[] = []
  for (const operation of operations.filter(isGuarded)) {
    const { path, query, json } = sampled.sampleOf(operation)
    if (hasId({ query, json }) && !hasId(path)) {
      const unknown = withIdsOfNobody(sampled.sampleOf(operation)).at(-1) ?? {}
      faults.push(...(await seen(sampled.senderOf(operation), operation, unknown)).faults)
    }
  }
  expect(faults).toEqual([])
})

it.runIf(isWhole)('knows where ids stand', () => {
  const inBodies = operations.filter((operation) => hasId(sampled.sampleOf(operation).json))
  expect(inBodies.map(({ operationId }) => operationId)).toContain('createTransaction')
  const inQueries = operations.flatMap(({ operationId }) => queriesOf(operationId).filter(isOfId))
  expect(inQueries.length).toBeGreaterThan(3)
})
