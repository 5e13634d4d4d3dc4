import { beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../support/api.ts'
import { badRequestsOf, faultsOfBad } from '../support/bad-requests.ts'
import { faultsOf, operationOf } from '../support/described.ts'
import { areas } from '../support/operations.ts'
import { isAmong } from '../support/rounds.ts'
import { newSampledUser, type SampledUser } from '../support/sampled-user.ts'

// The sample of every operation, spoilt in one thing after the other: who asks, each part of its path, each
// parameter of its query and each field of its body. test/system/operations.test.ts sends one of each over HTTP. `npm test`
// sends every other one.

const TRIED_OF = 2

/** Requests of one user at one time: of more than a hundred that wait some are refused for that alone. */
const AT_ONCE = 32

let sampled: SampledUser

beforeAll(async () => {
  sampled = await newSampledUser()
})

describe('refuses what is wrong, in the words of the description,', () => {
  it.each(areas)('in %s', async (_, operations) => {
    const found: string[] = []
    const before = await rows('SELECT count(*) AS commits FROM log_commits')
    for (const { operationId } of operations) {
      const operation = operationOf(operationId)
      const [sample, sender] = [sampled.sampleOf(operation), sampled.senderOf(operation)]
      const bad = badRequestsOf(operation, sample, sender).filter((_, at) => isAmong(at, TRIED_OF))
      for (let at = 0; at < bad.length; at += AT_ONCE) {
        const some = bad.slice(at, at + AT_ONCE)
        found.push(...(await Promise.all(some.map((one) => faultsOfBad(operation, one)))).flat())
      }
    }
    expect(found).toEqual([])
    expect(await rows('SELECT count(*) AS commits FROM log_commits')).toEqual(before)
  })
})

// How an answer is held against its description: by the same check in all sweeps.

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
