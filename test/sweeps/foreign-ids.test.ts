import { beforeAll, expect, it } from 'vitest'
import { isAdminOnly } from '../../src/domain/permissions.ts'
import type { Operation } from '../../src/http/registry.ts'
import { type Principal, rows } from '../support/api.ts'
import { faultsOfRead, operationOf, queriesOf, textOf } from '../support/described.ts'
import { ID, never, withoutOwner } from '../support/foreign-ids.ts'
import { isWhole, nameOf, operations, paramsOf } from '../support/operations.ts'
import { costOf, type Sample, sendSample } from '../support/samples.ts'
import { type SampledUser, unspentSamples } from '../support/unspent-samples.ts'
import { newUser, type TestUser } from '../support/world.ts'

// Somebody else's id must be nobody's: the same status, headers and body, for the same work.

const guarded = operations.filter(({ access }) => access !== 'public')
/** Currencies stand in paths by their code, which is nobody's. */
const isOfId = (name: string) => /(^id|Id)$/.test(name)
const isOfAdmins = ({ access }: Operation) => access !== 'public' && isAdminOnly(access)

let unspent: SampledUser
/** Everybody else: all permissions that a user has. */
let stranger: TestUser

beforeAll(async () => {
  ;[unspent, stranger] = await Promise.all([unspentSamples(), newUser()])
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

async function seen(as: Principal, operation: Operation, sample: Sample): Promise<Seen> {
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

/** Says how two answers differ. */
const differing = (one: Seen, other: Seen): string[] =>
  JSON.stringify(one) === JSON.stringify(other)
    ? []
    : [`${JSON.stringify(one)} and not ${JSON.stringify(other)}`]

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
function expectedOf(operation: Operation, { path, json }: Sample): RegExp {
  if (isOfAdmins(operation)) {
    return /^403$/
  }
  return hasId(path) ? /^404$/ : hasId(json) ? /^4/ : /^[24]/
}

async function faultsForStranger(operation: Operation, sample: Sample): Promise<string[]> {
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

async function faultsForOwner(operation: Operation, sample: Sample): Promise<string[]> {
  const unknown = withIdsOfNobody(sample).filter(({ path }) => path !== sample.path)
  const owner = unspent.senderOf(operation)
  const answers = await Promise.all(unknown.map((one) => seen(owner, operation, one)))
  return answers.flatMap(({ status, text, faults }) => [
    ...faults,
    ...(status === 404 ? [] : [`its owner gets ${status} ${text}`]),
  ])
}

const mustHaveId = (operation: Operation, { path = {} }: Sample): string[] =>
  paramsOf(operation).every((name) => !isOfId(name) || hasId(path[name]))
    ? []
    : ['its sample has no id for each id in its path']

it('takes the ids of somebody else for ids that never were, wherever an operation has them', async () => {
  const { me, sampleOf } = unspent
  const logOf = async () =>
    (await rows('SELECT id FROM audit_log WHERE owner_id = ?', me.id)).length
  const wrong: string[] = []
  for (const operation of guarded) {
    const { as: _, ...sample } = sampleOf(operation)
    const faults = mustHaveId(operation, sample)
    if (hasId(sample)) {
      const before = await logOf()
      faults.push(...(await faultsForStranger(operation, sample)))
      faults.push(...(hasId(sample.path) ? await faultsForOwner(operation, sample) : []))
      faults.push(...((await logOf()) === before ? [] : ['the log of the owner tells of it']))
    }
    wrong.push(...faults.map((fault) => `${nameOf(operation)}: ${fault}`))
  }
  expect(wrong).toEqual([])
})

it('answers as described when the owner names ids in a body that never were', async () => {
  const faults: string[] = []
  for (const operation of guarded) {
    const sample = unspent.sampleOf(operation)
    if (hasId(sample.json) && !hasId(sample.path)) {
      const json = withoutOwner(sample.json ?? {})
      faults.push(
        ...(await seen(unspent.senderOf(operation), operation, { ...sample, json })).faults,
      )
    }
  }
  expect(faults).toEqual([])
})

it('takes the ids of somebody else for ids that never were, in every query that takes one', async () => {
  const { samples } = unspent
  const mine = [...new Set(JSON.stringify(samples).match(ID))]
  const oneOfEach = [...new Map(mine.map((id) => [id.slice(0, 3), id])).values()]
  const queries = operations.flatMap((operation) =>
    queriesOf(operation.operationId)
      .filter(isOfId)
      .map((name): [Operation, string] => [operation, name]),
  )
  const wrong: string[] = []
  for (const [operation, name] of queries) {
    const faults = await Promise.all(
      oneOfEach.map(async (id) => {
        const theirs = await seen(stranger, operation, { query: `?${name}=${id}` })
        return [
          ...differing(theirs, await seen(stranger, operation, { query: `?${name}=${never(id)}` })),
          ...theirs.faults,
        ]
      }),
    )
    wrong.push(...faults.flat().map((fault) => `${nameOf(operation)}, ${name}: ${fault}`))
  }
  expect(wrong).toEqual([])
  expect(queries.length > 3 || !isWhole, 'there are queries by id').toBe(true)
})
